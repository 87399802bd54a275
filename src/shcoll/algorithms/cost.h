/* The cost model: an estimate of an algorithm's time from a count of its messages (thesis 3.2.3 to 3.2.7; teams paper
 * IV-D).
 *
 * It is LogGP: a message occupies its sender, travels, and occupies its receiver; the messages of a node's members
 * share one NIC. The two levels are within a node and between nodes. A row of an algorithm table gives its cost as a
 * function of struct shcoll_cost; choice/predict.c picks the cheapest row. */
#ifndef SHCOLL_COST_H
#define SHCOLL_COST_H

#include "algorithm.h"

/* Seconds. */
struct shcoll_link {
    double alpha; /* from a sender's call until the receiver has seen the flag */
    double gap;   /* for each further consecutive message, at the sender; between nodes at the receiver too */
    double beta;  /* for each byte */
};

struct shcoll_parameters {
    struct shcoll_link node, net;
    double copy;    /* for each byte copied into a message between nodes, on each side */
    double adapter; /* time of a node's NIC for a message that follows a message of another PE */
    double reply;   /* for the flag of a large put with signal, sent after its data; 0: in one message with it */
    double across;  /* on the busiest link, for each byte that a node sends if all nodes send equally to all */
    double crowded_alpha; /* for each PE; replaces node.alpha if oversubscribed: all PEs may run before the receiver */
    double gamma;         /* to combine a byte */
    double atomic;        /* to increment a word of another PE of the node, in addition to alpha */
    double turn;          /* transfer of a cache line: each change by another PE occupies a word for that long */
    double line;          /* each reader occupies a cache line for that long */
    double memory;        /* for each byte that a PE's memory transfers, of all PEs together */
    double slot;          /* for each byte in a slot of a node, whose lines move one by one */
    double net_atomic;    /* as turn, if the model's nodes are L3 groups of one node; 0: they are not */
};
extern struct shcoll_parameters shcoll_parameters;
void shcoll_parameters_take(const struct shcoll_parameters *p); /* sets shcoll_parameters */

/* One call: the input of a cost function. */
struct shcoll_cost {
    double size, nodes, per_node; /* members; nodes; members on a node */
    bool aligned;                 /* all nodes have the same power of two of members */
    double bytes;                 /* of a member's piece; of the whole vector in reductions */
    enum shcoll_collective collective;
    enum shcoll_form form;
    int k;
    struct shcoll_link node, net;
    double copy, adapter, reply, across, gamma, atomic, turn, line, memory, slot;
    double net_atomic;       /* as in the parameters, if the algorithm has two levels */
    struct shcoll_link inner; /* if nodes are L3 groups and the algorithm has one level: the link within a group, */
    double inner_atomic, inner_size; /* atomic within a group, and a group's size; else 0 */
    double processors; /* of all nodes together, where nodes share them; else 0 */
};

/* Whether `members` members, one on each node, signal each other faster directly than in rounds: if they are few, the
 * messages of each take less time than the latency of the rounds. The result is the same on all PEs. */
bool shcoll_is_direct(int members);

/* The same for messages with almost no data. If nodes share processors, the number of messages decides: direct signals
 * are used only if rounds have as many messages. */
bool shcoll_is_direct_briefly(int members);

/* Whether a read of the data of all members of a node by one member is faster than a tree of all members. The result is
 * the same on all PEs. */
bool shcoll_is_flat(int members, double bytes);

/* --- a message ---------------------------------------------------------------------------------------------------- */

/* The sizes at which a network library usually changes its protocol: it copies puts and gets up to COST_PUT bytes into
 * messages and leaves larger ones to the NIC; put with signal fills several messages of COST_MESSAGE bytes. */
enum { COST_PUT = 4 << 10, COST_STREAM = 32 << 10, COST_MESSAGE = 8 << 10 };

struct cost_message {
    double turn;  /* time for which the receiver's word is busy, before the next sender can change it */
    double busy;  /* time of the sender's processor */
    double after; /* from then until the receiver sees the message */
    double wire;  /* time of both nodes' NICs */
    double take;  /* time of the receiver's processor */
};

