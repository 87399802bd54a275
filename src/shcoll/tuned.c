/* The default tuning table and parameters of the cost model, written by copal-tune. */
#include "settings.h"

const struct shcoll_parameters shcoll_default_parameters = {
    .node = {.alpha = 160e-9, .gap = 50e-9, .beta = 25e-12},
    .net = {.alpha = 1.5e-6, .gap = 0.2e-6, .beta = 100e-12},
    .crowded_alpha = 0.3e-6,
    .gamma = 25e-12,
    .atomic = 5e-9,
};

#define MAX UINT64_MAX
const struct shcoll_rule shcoll_default_table[] = {
    {0, MAX, 2, 1, SHCOLL_SYNC, false, "dissemination"},
    {0, MAX, 2, 1, SHCOLL_SYNC, true, "dissemination"},
    {0, MAX, 4, 1, SHCOLL_SYNC, true, "counter"},
    {0, 8192, 2, 1, SHCOLL_BROADCAST, false, "kary:put"},
    {0, MAX, 2, 1, SHCOLL_BROADCAST, false, "linear"},
    {0, 131072, 4, 1, SHCOLL_BROADCAST, true, "kary:put"},
    {0, MAX, 4, 1, SHCOLL_BROADCAST, true, "linear"},
    {0, MAX, 2, 1, SHCOLL_FCOLLECT, false, "all_linear"},
    {0, MAX, 4, 1, SHCOLL_FCOLLECT, true, "all_linear"},
    {0, MAX, 2, 1, SHCOLL_COLLECT, false, "all_linear"},
    {0, MAX, 4, 1, SHCOLL_COLLECT, true, "all_linear"},
    {0, 8192, 2, 1, SHCOLL_ALLTOALL, false, "shift"},
    {0, MAX, 2, 1, SHCOLL_ALLTOALL, false, "pull"},
    {0, 131072, 4, 1, SHCOLL_ALLTOALL, true, "shift"},
    {0, MAX, 4, 1, SHCOLL_ALLTOALL, true, "pull"},
    {0, MAX, 2, 1, SHCOLL_ALLTOALLS, false, "shift"},
    {0, MAX, 4, 1, SHCOLL_ALLTOALLS, true, "shift"},
    {0, 496, 2, 1, SHCOLL_REDUCE, false, "recursive_doubling:slots"},
    {0, MAX, 2, 1, SHCOLL_REDUCE, false, "parts"},
    {0, 496, 4, 1, SHCOLL_REDUCE, true, "recursive_doubling:slots"},
    {0, MAX, 4, 1, SHCOLL_REDUCE, true, "parts"},
    {0, MAX, 2, 1, SHCOLL_INSCAN, false, "parts"},
    {0, MAX, 4, 1, SHCOLL_INSCAN, true, "parts"},
    {0, MAX, 2, 1, SHCOLL_EXSCAN, false, "parts"},
    {0, MAX, 4, 1, SHCOLL_EXSCAN, true, "parts"},
};
const int shcoll_default_lines = sizeof shcoll_default_table / sizeof *shcoll_default_table;
