#include "fabric.h"
#include "server.h"

#include <stdlib.h>

static uint64_t for_bytes(double each, size_t bytes)
{
    return (uint64_t)(each * (double)bytes + 0.5);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

size_t fabric_state_bytes(const struct fabric *f)
{
    const int servers = 3 * f->topology.ports + topology_links(&f->topology);
    return f->disorder ? 0 : (size_t)servers * sizeof(struct server);
}

/* The times at which the first and the last byte of a message reach or leave a server. */
struct stream {
    uint64_t head, tail;
};

/* Passes a server that is busy for `busy`, of which bytes_take is for the bytes.  The last byte cannot leave before it
 * has arrived. */
static void pass(struct stream *m, struct server *s, uint64_t busy, uint64_t bytes_take, size_t bytes)
{
    uint64_t begins = m->head;
    const uint64_t ends = server_reserve(s, m->head, busy, bytes, &begins);
    m->head = begins;
    m->tail = larger(m->tail, ends - (busy - bytes_take));
}

static void travel(struct stream *m, uint64_t time)
{
    m->head += time;
    m->tail += time;
}

struct fabric_times fabric_move(const struct fabric *f, void *state, int from_port, int to_port, size_t bytes,
                                uint64_t at)
{
    const struct topology_way way = topology_way(&f->topology, from_port, to_port);
    const uint64_t bytes_take = for_bytes(f->gap_byte, bytes), busy = larger(f->gap, bytes_take);
    const uint64_t on_link = for_bytes(f->link_byte, bytes);
    struct server *const sending = state, *const receiving = sending + f->topology.ports;
    struct server *const links = receiving + f->topology.ports;
    struct stream m = {at, at};
    pass(&m, &sending[from_port], busy, bytes_take, bytes);
    const uint64_t left = m.tail;
    for (int i = 0; i < way.links; i++) {
        travel(&m, f->hop_latency);
        pass(&m, &links[way.link[i]], on_link, on_link, bytes);
    }
    travel(&m, f->latency + (uint64_t)(way.switches - way.links) * f->hop_latency);
    pass(&m, &receiving[to_port], busy, bytes_take, bytes);
    return (struct fabric_times){left, m.tail};
}

/* The servers of atomics follow those of messages. */
uint64_t fabric_atomic(const struct fabric *f, void *state, int port, uint64_t at)
{
    struct server *const first = (struct server *)state + 2 * f->topology.ports + topology_links(&f->topology);
    uint64_t begins;
    return server_reserve(first + port, at, f->atomic, 0, &begins);
}

uint64_t fabric_latency(const struct fabric *f, int from_port, int to_port)
{
    return f->latency + (uint64_t)topology_way(&f->topology, from_port, to_port).switches * f->hop_latency;
}

uint64_t fabric_overhead_send(const struct fabric *f, enum fabric_kind kind, size_t bytes)
{
    if (kind == FABRIC_MESSAGE)
        return f->send_overhead + for_bytes(f->copy_byte, bytes);
    return kind == FABRIC_PUT ? f->put_overhead : f->get_overhead;
}

uint64_t fabric_overhead_receive(const struct fabric *f, enum fabric_kind kind, size_t bytes)
{
    return kind == FABRIC_MESSAGE ? f->receive_overhead + for_bytes(f->copy_byte, bytes) : 0;
}

/* The number of pairs of nodes whose path uses the busiest link. */
static double most_on_link(const struct fabric *f, int nodes)
{
    int *ways = calloc((size_t)topology_links(&f->topology) + 1, sizeof *ways), most = 0;
    for (int pair = 0; ways && pair < nodes * nodes; pair++) {
        const struct topology_way way = topology_way(&f->topology, fabric_port(f, pair / nodes, 0),
                                                     fabric_port(f, pair % nodes, 0));
        for (int i = 0; pair / nodes != pair % nodes && i < way.links; i++)
            most = ++ways[way.link[i]] > most ? ways[way.link[i]] : most;
    }
    free(ways);
    return most;
}

/* The latencies of a node of that many PEs: within an L3 group, and the longest of the node. */
static void node_times(const struct fabric *f, int pes, struct net_times *t)
{
    const struct node_costs *c = &f->near;
    const double second = 1e12;
    const double most = pes <= c->cores               ? c->group_latency
                        : pes <= c->groups * c->cores ? c->socket_latency
                                                      : c->node_latency;
    t->access = (double)c->access_overhead / second;
    t->line = (double)c->line_gap / second;
    t->memory_byte = c->memory_gap_byte / second;
    t->near = (c->cores ? most : (double)c->node_latency) / second;
    if (!c->cores || pes <= c->cores || f->nodes > 1)
        return;
    t->group = c->cores;
    t->groups = t->near;
    t->near = (double)c->group_latency / second;
}

struct net_times fabric_times(const struct fabric *f, int nodes, int pes)
{
    const double second = 1e12;
    double latency = 0;
    for (int node = 1; node < nodes; node++)
        latency += (double)fabric_latency(f, fabric_port(f, 0, 0), fabric_port(f, node, 0)) / (nodes - 1);
    struct net_times t = {.message = ((double)(f->send_overhead + f->receive_overhead) + latency) / second,
                              .gap = (double)larger(f->send_overhead, f->receive_overhead) / second,
                              .byte = f->gap_byte / second,
                              .copied_byte = f->copy_byte / second,
                              .adapter = (double)f->gap / f->adapters / second,
                              .across = most_on_link(f, nodes) * f->link_byte / (nodes > 1 ? nodes - 1 : 1) / second,
                              .near_byte = f->near.node_gap_byte / second};
    node_times(f, (pes + nodes - 1) / nodes, &t);
    return t;
}

struct fabric_counts fabric_counts(const struct fabric *f, const void *state)
{
    const struct server *all = state;
    const int ports = f->topology.ports, links = topology_links(&f->topology);
    struct fabric_counts c = {0};
    for (int i = 0; i < 2 * ports; i++) {
        c.messages += i < ports ? all[i].messages : 0;
        c.bytes += i < ports ? all[i].bytes : 0;
        if (all[i].busy > c.busy) {
            c.busy = all[i].busy;
            c.port = i % ports;
            c.receiving = i >= ports;
        }
    }
    for (int i = 0; i < links; i++)
        c.busiest_link = larger(c.busiest_link, all[2 * ports + i].busy);
    return c;
}
