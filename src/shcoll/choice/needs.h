/* What an algorithm needs, compared with what a group has. */
#ifndef SHCOLL_NEEDS_H
#define SHCOLL_NEEDS_H

#include "../algorithms/algorithm.h"

/* All that a choice depends on besides the collective and the number of bytes; the same on all members of a group. */
struct shcoll_shape {
    int size;      /* members */
    int nodes;     /* that they are on */
    bool is_pSync;
    bool crowded;
    bool ordered;  /* the operation needs the order of its operands; of a call, never of a plan */
};

/* Whether a group of that shape can use the algorithm for bytes. */
bool shcoll_suits(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes);

/* The needs that the group does not meet, enum shcoll_need or-ed; and the first of these in words. */
unsigned shcoll_lacks(const struct shcoll_algorithm *row, const struct shcoll_shape *shape);
const char *shcoll_need_text(unsigned needs);

#endif