static inline double cost_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Data and a flag in shared memory.  A counted flag is an atomic operation, a numbered one a store. */
static inline struct cost_message cost_shared(const struct shcoll_link *link, double bytes, double atomic, double turn)
{
    return (struct cost_message){.busy = link->gap + bytes * link->beta + (turn > 0 ? turn : atomic),
                                 .after = link->alpha - link->gap - turn, .turn = turn};
}

static inline struct cost_message cost_near(const struct shcoll_cost *m, double bytes, bool counted)
{
    struct cost_message message = cost_shared(&m->node, bytes, counted ? m->atomic : 0, counted ? m->turn : 0);
    if (m->turn > 0 && bytes > 0 && m->form != FORM_BARRIER) { /* the access to the data */
        message.busy += m->node.gap;
        message.after -= m->form == FORM_SLOTS ? m->node.gap : 0; /* the line of both is transferred meanwhile */
    }
    return message;
}

/* The latency from NIC to NIC. */
static inline double cost_latency(const struct shcoll_cost *m)
{
    return m->net.alpha > 2 * m->net.gap ? m->net.alpha - 2 * m->net.gap : 0;
}

/* The processor time of all members' messages between nodes, if nodes share processors. A sync takes at least that
 * long. */
static inline double cost_work(const struct shcoll_cost *m, double messages)
{
    return m->processors > 0 ? messages * m->net.alpha / m->processors : 0;
}

/* The same call on a group of one member of each node. */
static inline struct shcoll_cost cost_leaders(const struct shcoll_cost *m)
{
    struct shcoll_cost leaders = *m;
    leaders.size = m->nodes;
    leaders.per_node = 1;
    return leaders;
}

static inline double cost_floor(double a)
{
    return (double)(long)a; /* no function of libm, which programs need not link */
}

/* The largest contribution. Contributions to a collect differ, but the differences are unknown when the algorithm is
 * chosen. */
static inline double cost_longest(const struct shcoll_cost *m)
{
    return m->collective == SHCOLL_COLLECT ? 1.5 * m->bytes : m->bytes;
}

static inline double cost_wire(const struct shcoll_cost *m, double messages, double bytes)
{
    return cost_larger(messages * m->adapter, bytes * m->net.beta);
}

/* Data and a flag between nodes. The flag is a separate message, unless data and flag are put together. Even then, a
 * put by the NIC must be complete before its flag is sent. */
static inline struct cost_message cost_far(const struct shcoll_cost *m, double bytes)
{
    const bool alone = m->form == FORM_PUT || m->form == FORM_COUNTER;
    const double gap = m->net.gap, latency = cost_latency(m);
    if (m->net_atomic > 0)
        return cost_shared(&m->net, bytes, m->net_atomic, m->net_atomic);
    if (bytes > (alone ? COST_PUT : COST_STREAM))
        return (struct cost_message){.busy = gap + bytes * m->net.beta + (alone ? gap + 2 * latency : m->reply),
                                     .after = latency + gap, .wire = bytes * m->net.beta, .take = gap};
    const double last = bytes < COST_MESSAGE ? bytes : COST_MESSAGE;
    const double messages = bytes <= 0 ? 1 : alone ? 2 : bytes / last;
    const double copied = messages * gap + bytes * m->copy;
    return (struct cost_message){.busy = copied, .after = latency + gap + last * (m->net.beta + m->copy),
                                 .wire = cost_wire(m, messages, bytes), .take = copied};
}

/* Whether all messages over a distance, a power of two, stay on their node. If the number of a node's members is no
 * power of two, some messages cross between nodes, and finally all members wait for these. */
static inline bool cost_is_near(const struct shcoll_cost *m, double distance)
{
    return m->nodes <= 1 || (m->aligned && distance < m->per_node);
}

