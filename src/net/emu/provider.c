#include "item.h"

#include <stdio.h>
#include <stdlib.h>

extern struct provider copal_provider;

enum { MORE_PORTS = 4, MORE_TIMED = 16 }; /* additional ports of a PE: in disorder, and in emulated time */

static const char *number_seats(void)
{
    emu.seat = calloc((size_t)emu.job.n_pes, sizeof *emu.seat);
    if (!emu.seat)
        return "there is no memory for a table of PEs";
    for (int pe = 1; pe < emu.job.n_pes; pe++)
        if (emu.job.node[pe] == emu.job.node[pe - 1])
            emu.seat[pe] = emu.seat[pe - 1] + 1;
    return NULL;
}

/* All PEs request shared memory in the same order. */
static const char *share_memory(void)
{
    static const char none[] = "there is no memory for its queues";
    emu.inbox_bytes = (inbox_bytes(emu.fabric.message_most) + 4095) & ~(size_t)4095;
    emu.ports = 1 + (emu.fabric.disorder ? MORE_PORTS : MORE_TIMED);
    emu.inboxes = emu.job.share((size_t)emu.job.n_pes * (size_t)emu.ports * emu.inbox_bytes);
    emu.at_atomic = emu.job.share((size_t)emu.job.n_pes * sizeof *emu.at_atomic);
    if (!emu.inboxes || !emu.at_atomic)
        return none;
    if (emu.fabric.disorder)
        return NULL;
    emu.servers = emu.job.share(fabric_state_bytes(&emu.fabric));
    return emu.servers ? NULL : none;
}

static const char *begin(const struct provider_start *start)
{
    static char name[FABRIC_NAME_BYTES + 40];
    if (!start->job)
        return "an emulated network (SHMEM_NET=emu) is for a job of oshrun on one machine, which SHMEM_NODES (oshrun "
               "--nodes) splits into nodes; on several hosts, or under another launcher, unset SHMEM_NET";
    emu.job = *start->job;
    if (!emu.job.fabric)
        return "SHMEM_NET is emu, and SHMEM_FABRIC does not say which network to emulate; oshrun --fabric sets both";
    const char *why = fabric_read(&emu.fabric, emu.job.fabric, emu.job.n_nodes);
    if (!why)
        why = number_seats();
    if (!why)
        why = share_memory();
    if (why)
        return why;
    snprintf(name, sizeof name, "emulated (%s)", emu.fabric.name);
    copal_provider.name = name;
    copal_provider.message_most = emu.fabric.message_most;
    if (emu.fabric.disorder)
        lot_begin(emu.fabric.seed, emu.job.pe);
    else
        emu.job.clock->start(&emu.fabric.near);
    return NULL;
}

static unsigned more_ports(void)
{
    return (unsigned)emu.ports - 1;
}

static void describe(struct provider_endpoint *endpoint, char *text, size_t room)
{
    if (endpoint->broken)
        snprintf(text, room, "broken: %s", endpoint->broken);
    else
        snprintf(text, room, "messages: emulated\nput and get: emulated, by an adapter");
}

static bool is_one_sided(struct provider_endpoint *endpoint)
{
    (void)endpoint;
    return true;
}

static bool keeps_order(struct provider_endpoint *endpoint)
{
    (void)endpoint;
    return false;
}

static bool has_coherent_atomics(void)
{
    return emu.fabric.disorder || emu.fabric.atomic;
}

static bool times(struct net_times *t)
{
    if (emu.fabric.disorder)
        return false;
    static struct net_times known; /* computed once, since it takes a loop over all pairs of nodes */
    if (known.near_byte == 0)
        known = fabric_times(&emu.fabric, emu.job.n_nodes, emu.job.n_pes);
    *t = known;
    return true;
}

__attribute__((visibility("default"))) struct provider copal_provider = {
    .version = PROVIDER_VERSION,
    .begin = begin,
    .open = emu_open,
    .close = emu_close,
    .more_ports = more_ports,
    .address = emu_address,
    .connect = emu_connect,
    .disconnect = emu_disconnect,
    .memory_open = emu_memory_open,
    .memory_close = emu_memory_close,
    .memory_key = emu_memory_key,
    .key_open = emu_key_open,
    .key_close = emu_key_close,
    .send = emu_send,
    .put = emu_put,
    .get = emu_get,
    .flush = emu_flush,
    .has_coherent_atomics = has_coherent_atomics,
    .atomic = emu_atomic,
    .progress = emu_progress,
    .event_fd = emu_event_fd,
    .arm = emu_arm,
    .describe = describe,
    .is_one_sided = is_one_sided,
    .keeps_order = keeps_order,
    .times = times,
};
