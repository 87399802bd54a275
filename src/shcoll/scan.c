/* Inclusive and exclusive scans. */
#include "reduce.h"

const struct shcoll_algorithm shcoll_scan_rows[] = {
    {.name = "parts", .form = FORM_PTR, .run = shcoll_scan_in_parts, .cost = shcoll_in_parts_cost},
    {.name = NULL},
};
