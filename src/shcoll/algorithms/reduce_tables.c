/* The tables of reductions and of scans. */
#include "reduce.h"
#include "../group/ring.h"

#define BOTH_FORMS(NAME, FUNCTION, NEEDS) \
    {.name = NAME, .form = FORM_PTR, .run = FUNCTION, .cost = FUNCTION##_cost, .needs = NEEDS_PTR | NEEDS}, \
    {.name = NAME, .form = FORM_GET, .run = FUNCTION, .cost = FUNCTION##_cost, .needs = NEEDS}

const struct shcoll_algorithm shcoll_reduce_rows[] = {
    {.name = "parts", .form = FORM_PTR, .run = shcoll_reduce_in_parts, .cost = shcoll_in_parts_cost},
    {.name = "recursive_doubling", .form = FORM_SLOTS, .run = shcoll_reduce_in_slots,
     .cost = shcoll_reduce_in_slots_cost},
    BOTH_FORMS("flat", shcoll_reduce_flat, 0),
    BOTH_FORMS("binomial", shcoll_reduce_binomial, 0),
    {.name = "combining_tree", .form = FORM_PTR, .run = shcoll_reduce_combining_tree,
     .cost = shcoll_reduce_combining_tree_cost, .needs = NEEDS_PTR},
    BOTH_FORMS("recursive_doubling", shcoll_reduce_doubling, 0),
    BOTH_FORMS("bruck", shcoll_reduce_bruck, NEEDS_EXCHANGEABLE),
    BOTH_FORMS("rabenseifner", shcoll_reduce_rabenseifner, 0),
    BOTH_FORMS("ring", shcoll_reduce_ring, NEEDS_EXCHANGEABLE),
    {.name = "two_level", .form = FORM_SLOTS, .run = shcoll_reduce_two_level_in_slots,
     .cost = shcoll_reduce_two_level_in_slots_cost, .needs = NEEDS_LASTING},
    {.name = "two_level", .form = FORM_GET, .run = shcoll_reduce_two_level, .cost = shcoll_reduce_two_level_cost},
    {.name = "lanes", .form = FORM_SIGNAL, .run = shcoll_reduce_in_lanes, .cost = shcoll_reduce_in_lanes_cost},
    {.name = NULL},
};

const struct shcoll_algorithm shcoll_scan_rows[] = {
    {.name = "parts", .form = FORM_PTR, .run = shcoll_scan_in_parts, .cost = shcoll_in_parts_cost},
    {.name = "linear", .form = FORM_PUT, .run = shcoll_scan_linear, .cost = shcoll_scan_linear_cost},
    {.name = "linear", .form = FORM_SIGNAL, .run = shcoll_scan_linear, .cost = shcoll_scan_linear_cost},
    {.name = "linear", .form = FORM_SLOTS, .run = shcoll_scan_linear_in_slots,
     .cost = shcoll_scan_linear_in_slots_cost, .needs = NEEDS_LASTING, .most_bytes = BESIDE_FLAG},
    {.name = "recursive_doubling", .form = FORM_PUT, .run = shcoll_scan_doubling, .cost = shcoll_scan_doubling_cost},
    {.name = "recursive_doubling", .form = FORM_SIGNAL, .run = shcoll_scan_doubling, .cost = shcoll_scan_doubling_cost},
    {.name = "recursive_doubling", .form = FORM_SLOTS, .run = shcoll_scan_in_slots, .cost = shcoll_scan_in_slots_cost},
    {.name = "two_level", .form = FORM_SLOTS, .run = shcoll_scan_two_level_in_slots,
     .cost = shcoll_scan_two_level_in_slots_cost, .needs = NEEDS_LASTING},
    {.name = "two_level", .form = FORM_SIGNAL, .run = shcoll_scan_two_level, .cost = shcoll_scan_two_level_cost},
    {.name = NULL},
};
