/* The reductions and scans, which are in several files; reduce_tables.c has the tables.
 *
 * All PEs get a result with the same bits, and operands are combined in the order of the PEs wherever an algorithm's
 * structure allows it. Within a node readers load the data in place. Small vectors travel on the cache line of their
 * flag (slots.h). If PEs are oversubscribed, context switches dominate: then combining_tree, whose last member to
 * arrive does the remaining work, beats algorithms in rounds. */
#ifndef SHCOLL_REDUCE_H
#define SHCOLL_REDUCE_H

#include "cost.h"
#include "../group/flags.h"

/* reduce_tree.c */
shcoll_function shcoll_reduce_flat, shcoll_reduce_binomial, shcoll_reduce_combining_tree;
shcoll_cost_function shcoll_reduce_flat_cost, shcoll_reduce_binomial_cost, shcoll_reduce_combining_tree_cost;

/* reduce_doubling.c */
shcoll_function shcoll_reduce_doubling, shcoll_reduce_bruck;
shcoll_cost_function shcoll_reduce_doubling_cost, shcoll_reduce_bruck_cost;

/* reduce_halving.c */
shcoll_function shcoll_reduce_rabenseifner, shcoll_reduce_ring;
shcoll_cost_function shcoll_reduce_rabenseifner_cost, shcoll_reduce_ring_cost;

/* reduce_slots.c, reduce_parts.c */
shcoll_function shcoll_reduce_in_slots, shcoll_scan_in_slots, shcoll_reduce_in_parts, shcoll_scan_in_parts;
shcoll_cost_function shcoll_reduce_in_slots_cost, shcoll_scan_in_slots_cost, shcoll_in_parts_cost;

/* scan.c */
shcoll_function shcoll_scan_linear, shcoll_scan_linear_in_slots, shcoll_scan_doubling;
shcoll_cost_function shcoll_scan_linear_cost, shcoll_scan_linear_in_slots_cost, shcoll_scan_doubling_cost;

/* shcoll_leaders_have_slots: whether bytes fit into the leaders' slots. shcoll_among_leaders: a reduction or exclusive
 * scan among leaders by slots. dest and source need not be symmetric. The caller has incremented the group's count of
 * such operations (slots) before it split the group into parts. */
bool shcoll_leaders_have_slots(const struct shcoll_group *leaders, size_t bytes);
void shcoll_among_leaders(const struct shcoll_group *leaders, const struct shcoll_call *c);
shcoll_cost_function shcoll_among_leaders_cost;

/* reduce_two_level.c */
shcoll_function shcoll_reduce_two_level, shcoll_reduce_two_level_in_slots, shcoll_reduce_in_lanes;
shcoll_function shcoll_scan_two_level_in_slots;
shcoll_cost_function shcoll_reduce_two_level_cost, shcoll_reduce_two_level_in_slots_cost, shcoll_reduce_in_lanes_cost,
    shcoll_scan_two_level_in_slots_cost;
shcoll_function shcoll_scan_two_level; /* scan.c */
shcoll_cost_function shcoll_scan_two_level_cost;

/* --- pieces of a vector ------------------------------------------------------------------------------------------- */

/* Elements from, from + 1, ..., to - 1. */
struct range {
    size_t from, to;
};

static inline struct range whole_of(const struct shcoll_call *c)
{
    return (struct range){0, c->n};
}

/* Part i of a range that is cut into equal parts. Parts end on whole cache lines, counted from the start of the vector,
 * so that no two members write to one line; the last parts may be empty. */
static inline struct range part_of(struct range r, int parts, int i, size_t size)
{
    const size_t line = size < LINE ? LINE / size : 1, n = r.to - r.from, count = (size_t)parts;
    const size_t part = (n / count + (n % count != 0) + line - 1) / line * line;
    const size_t begin = part * (size_t)i < n ? part * (size_t)i : n, end = part < n - begin ? begin + part : n;
    return (struct range){r.from + begin, r.from + end};
}

/* Elements of one block; at least one, as calls.c refuses larger elements. */
static inline size_t block_of(const struct shcoll_call *c)
{
    return BLOCK_BYTES / c->size;
}

/* --- steps of several algorithms (reduce_steps.c) ----------------------------------------------------------------- */

/* Returns a member's bytes at sym, for reading: in place with FORM_PTR if they can be loaded, else a copy in buffer. */
const void *shcoll_look(const struct shcoll_group *g, enum shcoll_form form, const void *sym, size_t bytes,
                        int position, void *buffer);

