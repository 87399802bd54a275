/* Where each member's piece goes in the dest of fcollect and collect, and the algorithms that are in several files. */
#ifndef SHCOLL_PIECES_H
#define SHCOLL_PIECES_H

#include "cost.h"
#include "../group/flags.h"

/* collect_lengths.c */

struct shcoll_extent {
    size_t offset, bytes;
};

/* collect: each says how much it brings, all learn where their own piece goes and how long the whole is (c->offset,
 * c->total). Until shcoll_lengths_end a member's extent can be asked for by whoever has got something from it, and
 * after a meet by all. */
void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c);
void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c);

/* Where lengths are told in lines, up to so many bytes travel beside them.  If all pieces are that small, and came in
 * lines, they are copied to dest; false otherwise, on all members alike. */
enum {
    SHCOLL_DIRECT = 16, /* members of a group in which everybody tells everybody */
    SHCOLL_BESIDE_LENGTH = 48,
};
bool shcoll_beside_lengths(const struct shcoll_group *g, const struct shcoll_call *c);

/* The extent of a member's piece: arithmetic in fcollect; in collect, in a large group, a look at that member's work
 * area. */
struct shcoll_extent shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position);

static inline size_t shcoll_whole(const struct shcoll_group *g, const struct shcoll_call *c)
{
    return c->lengths ? c->total : (size_t)g->size * c->n;
}

/* What it costs to tell the lengths, and then to look at another member's. */
double shcoll_lengths_cost(const struct shcoll_cost *m);
double shcoll_look_cost(const struct shcoll_cost *m, bool near);

/* This member's own piece into its own dest. */
static inline void shcoll_copy_piece(const struct shcoll_group *g, const struct shcoll_call *c)
{
    if (c->n)
        memcpy((char *)c->dest + shcoll_piece(g, c, g->me).offset, c->source, c->n);
}

/* collect_rounds.c: the algorithms that pass on the pieces of others. */

shcoll_function shcoll_collect_doubling, shcoll_collect_ring, shcoll_collect_bruck, shcoll_collect_bruck_rotate,
    shcoll_collect_neighbor;
shcoll_cost_function shcoll_collect_doubling_cost, shcoll_collect_ring_cost, shcoll_collect_bruck_cost,
    shcoll_collect_bruck_rotate_cost, shcoll_collect_neighbor_cost;

/* The leaders, in whose dest the pieces of their node are, pass them on to each other. */
void shcoll_collect_nodes(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form);

#endif