static inline struct cost_message cost_to(const struct shcoll_cost *m, double distance, double bytes, bool counted)
{
    if (m->inner_size > 0 && m->aligned && distance < m->inner_size)
        return cost_shared(&m->inner, bytes, counted ? m->inner_atomic : 0, counted ? m->inner_atomic : 0);
    return cost_is_near(m, distance) ? cost_near(m, bytes, counted) : cost_far(m, bytes);
}

static inline double cost_whole(struct cost_message message)
{
    return message.busy + message.after;
}

/* --- messages of many --------------------------------------------------------------------------------------------- */

/* The time until the last message has arrived, if several members of a node send one message each at the same time. */
static inline double cost_at_once(struct cost_message message, double senders)
{
    return cost_whole(message) + (senders > 1 ? (senders - 1) * message.wire : 0);
}

/* All members send bytes over the same distance at the same time. */
static inline double cost_message(const struct shcoll_cost *m, double distance, double bytes, bool counted)
{
    const double across = distance * 2 >= m->size ? 2 * m->per_node * bytes * m->across : 0;
    return cost_larger(cost_at_once(cost_to(m, distance, bytes, counted), m->per_node), across);
}

/* All members send bytes to the member distance positions further on. The last members of a node send to the next
 * node. */
static inline double cost_shift(const struct shcoll_cost *m, double distance, double bytes, bool counted)
{
    if (m->nodes <= 1)
        return cost_whole(cost_near(m, bytes, counted));
    const double across = distance * 2 >= m->size ? 2 * m->per_node * bytes * m->across : 0;
    return cost_larger(cost_at_once(cost_far(m, bytes), distance < m->per_node ? distance : m->per_node), across);
}

/* One member sends bytes to each of count others, at most distance positions away: the time until the last arrives. */
static inline double cost_fan(const struct shcoll_cost *m, double count, double distance, double bytes, bool counted)
{
    const struct cost_message message = cost_to(m, distance, bytes, counted);
    return count < 1 ? 0 : (count - 1) * cost_larger(message.busy, message.wire) + cost_whole(message);
}

/* count members each send to one member. */
static inline double cost_funnel(const struct shcoll_cost *m, double count, double distance, double bytes, bool counted)
{
    const struct cost_message message = cost_to(m, distance, bytes, counted);
    const double each = cost_larger(message.turn, cost_larger(message.take, message.wire));
    return count < 1 ? 0 : cost_whole(message) + (count - 1) * each;
}

/* Each member sends bytes to each other member, in one of these orders. */
enum cost_order {
    COST_NEAR_FIRST, /* all begin with members of their own node, while the NICs are idle */
    COST_SHIFTED,    /* a node's last member sends to the next node in round 1, one more member in each later round */
    COST_MIXED,      /* in each round, some members send to other nodes */
    COST_IN_PAIRS,   /* nodes exchange in pairs, which use the NICs unevenly */
};
struct cost_all {
    double bytes;
    double longest; /* bytes of the member that sends most; 0: all send the same */
    int pieces;     /* messages for the data from one member to one other; 0: the usual number */
    int others;     /* additional messages to each member: a flag, a completion request */
    bool counted;   /* flags within a node are counted */
    bool asks;      /* the last message has a reply */
    enum cost_order order;
};

static inline bool cost_is_put(struct cost_all all)
{
    return all.asks && !all.pieces && all.bytes > COST_PUT;
}

/* One of these messages. If members wait for replies at the end, they start all puts of more than COST_PUT bytes before
 * they wait. */
static inline struct cost_message cost_each(const struct shcoll_cost *m, struct cost_all all)
{
    if (cost_is_put(all))
        return (struct cost_message){.busy = m->net.gap, .after = m->net.gap + 2 * cost_latency(m),
                                     .wire = all.bytes * m->net.beta};
    struct cost_message far = cost_far(m, all.bytes);
    if (all.pieces) {
        far.busy = far.take = all.pieces * m->net.gap + all.bytes * m->copy;
        far.wire = cost_wire(m, all.pieces, all.bytes);
    }
    return far;
}

/* The time until the last message and its reply have arrived. Sending, receiving and the NICs overlap. A member that
 * sends within its own node last then waits for its messages to other nodes. */
