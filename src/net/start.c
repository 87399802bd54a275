/* Begin and end of the network in this process. */
#include "net/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

struct net net;
struct port net_port = {.lock = PTHREAD_MUTEX_INITIALIZER};
struct net_stats net_stats;
const struct provider *provider;
size_t net_buffer_bytes;

struct net_tune net_tune = {
    .message = 8192,
    .put = 16384,
    .nbi = 4096,
    .get = 4096,
    .stream = 32768,
    .later = 262144,
    .block = 4096,
    .sends = 256,
    .asked = 4096,
    .pieces = 64,
};

static const struct provider_upcalls upcalls = {.message = serve, .broken = failure_broken};

/* --- settings -------------------------------------------------------------------------------------------------------- */

static void read_tune(void)
{
    const struct {
        const char *name;
        size_t *value;
    } known[] = {{"message", &net_tune.message}, {"put", &net_tune.put}, {"nbi", &net_tune.nbi}, {"get", &net_tune.get},
                 {"stream", &net_tune.stream}, {"later", &net_tune.later}, {"block", &net_tune.block},
                 {"sends", &net_tune.sends}, {"asked", &net_tune.asked}, {"pieces", &net_tune.pieces}};
    const char *text = getenv("SHMEM_NET_TUNE");
    for (const char *at = text; at && *at;) {
        char name[16];
        size_t value;
        int used = 0;
        bool found = false;
        if (sscanf(at, "%15[a-z]=%zu%n", name, &value, &used) != 2 || (at[used] && at[used] != ','))
            used = 0;
        for (size_t i = 0; used && i < sizeof known / sizeof *known; i++)
            if (strcmp(name, known[i].name) == 0) {
                *known[i].value = value;
                found = true;
            }
        if (!found)
            job_fatal("shmem_init", "environment variable SHMEM_NET_TUNE is \"%s\", allowed is a list like put=2048,get=4096 "
                      "of message, put, nbi, get, stream, later, block, sends, asked and pieces", text);
        at += at[used] ? used + 1 : used;
    }
}

/* What fits in a message of this provider's. */
static void fit_tune(void)
{
    const size_t most = provider->message_most & ~(size_t)(RECORD_ALIGN - 1);
    net_buffer_bytes = net_tune.message & ~(size_t)(RECORD_ALIGN - 1);
    if (net_buffer_bytes > most)
        net_buffer_bytes = most;
    if (net_buffer_bytes < 256)
        job_fatal("shmem_init", "the network %s takes messages of %zu bytes, and at least 256 are needed", provider->name,
                  most);
    const size_t room = record_room(sizeof(struct args_strided));
    size_t *const limited[] = {&net_tune.get, &net_tune.block};
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        if (*limited[i] > room)
            *limited[i] = room;
    net_tune.sends += !net_tune.sends;
    net_tune.asked += !net_tune.asked;
    net_tune.pieces += !net_tune.pieces;
}

/* --- begin ----------------------------------------------------------------------------------------------------------- */

static void load_provider(void)
{
    const char *why = "";
    provider = boot_module("ucx", PROVIDER_SYMBOL, &why);
    if (!provider || provider->version != PROVIDER_VERSION)
        job_fatal("shmem_init", "the job spans nodes, and this copy of Copal has no module for a network (%s); build it where "
                  "libucx-dev is installed", provider ? "it has another version" : why);
    why = provider->begin(true, self.job->launcher != 0);
    if (why)
        job_fatal("shmem_init", "the job spans nodes, and the network cannot be used: %s", why);
}

