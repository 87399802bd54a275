/* The reductions and scans, which are in several files; reduce.c and scan.c have the tables. */
#ifndef SHCOLL_REDUCE_H
#define SHCOLL_REDUCE_H

#include "cost.h"
#include "group.h"

enum { SLOT_BYTES = 496 }; /* of data: with its flag a slot is 512 bytes */

/* slots.c, parts.c */
shcoll_function shcoll_reduce_in_slots, shcoll_scan_in_slots, shcoll_reduce_in_parts, shcoll_scan_in_parts;
shcoll_cost_function shcoll_in_slots_cost, shcoll_in_parts_cost;

/* two_level.c */
shcoll_function shcoll_reduce_two_level;
shcoll_cost_function shcoll_reduce_two_level_cost;

#endif