static inline double cost_exchange(const struct shcoll_cost *m, struct cost_all all)
{
    const double others = m->per_node - 1, distant = m->nodes > 1 ? m->size - m->per_node : 0;
    const struct cost_message near = cost_near(m, all.bytes, all.counted), of_all = cost_each(m, all);
    const double average = all.bytes;
    all.bytes = cost_larger(all.bytes, all.longest);
    const struct cost_message far = cost_each(m, all);
    const double wire = others < 1 ? cost_larger(far.wire, all.bytes * m->across)
                                   : cost_larger(of_all.wire, average * m->across); /* of several senders */
    const double on_node = others * near.busy;
    const bool is_late = all.order == COST_SHIFTED || all.order == COST_IN_PAIRS;
    if (distant < 1)
        return on_node + near.after;
    const double gaps = all.others * m->net.gap, answer = all.asks ? m->net.gap : 0;
    const double sent = distant * (far.busy + gaps), taken = distant * (of_all.take + gaps + answer);
    const double wires = distant * m->per_node * wire;
    const double first = on_node + (is_late ? others * (1 + all.others) * m->net.gap : 0);
    const double some_idle = cost_is_put(all) ? 0 : on_node / 2; /* puts of few processors can keep a NIC busy */
    const double idle = all.order == COST_MIXED ? 0 : all.order == COST_SHIFTED ? some_idle : first;
    double after = far.after + (all.asks ? m->net.alpha : 0);
    if (cost_is_put(all)) /* flags follow when all puts are complete, and need completion requests too */
        after = far.after + all.others * 2 * (m->net.alpha + distant * m->net.gap);
    const double there = cost_larger(first + sent, idle + wires);
    return cost_larger(there + after, first + taken + m->net.alpha - m->net.gap);
}

/* Each member gets from each other member after all are ready. */
static inline double cost_pull(const struct shcoll_cost *m)
{
    const double longest = cost_longest(m);
    return cost_exchange(m, (struct cost_all){.bytes = m->bytes, .longest = longest, .others = longest <= COST_PUT,
                                              .order = COST_SHIFTED, .asks = true});
}

/* One or more members of each node get bytes from another node. A small get is a request and a reply. */
static inline double cost_get_far(const struct shcoll_cost *m, double bytes, double readers)
{
    if (m->net_atomic > 0)
        return m->net.gap + m->net_atomic + bytes * m->net.beta;
    const double waits = (readers - 1) * cost_wire(m, 1, bytes);
    if (bytes > COST_PUT)
        return m->net.gap + 2 * cost_latency(m) + bytes * m->net.beta + waits;
    return 2 * m->net.alpha + bytes * (2 * m->copy + m->net.beta) + waits;
}

static inline double cost_get_near(const struct shcoll_cost *m, double bytes)
{
    return (m->turn > 0 ? m->node.gap + m->turn : m->node.alpha - m->node.gap) + bytes * m->node.beta;
}

/* Members read at the same time from one PE, whose memory they share: the time beyond one member's read. */
static inline double cost_shared_read(const struct shcoll_cost *m, double readers, double bytes)
{
    return cost_larger(0, bytes * (readers * m->memory - m->node.beta));
}

/* Rounds of a k-nomial tree, or of doubling (k = 2): the logarithm of the members to base k, rounded up. */
static inline double cost_rounds(double members, int k)
{
    double rounds = 0;
    for (double reached = 1; reached < members; reached *= k)
        rounds++;
    return rounds;
}

/* A k-nomial tree: the number of children of a member on the level where children are d positions apart. */
static inline double cost_children(const struct shcoll_cost *m, double d)
{
    return d * m->k < m->size ? m->k - 1 : cost_floor((m->size - 1) / d);
}

/* In a k-ary tree of all members: how many members of a node, before rank end, have children on other nodes. */
static inline double cost_kary_senders(const struct shcoll_cost *m, double end)
{
    const double last = cost_floor((m->size - 2) / m->k), first = cost_floor((end - 1) / m->k);
    return cost_larger(1, (last < end - 1 ? last : end - 1) - cost_larger(first, end - m->per_node) + 1);
}

