/* The cost model: what an algorithm should take, by counting its messages (thesis 3.2.3 to 3.2.7; teams paper IV-D).
 *
 * A message of n bytes takes alpha + n beta; combining n bytes takes n gamma.  There are two levels, within a node and
 * between nodes.  A row of an algorithm table gives its cost as a function of struct shcoll_cost;
 * choice/predict.c picks the cheapest row. */
#ifndef SHCOLL_COST_H
#define SHCOLL_COST_H

#include "algorithm.h"

/* Seconds. */
struct shcoll_link {
    double alpha; /* from a sender's call until the receiver has seen the flag */
    double gap;   /* of the sender, for each message after the first in a row */
    double beta;  /* for each byte */
};

struct shcoll_parameters {
    struct shcoll_link node, net;
    double crowded_alpha; /* instead of node.alpha where a node has more PEs than processors, for each of its PEs: all
                             may have a turn before the receiver has one */
    double gamma;         /* to combine a byte */
    double atomic;        /* to count up a word of another PE, in addition to alpha */
};
extern struct shcoll_parameters shcoll_parameters;

/* One call: what a cost function computes from. */
struct shcoll_cost {
    double size, nodes, per_node; /* members; nodes; members on a node */
    bool aligned;                 /* all nodes have the same power of two of members */
    double bytes;                 /* of a member's piece; of the whole vector in reductions */
    enum shcoll_form form;
    int k;
    struct shcoll_link node, net;
    double gamma, atomic;
};

/* Whether so many PEs on as many nodes had better tell each other at once than in rounds: with few of them the messages
 * that each sends and receives take less than the rounds' latency.  The same on all PEs. */
bool shcoll_is_direct(int members);

/* The link to a member that is so many positions away.  Pairs and subtrees of members that are up to a power of two
 * apart stay on a node if it has a power of two of members; else some of them do not, and in the end all wait for
 * these. */
static inline const struct shcoll_link *cost_link(const struct shcoll_cost *m, double distance)
{
    return m->nodes <= 1 || (m->aligned && distance < m->per_node) ? &m->node : &m->net;
}

/* Between nodes a flag behind the data is a message of its own, unless the two are put together.  A large put has to be
 * complete before its flag may go, even so. */
static inline double cost_flag(const struct shcoll_cost *m, const struct shcoll_link *link, double bytes)
{
    enum { LARGE = 32 << 10 };
    if (link != &m->net || bytes <= 0)
        return 0;
    const bool alone = m->form == FORM_PUT || m->form == FORM_COUNTER;
    return (alone ? link->gap : 0) + (bytes > LARGE && (alone || m->form == FORM_SIGNAL) ? 2 * link->alpha : 0);
}

/* All members send bytes to a member that far away, at the same time; those of a node share its network. */
static inline double cost_message(const struct shcoll_cost *m, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    const double sharing = link == &m->net ? m->per_node : 1;
    return link->alpha + (sharing - 1) * link->gap + cost_flag(m, link, bytes) + bytes * link->beta * sharing;
}

/* All members send bytes to the member so many positions further on: at the end of a node, to the next one. */
static inline double cost_shift(const struct shcoll_cost *m, double distance, double bytes)
{
    const struct shcoll_link *link = m->nodes <= 1 ? &m->node : &m->net;
    const double sharing = link == &m->node ? 1 : distance < m->per_node ? distance : m->per_node;
    return link->alpha + (sharing - 1) * link->gap + cost_flag(m, link, bytes) + bytes * link->beta * sharing;
}

/* One member sends bytes to a member that far away, the others of its node being still. */
static inline double cost_lone_message(const struct shcoll_cost *m, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    return link->alpha + cost_flag(m, link, bytes) + bytes * link->beta;
}

/* One member sends bytes to each of count others, up to that distance: the last has it after so long. */
static inline double cost_fan(const struct shcoll_cost *m, double count, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    return count < 1 ? 0
                     : link->alpha + (count - 1) * link->gap + count * (bytes * link->beta + cost_flag(m, link, bytes));
}

/* Each member sends bytes to each: those of a node share its network, and each message takes its receiver as long as
 * its sender. */
static inline double cost_exchange(const struct shcoll_cost *m, double bytes)
{
    const double near = m->per_node - 1, far = m->size - m->per_node;
    double total = near < 1 ? 0 : m->node.alpha + (near - 1) * m->node.gap + near * bytes * m->node.beta;
    if (far >= 1)
        total += m->net.alpha + (2 * far - 2) * m->net.gap +
                 far * (cost_flag(m, &m->net, bytes) + bytes * m->net.beta * m->per_node);
    return total;
}

/* Rounds of a k-nomial tree, or of doubling (k = 2): the logarithm of the members to base k, rounded up. */
static inline double cost_rounds(double members, int k)
{
    double rounds = 0;
    for (double reached = 1; reached < members; reached *= k)
        rounds++;
    return rounds;
}

/* One member of each node tells all the others: directly, or in one way or the other. */
static inline double cost_among_directly(const struct shcoll_cost *m)
{
    return m->net.alpha + (2 * m->nodes - 4) * m->net.gap;
}

static inline double cost_among_nodes(const struct shcoll_cost *m)
{
    return shcoll_is_direct((int)m->nodes) ? cost_among_directly(m) : cost_rounds(m->nodes, 2) * m->net.alpha;
}

/* The members of a node tell one of them, and are told by it. */
static inline double cost_node_sync(const struct shcoll_cost *m)
{
    return m->per_node <= 1 ? 0 : 2 * m->node.alpha + (m->per_node - 2) * m->node.gap + (m->per_node - 1) * m->atomic;
}

/* A sync as it is done where not otherwise chosen: on one node dissemination, on several in two levels. */
static inline double cost_sync(const struct shcoll_cost *m)
{
    return m->nodes <= 1 ? cost_rounds(m->size, 2) * m->node.alpha : cost_node_sync(m) + cost_among_nodes(m);
}

#endif
