/* Reductions: the table, and what its algorithms share. */
#include "reduce.h"

const struct shcoll_algorithm shcoll_reduce_rows[] = {
    {.name = "parts", .form = FORM_PTR, .run = shcoll_reduce_in_parts, .cost = shcoll_in_parts_cost},
    {.name = "recursive_doubling", .form = FORM_SLOTS, .run = shcoll_reduce_in_slots, .cost = shcoll_in_slots_cost,
     .needs = NEEDS_LASTING, .most_bytes = SLOT_BYTES},
    {.name = "two_level", .form = FORM_NONE, .run = shcoll_reduce_two_level, .cost = shcoll_reduce_two_level_cost},
    {.name = NULL},
};