static void publish(void)
{
    _Alignas(8) unsigned char card[BOOT_CARD_BYTES];
    const char *why = "";
    net_heap_memory = provider->memory_open((void *)node.heap, node.own_size + node.heap_size, &why);
    if (net_heap_memory && node.data_used)
        net_data_memory = provider->memory_open((void *)node.data, node.data_used, &why);
    if (!net_heap_memory || (node.data_used && !net_data_memory))
        job_fatal("shmem_init", "the network cannot reach the symmetric memory of %zu MiB: %s; set SHMEM_SYMMETRIC_SIZE to "
                  "less",
                  (node.own_size + node.heap_size) >> 20, why);
    card_identify_program();
    const size_t bytes = card_write(&net_port, card, sizeof card);
    if (bytes > sizeof card)
        job_fatal("shmem_init", "the network's address takes %zu bytes, and %zu are there; name fewer devices "
                  "(UCX_NET_DEVICES)",
                  bytes, sizeof card);
    boot->publish(card, bytes);
}

/* A peer over TCP takes a descriptor or two, and 1024 are the usual limit that a process may raise. */
static void allow_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

void net_start(void)
{
    net.active = self.n_near < self.n_pes;
    if (!net.active)
        return;
    if (!provider)
        load_provider();
    read_tune();
    allow_descriptors();
    net_port.provider = provider->open(&upcalls, &net_port);
    if (!net_port.provider)
        job_fatal("shmem_init", "the network %s cannot be opened", provider->name);
    fit_tune();
    net_port.peers = mmap(NULL, (size_t)self.n_pes * sizeof *net_port.peers, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (net_port.peers == MAP_FAILED)
        job_fatal("shmem_init", "no memory for a table of %d PEs", self.n_pes);
    net_port.alerts = self.job->alerts;
    publish();
    node_far_same_program = peer_same_program;
    failure_begin();
}

void net_run(void)
{
    wait_progress = progress_hook;
    wait_tune(self.crowded);
    thread_start();
}

/* Who waits in a launcher's fence makes no progress, and others may need some to get there. */
void net_finish(void)
{
    thread_start_anyway();
}

/* --- end ------------------------------------------------------------------------------------------------------------- */

static void print_stats(void)
{
    const struct net_stats *s = &net_stats;
    fprintf(stderr,
            "copal: PE %d: network: %lu messages, %lu bytes, %lu records, %lu replies; %lu records served; %lu puts, %lu gets; "
            "%lu connections, %lu bytes for peers; %lu looks of the progress thread\n",
            self.pe, s->messages, s->message_bytes, s->records, s->replies, s->served, s->puts, s->gets, s->connections,
            s->peer_bytes, s->thread_turns);
}

static void forget_peers(struct port *port)
{
    for (struct peer *peer = port->connected, *next; peer; peer = next) {
        next = peer->next_connected;
        peer_send(peer);
        if (peer->heap_key)
            provider->key_close(peer->heap_key);
        if (peer->data_key)
            provider->key_close(peer->data_key);
        free(peer);
    }
    munmap(port->peers, (size_t)self.n_pes * sizeof *port->peers);
    port->peers = NULL;
    port->connected = port->dirty = port->open = NULL;
}

static void free_pools(struct port *port)
{
    for (struct buffer *b = port->free_buffers, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    for (struct op *op = port->free_ops, *next; op; op = next) {
        next = op->next;
        free(op);
    }
    port->free_buffers = NULL;
    port->free_ops = NULL;
}

void net_stop(void)
{
    if (!net.active)
        return;
    failure_end();
    thread_stop();
    wait_progress = NULL;
    wait_tune(self.crowded);
    port_lock(&net_port);
    forget_peers(&net_port);
    provider->close(net_port.provider); /* what is under way leaves, or is lost with a peer that is gone */
    net_port.provider = NULL;
    free_pools(&net_port);
    net_port.sends = 0;
    port_unlock(&net_port);
    provider->memory_close(net_heap_memory);
    if (net_data_memory)
        provider->memory_close(net_data_memory);
    net_heap_memory = net_data_memory = NULL;
    net.active = false;
    const char *stats = getenv("SHMEM_NET_STATS");
    if (stats && *stats)
        print_stats();
}
