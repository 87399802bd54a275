/* The cost model: what an algorithm should take, by counting its messages (thesis 3.2.3 to 3.2.7; teams paper IV-D).
 *
 * A message of n bytes takes alpha + n beta; combining n bytes takes n gamma.  There are two levels, within a node and
 * between nodes.  A row of an algorithm table gives its cost as a function of struct shcoll_cost; cost.c has the
 * parameters, and picks the cheapest row. */
#ifndef SHCOLL_COST_H
#define SHCOLL_COST_H

#include "choose.h"

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
    double bytes;                 /* of a member's piece; of the whole vector in reductions */
    enum shcoll_form form;
    int k;
    struct shcoll_link node, net;
    double gamma, atomic;
};

/* What the model says of an algorithm, in seconds; DBL_MAX if it has no cost function. */
double shcoll_predicted(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes);

/* The link to a member that is so many positions away. */
static inline const struct shcoll_link *cost_link(const struct shcoll_cost *m, double distance)
{
    return m->nodes <= 1 || distance < m->per_node ? &m->node : &m->net;
}

/* All members send bytes to a member that far away, at the same time; those of a node share its network. */
static inline double cost_message(const struct shcoll_cost *m, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    return link->alpha + bytes * link->beta * (link == &m->net ? m->per_node : 1);
}

/* One member sends bytes to a member that far away, the others of its node being still. */
static inline double cost_lone_message(const struct shcoll_cost *m, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    return link->alpha + bytes * link->beta;
}

/* One member sends bytes to each of count others, up to that distance: the last has it after so long. */
static inline double cost_fan(const struct shcoll_cost *m, double count, double distance, double bytes)
{
    const struct shcoll_link *link = cost_link(m, distance);
    return count < 1 ? 0 : link->alpha + (count - 1) * link->gap + count * bytes * link->beta;
}

/* A sync as it is done where not otherwise chosen: dissemination. */
static inline double cost_sync(const struct shcoll_cost *m)
{
    double total = 0;
    for (double distance = 1; distance < m->size; distance *= 2)
        total += cost_message(m, distance, 0);
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

#endif