/* In a k-ary tree of all members: the time from the root's start until the message reaches a rank. A parent sends to
 * the ranks before it first. near and far are the messages on a node and between nodes. */
static inline double cost_kary_rank(const struct shcoll_cost *m, long rank, struct cost_message near,
                                    struct cost_message far)
{
    double total = 0;
    for (long parent; rank > 0; rank = parent) {
        parent = (rank - 1) / m->k;
        const double before = (double)((rank - 1) % m->k), first = (double)(parent * m->k + 1);
        const double end = m->nodes <= 1 ? m->size : (cost_floor((double)parent / m->per_node) + 1) * m->per_node;
        const bool is_near = (double)rank < end;
        const double on_node = is_near ? before : cost_larger(end - first, 0);
        const double wire = cost_kary_senders(m, end) * far.wire;
        total += on_node * near.busy + (before - on_node) * cost_larger(far.busy, wire) +
                 (is_near ? cost_whole(near) : cost_whole(far) + wire - far.wire);
    }
    return total;
}

/* The time until all have received the message. The last of them is the last rank, or the end of an earlier branch. */
static inline double cost_kary(const struct shcoll_cost *m, struct cost_message near, struct cost_message far)
{
    const long last = (long)m->size - 1, k = m->k;
    double total = cost_kary_rank(m, last, near, far);
    int height = 0;
    for (long rank = last; rank > 0; rank = (rank - 1) / k, height++) {
        long other = rank - 1;
        for (int i = 0; i < height; i++)
            other = other * k + k;
        if (other <= last)
            total = cost_larger(total, cost_kary_rank(m, other, near, far));
    }
    return total;
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

/* One member of each node signals all the others: directly, or in rounds. */
static inline double cost_among_directly(const struct shcoll_cost *m)
{
    return m->net.alpha + (m->nodes - 2) * m->net.gap;
}

static inline double cost_among_nodes(const struct shcoll_cost *m)
{
    return shcoll_is_direct((int)m->nodes) ? cost_among_directly(m) : cost_rounds(m->nodes, 2) * m->net.alpha;
}

/* The members of a node signal one of them, which then releases them, by counted or numbered signals. With numbered
 * signals, the data is an additional store before the flag. */
static inline double cost_arrive(const struct shcoll_cost *m)
{
    return m->per_node <= 1 ? 0 : cost_whole(cost_near(m, 0, true)) + (m->per_node - 2) * m->turn;
}

static inline double cost_release(const struct shcoll_cost *m, double bytes, bool counted)
{
    const struct cost_message message = cost_near(m, bytes, counted);
    const double busy = message.busy + (bytes > 0 && !counted && m->turn == 0 ? m->node.gap : 0);
    return m->per_node <= 1 ? 0 : (m->per_node - 1) * busy + message.after;
}

static inline double cost_node_sync(const struct shcoll_cost *m)
{
    return cost_arrive(m) + cost_release(m, 0, false);
}

/* The rounds of a dissemination: on the node (the last of them crosses the node's end), then between nodes. */
static inline double cost_dissemination(const struct shcoll_cost *m)
{
    const double near = cost_rounds(m->per_node, 2), hop = cost_whole(cost_near(m, 0, false));
    if (m->nodes <= 1)
        return near * hop;
    return (near > 1 ? (near - 1) * hop : 0) + (cost_rounds(m->size, 2) - near + (near > 0)) * m->net.alpha;
}

/* A sync within another collective, assumed to be dissemination on one node, two levels on several. */
static inline double cost_sync(const struct shcoll_cost *m)
{
    return m->nodes <= 1 ? cost_dissemination(m) : cost_node_sync(m) + cost_among_nodes(m);
}

/* A sync after a quiet, which takes a round trip, and a reply to each of `asked` requests. */
static inline double cost_meet(const struct shcoll_cost *m, double asked)
{
    return cost_sync(m) + (asked < 1 ? 0 : 2 * m->net.alpha + (asked - 1) * m->net.gap);
}

#endif
