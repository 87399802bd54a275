#include "net/ucx/ucx.h"

#include <limits.h>

extern struct provider copal_provider;

static const char *begin(const struct provider_start *start)
{
    ucx_begin_to_pack();
    return ucx_begin(start, &copal_provider.name);
}

static struct provider_port *open_port(const struct provider_upcalls *upcalls, void *user, const char **why)
{
    struct provider_port *port = ucx_open(upcalls, user, why);
    if (!port)
        return NULL;
    if (!ucx_bulk_receive(port)) {
        ucx_close(port);
        return NULL;
    }
    copal_provider.message_most = port->message_most;
    return port;
}

/* 0 if UCX was built without locks. */
static unsigned more_ports(void)
{
    ucp_lib_attr_t attr = {.field_mask = UCP_LIB_ATTR_FIELD_MAX_THREAD_LEVEL};
    return ucp_lib_query(&attr) == UCS_OK && attr.max_thread_level == UCS_THREAD_MODE_MULTI ? UINT_MAX : 0;
}

__attribute__((visibility("default"))) struct provider copal_provider = {
    .version = PROVIDER_VERSION,
    .begin = begin,
    .end = ucx_end,
    .open = open_port,
    .close = ucx_close,
    .more_ports = more_ports,
    .address = ucx_address,
    .connect = ucx_connect,
    .disconnect = ucx_disconnect,
    .memory_open = ucx_memory_open,
    .memory_close = ucx_memory_close,
    .memory_key = ucx_memory_key,
    .key_open = ucx_key_open,
    .key_close = ucx_key_close,
    .send = ucx_send,
    .put = ucx_put,
    .get = ucx_get,
    .flush = ucx_flush,
    .progress = ucx_progress,
    .event_fd = ucx_event_fd,
    .arm = ucx_arm,
    .describe = ucx_describe,
    .is_one_sided = ucx_is_one_sided,
    .keeps_order = ucx_keeps_order,
    .put_message = ucx_bulk_put,
    /* No atomics: UCX decides whether hardware executes one, and does not report coherence. */
};
