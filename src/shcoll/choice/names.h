/* The algorithms of all collectives, and their names. */
#ifndef SHCOLL_NAMES_H
#define SHCOLL_NAMES_H

#include "../algorithms/algorithm.h"

/* Of each collective: its rows, the last of which has no name. */
extern const struct shcoll_algorithm *const shcoll_tables[SHCOLL_COLLECTIVES];

/* Whose row it is; of those that scans share, the first's. */
enum shcoll_collective shcoll_collective_of(const struct shcoll_algorithm *row);

#endif
