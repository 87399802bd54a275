/* The model of an emulated network: what a fabric file says, and how long what is sent takes by it.
 *
 * It is LogGP (Alexandrov and others, 1995) with contention.  A processor pays an overhead for what it hands to an
 * adapter; an adapter takes at least a gap for each message, and a time for each byte; a latency later the message is
 * on the other side.  What messages share are servers (server.h): each adapter's sending side, each link of the
 * topology (topology.h), and each adapter's receiving side.  A message goes through them without being stored: its
 * bytes count once where nobody else is on the way, and wait where somebody is.
 *
 * These are functions on a fabric, which is read once and then constant, and on a state, which all PEs share and which
 * is all zero at the start.  Times are picoseconds since the start of the job, in 64 bits: enough for 213 days.  Sizes
 * are bytes.
 *
 * The order of calls matters little: a server has a place for a message in the gaps between what it has promised, so
 * one who calls later with an earlier time is served at that time.  Where two want the same moment, who calls first
 * has it.  So times are repeated best where callers call in the order of their times. */
#ifndef COPAL_EMU_FABRIC_H
#define COPAL_EMU_FABRIC_H

#include "net/provider.h"
#include "topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FABRIC_NAME_BYTES = 256, FABRIC_WHY_BYTES = 600 };

struct fabric {
    char name[FABRIC_NAME_BYTES]; /* as the user gave it */
    int nodes;

    /* Disorder: real time, no model.  A fabric file has either this or the times below. */
    bool disorder;
    uint64_t seed;
    uint64_t break_at; /* an endpoint breaks at that operation of a PE, counted from 1; 0: none does */

    /* Processors: picoseconds, and picoseconds for a byte that is copied. */
    uint64_t send_overhead, receive_overhead, put_overhead, get_overhead;
    double copy_byte; /* messages alone: on both sides */

    /* Adapters. */
    int adapters; /* of a node */
    uint64_t gap; /* an adapter takes at least so long for a message, on either side */
    double gap_byte;
    uint64_t latency;     /* from adapter to adapter, without any switch */
    uint64_t hop_latency; /* of each switch */
    uint64_t atomic;      /* an adapter's atomic operation, in addition to the way there and back; 0: it has none */

    struct topology topology;
    double link_byte; /* picoseconds for a byte on a link between switches */

    /* Within a node: until another PE sees a store, and for each byte that is copied. */
    uint64_t node_latency;
    double node_gap_byte;
    double compute; /* the program's processor time counts as so much emulated time */

    /* Queues: the largest message, and how many messages on their way to one PE there is room for. */
    size_t message_most;
    int queue;
};

/* Reads a fabric: a path if there is a slash in it or the file is in the working folder, else a ready-made one,
 * share/copal/fabrics/NAME.fabric above the folder of this library; "disorder:SEED" needs no file.  NULL, or the
 * sentence about what is wrong, with file, line, key and what is allowed; the sentence stays until the next call. */
const char *fabric_read(struct fabric *f, const char *name_or_path, int n_nodes);

/* The shared memory of the servers: all zero at the start, at an address that 64 divides. */
size_t fabric_state_bytes(const struct fabric *f);

/* Where a PE is at home on the network: the port of an adapter of its node.  seat: which PE of its node it is, from 0;
 * its adapter is that number modulo the adapters of a node, so neighbours use different ones.  With one adapter a node
 * the port is the node's number. */
static inline int fabric_port(const struct fabric *f, int node, int seat)
{
    return node * f->adapters + seat % f->adapters;
}

struct fabric_times {
    uint64_t left;    /* the adapter has read the source: it may be used again */
    uint64_t arrives; /* the last byte is in the memory at the other end */
};

/* Bytes go from port to port, as a message or a put, or as the answer to a get.  at: when the processor has handed it
 * to the adapter.  Reserves the servers on the way; several processes may call this at a time.
 *
 * A get is two of these: a request of no bytes, then when that arrives (best when the clock is there, so that servers
 * hear of it in order) the answer, from the other port to this one; it reads memory when it leaves.  A put is complete
 * at its source, for a flush, when a word has come back, which no server is kept busy with: at arrives +
 * fabric_latency(f, to, from). */
struct fabric_times fabric_move(const struct fabric *f, void *state, int from_port, int to_port, size_t bytes,
                                uint64_t at);

/* An atomic operation that comes to an adapter, which has one in hand at a time: when it is done. */
uint64_t fabric_atomic(const struct fabric *f, void *state, int port, uint64_t at);

/* How long nothing takes from port to port where nobody is on the way: latencies alone. */
uint64_t fabric_latency(const struct fabric *f, int from_port, int to_port);

/* What the processor pays, before it is handed to the adapter (send), and when its completion or a message is taken
 * (receive).  Of puts and gets a receiver's processor pays nothing, nor does their sender for the bytes: adapters read
 * and write memory. */
enum fabric_kind { FABRIC_MESSAGE, FABRIC_PUT, FABRIC_GET };
uint64_t fabric_overhead_send(const struct fabric *f, enum fabric_kind kind, size_t bytes);
uint64_t fabric_overhead_receive(const struct fabric *f, enum fabric_kind kind, size_t bytes);

/* A load or store of so many bytes in the memory of another PE of the node. */
uint64_t fabric_near(const struct fabric *f, size_t bytes);

/* What the parameters say of one message, the way between nodes being of average length. */
struct net_times fabric_times(const struct fabric *f, int nodes);

/* What has moved since the start.  Share of the time that an adapter was busy: busy / time. */
struct fabric_counts {
    uint64_t messages, bytes;
    int port;       /* the busiest adapter: node port / adapters, adapter port % adapters */
    bool receiving; /* which side of it */
    uint64_t busy;
    uint64_t busiest_link; /* how long the busiest link between switches was busy; 0 without any */
};
struct fabric_counts fabric_counts(const struct fabric *f, const void *state);

#endif
