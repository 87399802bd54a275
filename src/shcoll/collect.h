/* Where each member's piece goes in the dest of fcollect and collect. */
#ifndef SHCOLL_COLLECT_H
#define SHCOLL_COLLECT_H

#include "flags.h"

struct shcoll_place {
    size_t offset, bytes;
};

/* collect: each says how much it brings, all learn where their own piece goes and how long the whole is (c->offset, c->total).
 * Until shcoll_lengths_end any member's place can be asked for. */
void shcoll_lengths(struct shcoll_group *g, struct shcoll_call *c);
void shcoll_lengths_end(struct shcoll_group *g, const struct shcoll_call *c);

/* The place of a member's piece: arithmetic in fcollect, a look at that member's work area in collect. */
struct shcoll_place shcoll_piece(const struct shcoll_group *g, const struct shcoll_call *c, int position);

#endif
