#pragma once

#include "../algorithms/algorithm.h"

/* The rows of each collective; the last row has no name. */
extern const struct shcoll_algorithm *const shcoll_tables[SHCOLL_COLLECTIVES];

/* The collective of a row; for a row that both scans share, the first of the two. */
enum shcoll_collective shcoll_collective_of(const struct shcoll_algorithm *row);
