/* Whether a group meets the requirements of an algorithm. */
#pragma once

#include "../algorithms/algorithm.h"

/* The input of a choice besides the collective and the number of bytes; the same on all members of a group. */
struct shcoll_shape {
    int size;      /* members */
    int nodes;     /* nodes of these members */
    bool is_pSync;
    bool crowded;
    bool ordered;  /* the operation needs its operands in order; set for a call, not for a plan */
};

/* Whether a group of that shape can use the algorithm for bytes. */
bool shcoll_suits(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes);

/* The requirements that the group does not meet, enum shcoll_need or-ed; and the first of these in words. */
unsigned shcoll_lacks(const struct shcoll_algorithm *row, const struct shcoll_shape *shape);
const char *shcoll_need_text(unsigned needs);
