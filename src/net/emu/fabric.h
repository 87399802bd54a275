/* The model of an emulated network: the parameters in a fabric file, and the durations of messages computed from them.
 *
 * It is LogGP (Alexandrov and others, 1995) with contention.  A processor is busy for an overhead to pass an operation
 * to a NIC.  The NIC is busy for at least a gap per message, and for a time per byte.  The message arrives on the other
 * side after a latency.  Messages share servers (server.h): the sending side of each NIC, each link of the topology
 * (topology.h), and the receiving side of each NIC.  Routing is cut-through: the time for the bytes counts once.
 *
 * The functions use a constant fabric, and a state that all PEs share and that is zero at the start.  Times are
 * picoseconds since the start of the job, in 64 bits, enough for 213 days.  Sizes are bytes.
 *
 * The order of calls matters little: a server can place a message in the gaps between its reservations.  Only calls for
 * the same time are served in call order.  Results are therefore most reproducible if calls are made in the order of
 * their times. */
#pragma once

#include "net/provider.h"
#include "topology.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FABRIC_NAME_BYTES = 256, FABRIC_WHY_BYTES = 600 };

struct fabric {
    char name[FABRIC_NAME_BYTES];
    int nodes;

    /* Disorder: real time, no model.  A fabric file has either these keys or the times below. */
    bool disorder;
    uint64_t seed;
    uint64_t break_at; /* an endpoint breaks at this operation of a PE, counted from 1; 0: none */

    /* Processor times, in picoseconds. */
    uint64_t send_overhead, receive_overhead, put_overhead, get_overhead;
    double copy_byte; /* for each byte of a message, on both sides */

    int adapters;
    uint64_t gap; /* the least time for a message, on either side */
    double gap_byte;
    uint64_t latency;     /* from NIC to NIC, without switches */
    uint64_t hop_latency; /* of each switch */
    uint64_t atomic;      /* of a NIC's atomic operation, without the round trip; 0: NICs have no atomics */

    struct topology topology;
    double link_byte; /* picoseconds for a byte on a link between switches */

    struct node_costs near; /* within a node */

    /* Queues: the largest message, and how many messages to one PE may be on the way. */
    size_t message_most;
    int queue;
};

/* Reads a fabric: a path if the name has a slash or the file is in the working folder; else the predefined fabric
 * share/copal/fabrics/NAME.fabric above this library's folder; "disorder:SEED" needs no file.  Returns NULL, or a
 * sentence with the error, file, line, key and allowed values, which stays valid until the next call. */
const char *fabric_read(struct fabric *f, const char *name_or_path, int n_nodes);

/* The servers' shared memory: all zero at the start, aligned to 64 bytes. */
size_t fabric_state_bytes(const struct fabric *f);

/* The network port of a PE: one NIC of its node.  seat: the PE's index on its node, from 0.  Its NIC is seat modulo the
 * node's NICs, so neighbours use different ones. */
static inline int fabric_port(const struct fabric *f, int node, int seat)
{
    return node * f->adapters + seat % f->adapters;
}

struct fabric_times {
    uint64_t left;    /* the NIC has read the source, which may be reused */
    uint64_t arrives; /* the last byte is in the target's memory */
};

/* Moves bytes from port to port: a message, a put, or the reply to a get.  at: when the NIC has received them from the
 * processor.  Reserves the servers on the path; several processes may call this concurrently.
 *
 * A get takes two calls: a request of no bytes; when it has arrived, the reply from the other port, which reads memory.
 * For a flush, a put is complete at arrives + fabric_latency(f, to, from): its confirmation uses no server. */
struct fabric_times fabric_move(const struct fabric *f, void *state, int from_port, int to_port, size_t bytes,
                                uint64_t at);

/* Reserves a NIC, which executes one atomic operation after the other.  Returns the end of this one. */
uint64_t fabric_atomic(const struct fabric *f, void *state, int port, uint64_t at);

/* The latency from port to port, without bytes and contention. */
uint64_t fabric_latency(const struct fabric *f, int from_port, int to_port);

/* The processor's overhead: send, to pass an operation to the NIC; receive, for a completion or a message.  Puts and
 * gets have no overhead for the target's processor, and no overhead for each byte. */
enum fabric_kind { FABRIC_MESSAGE, FABRIC_PUT, FABRIC_GET };
uint64_t fabric_overhead_send(const struct fabric *f, enum fabric_kind kind, size_t bytes);
uint64_t fabric_overhead_receive(const struct fabric *f, enum fabric_kind kind, size_t bytes);

/* The durations of one message, over a path of average length. */
struct net_times fabric_times(const struct fabric *f, int nodes, int pes);

/* The traffic since the start.  A NIC's utilization: busy / time. */
struct fabric_counts {
    uint64_t messages, bytes;
    int port;       /* the busiest NIC: NIC port % adapters of node port / adapters */
    bool receiving; /* the busiest side of that NIC is the receiving one */
    uint64_t busy;
    uint64_t busiest_link; /* busy time of the busiest link between switches; 0 without links */
};
struct fabric_counts fabric_counts(const struct fabric *f, const void *state);
