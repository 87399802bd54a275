/* The offset of each member's contribution in the dest of fcollect and collect, and declarations of algorithms. */
#ifndef SHCOLL_PIECES_H
#define SHCOLL_PIECES_H

#include "cost.h"
#include "../group/flags.h"

/* collect_lengths.c */

struct shcoll_extent {
    size_t offset, bytes;
};

/* collect: each member sends its length, and receives the offset of its contribution and the total length (c->offset,
 * c->total). A member's extent may be read until shcoll_lengths_end: by PEs that have received a message from that
 * member; after a call of meet, by all members. */
void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c);
void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c);

/* If each length is sent in a cache line, this line also has up to SHCOLL_BESIDE_LENGTH bytes of data. If all
 * contributions are that small and have arrived in this way, copies them to dest; otherwise returns false, equally on
 * all members. */
enum {
    SHCOLL_DIRECT = 16, /* largest group in which each member sends to all */
    SHCOLL_BESIDE_LENGTH = 48,
};
bool shcoll_beside_lengths(const struct shcoll_group *g, const struct shcoll_call *c);

/* The extent of a member's contribution: arithmetic in fcollect; for collect in a large group, a read of that member's
 * work area. */
struct shcoll_extent shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position);

static inline size_t shcoll_whole(const struct shcoll_group *g, const struct shcoll_call *c)
{
    return c->lengths ? c->total : (size_t)g->size * c->n;
}

/* The cost of sending the lengths, and of reading another member's length afterwards. */
double shcoll_lengths_cost(const struct shcoll_cost *m);
double shcoll_look_cost(const struct shcoll_cost *m, bool near);

/* Copies this member's own contribution into its dest. */
static inline void shcoll_copy_piece(const struct shcoll_group *g, const struct shcoll_call *c)
{
    if (c->n)
        memcpy((char *)c->dest + shcoll_piece(g, c, g->me).offset, c->source, c->n);
}

/* collect_rounds.c: the algorithms in which members forward others' contributions. */

shcoll_function shcoll_collect_doubling, shcoll_collect_ring, shcoll_collect_bruck, shcoll_collect_bruck_rotate,
    shcoll_collect_neighbor;
shcoll_cost_function shcoll_collect_doubling_cost, shcoll_collect_ring_cost, shcoll_collect_bruck_cost,
    shcoll_collect_bruck_rotate_cost, shcoll_collect_neighbor_cost;

/* The leaders send each other the contributions of their nodes, which are in their dest. */
void shcoll_collect_nodes(struct shcoll_group *g, const struct shcoll_call *c, enum shcoll_form form);

#endif