/* Combines this member's vector and another member's in a range, in the order of positions, into dest. */
struct merge {
    int with;                  /* the other's position */
    const void *mine, *theirs; /* each member's vector: in c->source or c->dest */
    struct range range;
    bool both; /* the result is also stored to the other member's dest, block by block */
};
void shcoll_merge(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, struct merge m);

/* Two members each merge one of two ranges, m.range and theirs. */
void shcoll_swap(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int round,
                 struct merge m, struct range theirs);

/* Two members merge a range for both. With FORM_PTR the lower member merges it all ("left computes": Namashivayam et
 * al. 2014, 5.1.2). Otherwise each merges half of the range: as many bytes travel as if each read the other's whole
 * range, and neither overwrites data that the other still has to read. */
void shcoll_exchange(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, int round,
                     struct merge m);

/* Puts a range of this member's dest to another member, then the flag. */
void shcoll_give(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form, struct range r,
                 int flag, int position);

/* In a binomial tree of positions a member's subtree is me, me + 1, ..., me + reach - 1, as far as these exist; its
 * children are me + 1, me + 2, me + 4, ..., me + reach / 2, and its parent is me - reach. */
static inline int binomial_reach(const struct shcoll_group *g)
{
    int reach = 1;
    while (reach < g->size && !(g->me & reach))
        reach *= 2;
    return reach;
}

/* Combines the vectors of all members in the dest of position 0: up a binomial tree. */
void shcoll_gather(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form);

/* Copies the dest of position 0 to all other members, which must not be using theirs: down a binomial tree. */
void shcoll_spread(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form);

/* Reduces a range of all sources, in the order of positions, into all dests (or the root's); dest may be source. */
void shcoll_reduce_range(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                         struct range r);

static inline void copy_source(const struct shcoll_call *c)
{
    if (c->dest != c->source && c->n)
        memcpy(c->dest, c->source, call_bytes(c));
}

/* --- a power of two of members ------------------------------------------------------------------------------------ */

/* If the group has p members, p' of them participate: the largest power of two up to p. The member at position i has
 * the rank floor(i * p' / p) (SHCOLL, 5.5): ranks keep the order of positions, at most two neighbours share a rank, and
 * the shared ranks are spread evenly. The lower of two members with the same rank participates for both. */
struct ranks {
    int size, count; /* p, p' */
    int me;
};

static inline struct ranks ranks_of(const struct shcoll_group *g)
{
    int count = 1;
    while (count <= g->size / 2)
        count *= 2;
    const int me = count == g->size ? g->me : (int)((int64_t)g->me * count / g->size);
    return (struct ranks){g->size, count, me};
}

/* The lowest position of a rank; for rank p', it is p. */
static inline int position_of(const struct ranks *r, int rank)
{
    return r->count == r->size ? rank : (int)(((int64_t)rank * r->size + r->count - 1) / r->count);
}

static inline bool is_shared(const struct ranks *r, int rank)
{
    return position_of(r, rank + 1) - position_of(r, rank) == 2;
}

/* The address of a rank's first vector: if two members share the rank, the lower has merged both in its dest. */
static inline const void *first_vector(const struct shcoll_call *c, const struct ranks *r, int rank)
{
    return is_shared(r, rank) ? c->dest : c->source;
}

/* Reduces by an algorithm for p' members: first the members that share a rank merge their vectors; at the end the lower
 * one returns the result to the other. */
typedef void ranks_function(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                            const struct ranks *r);
void shcoll_reduce_on_ranks(const struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form,
                            ranks_function *reduce);

/* --- costs -------------------------------------------------------------------------------------------------------- */

/* When the flag of these bytes has arrived, a member reads them over that distance, at the same time as other readers
 * of its node. On a node it loads them, or gets them into its cache first; over the network it requests them. */
static inline double cost_read(const struct shcoll_cost *m, double distance, double bytes, double readers)
{
    if (!cost_is_near(m, distance))
        return cost_get_far(m, bytes, readers);
    return m->form == FORM_PTR ? m->turn + bytes * m->node.beta : cost_get_near(m, bytes) + bytes * m->gamma;
}

/* The cost of merging vectors of members that share a rank, and of returning the result; 0 if the number of members is
 * a power of two. */
double shcoll_sharing_cost(const struct shcoll_cost *m);

#endif
