#include "net/ucx/ucx.h"

#include "common/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ucp_context_h ucx_context;
static struct provider_memory *_Atomic memories; /* a short list, which threads never change concurrently */

/* Changes a setting of the TCP transport, which has no prefix in UCX 1.13, and has one in later versions. */
static void set_tcp(ucp_config_t *config, const char *name, const char *value)
{
    char full[64];
    snprintf(full, sizeof full, "TCP_%s", name);
    ucp_config_modify(config, name, value);
    ucp_config_modify(config, full, value);
}

/* BBR, a congestion control, paces sending by the measured rate of the receiver.  If megabytes are queued for
 * oversubscribed PEs, BBR measures receivers that wait for a core.  A short queue avoids this. */
static bool is_paced(void)
{
    char name[16] = "";
    FILE *file = fopen("/proc/sys/net/ipv4/tcp_congestion_control", "re");
    if (file && fscanf(file, "%15s", name) != 1)
        name[0] = '\0';
    if (file)
        fclose(file);
    return strcmp(name, "bbr") == 0;
}

static void adjust(ucp_config_t *config, const struct provider_start *start)
{
    const bool watched = start->watched;
    if (start->no_shared_memory && !environment("UCX_TLS"))
        ucp_config_modify(config, "TLS", "^sm,self");
    if (start->loopback && !environment("UCX_NET_DEVICES"))
        ucp_config_modify(config, "NET_DEVICES", "lo");
    ucp_config_modify(config, "MAX_EAGER_LANES", "1"); /* messages over two devices could overtake each other */

    /* Otherwise, if a host is down, connect waits for minutes with the port's lock. */
    if (!environment("UCX_TCP_CONN_NB"))
        set_tcp(config, "CONN_NB", "y");
    /* Hundreds of PEs on one machine have 100,000 connections.  Their probes would overflow the kernel's packet queue,
     * and UCX would close the connections whose probes are lost. */
    if (watched && !environment("UCX_TCP_KEEPIDLE") && !environment("UCX_KEEPALIVE_INTERVAL")) {
        set_tcp(config, "KEEPIDLE", "inf");
        ucp_config_modify(config, "KEEPALIVE_INTERVAL", "inf");
    }
    /* The segment size of messages over TCP.  UCX's default, 8 KiB, is 2 to 3 times slower for large transfers; 256 KiB
     * and 1 MiB are 5 to 15 % slower from 512 KiB on.  A receiver needs the senders' size. */
    if (!environment("UCX_TCP_TX_SEG_SIZE") && !environment("UCX_TCP_RX_SEG_SIZE")) {
        set_tcp(config, "TX_SEG_SIZE", "512k");
        set_tcp(config, "RX_SEG_SIZE", "512k");
    }
    /* Shortens the queue only over loopback, as a fast network needs more bytes in flight. */
    if (watched && !environment("UCX_TCP_SNDBUF") && is_paced())
        set_tcp(config, "SNDBUF", "256k");
}

const char *ucx_begin(const struct provider_start *start, const char **called)
{
    static char text[600], name[32];
    if (ucx_context)
        return NULL;
    unsigned major, minor, release;
    ucp_get_version(&major, &minor, &release);
    snprintf(name, sizeof name, "UCX %u.%u.%u", major, minor, release);
    *called = name;
    static bool is_first = true; /* false after ucx_end, too */
    if (is_first)
        ucx_begin_to_listen();
    is_first = false;

    ucp_config_t *config;
    ucs_status_t status = ucp_config_read(NULL, NULL, &config);
    if (status != UCS_OK) {
        snprintf(text, sizeof text, "%s does not accept its settings (the variables UCX_...): %s", name,
                 ucs_status_string(status));
        return text;
    }
    adjust(config, start);
    ucp_params_t params = {
        .field_mask = UCP_PARAM_FIELD_FEATURES | UCP_PARAM_FIELD_NAME | UCP_PARAM_FIELD_MT_WORKERS_SHARED,
        .features = UCP_FEATURE_AM | UCP_FEATURE_WAKEUP | (ucx_wants_remote_memory() ? UCP_FEATURE_RMA : 0),
        .name = "copal",
        .mt_workers_shared = true, /* threads may use several workers at the same time */
        .estimated_num_eps = (size_t)start->n_far,
    };
    if (start->n_far) /* otherwise UCX assumes one peer, and ignores connectionless transports */
        params.field_mask |= UCP_PARAM_FIELD_ESTIMATED_NUM_EPS;
    ucx_listen();
    status = ucp_init(&params, config, &ucx_context);
    ucx_hush();
    ucp_config_release(config);
    if (status == UCS_OK)
        return NULL;
    const char *tls = environment("UCX_TLS"), *devices = environment("UCX_NET_DEVICES");
    snprintf(text, sizeof text, "%s found no network to use (UCX_TLS=%s, UCX_NET_DEVICES=%s; see ucx_info -d): %s",
             name, tls ? tls : start->no_shared_memory ? "^sm,self" : "all", devices ? devices : "all",
             ucx_why(status));
    return text;
}

void ucx_end(void)
{
    ucp_cleanup(ucx_context);
    ucx_context = NULL;
}

struct provider_memory *ucx_memory_open(void *at, size_t bytes, size_t file_at, const char **why)
{
    (void)file_at;
    struct provider_memory *memory = calloc(1, sizeof *memory);
    if (!memory) {
        *why = "no memory";
        return NULL;
    }
    ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS,
        .address = at,
        .length = bytes,
        .flags = UCP_MEM_MAP_NONBLOCK, /* pages are pinned on first use, as most of a heap is never used */
    };
    ucx_listen();
    ucs_status_t status = ucp_mem_map(ucx_context, &params, &memory->handle);
    ucx_hush();
    if (status == UCS_OK) {
        status = ucp_rkey_pack(ucx_context, memory->handle, &memory->key, &memory->key_bytes);
        if (status == UCS_OK) {
            memory->at = (uintptr_t)at;
            memory->size = bytes;
            memory->next = memories;
            memories = memory;
            return memory;
        }
        ucp_mem_unmap(ucx_context, memory->handle);
    }
    free(memory);
    *why = ucx_why(status);
    return NULL;
}

bool ucx_memory_is_open(uint64_t at, size_t bytes)
{
    const struct provider_memory *m = memories;
    while (m && (at - m->at > m->size || bytes > m->size - (at - m->at)))
        m = m->next;
    return m;
}

static void take_out(const struct provider_memory *memory)
{
    if (memories == memory) {
        memories = memory->next;
        return;
    }
    struct provider_memory *before = memories;
    while (before->next != memory)
        before = before->next;
    before->next = memory->next;
}

void ucx_memory_close(struct provider_memory *memory)
{
    take_out(memory);
    ucp_rkey_buffer_release(memory->key);
    ucp_mem_unmap(ucx_context, memory->handle);
    free(memory);
}

size_t ucx_memory_key(struct provider_memory *memory, void *to, size_t room)
{
    if (memory->key_bytes <= room)
        memcpy(to, memory->key, memory->key_bytes);
    return memory->key_bytes;
}

/* A provider_key is UCX's ucp_rkey_h. */
struct provider_key *ucx_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why)
{
    ucp_rkey_h key;
    ucs_status_t status = endpoint->is_broken ? UCS_ERR_UNREACHABLE : ucp_ep_rkey_unpack(endpoint->ep, packed, &key);
    if (status == UCS_OK)
        return (struct provider_key *)key;
    *why = ucx_why(status);
    return NULL;
}

void ucx_key_close(struct provider_key *key)
{
    ucp_rkey_destroy((ucp_rkey_h)key);
}
