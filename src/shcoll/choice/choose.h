/* The algorithm of a call: choose.c checks for a request (settings.c), then for a line of the tuning table, then calls
 * predict.c.
 *
 * An algorithm is a row of its collective's table: name, form, function, needs, cost. A group shape (members, nodes,
 * kind of work area) has a plan: for each collective and each power of two of bytes, the row that was chosen at the
 * first use. A call therefore costs one table lookup. The input of a choice is the same on all PEs: PE 0 reads
 * environment and tuning table and publishes them at start.
 *
 * A tool may register for notification of choices (shcoll_tell). Then the cells make each call go through choose.c,
 * which notifies the tool; without a tool, a call executes no additional instruction. */
#pragma once

#include "names.h"
#include "needs.h"
#include "rules.h"

#include <stdatomic.h>

/* The earlier choices for a shape: a cell for each collective and each range of bytes, 2^(i-1) < bytes <= 2^i. The
 * first thread to use a cell fills it; all threads would store the same value. */
enum { RANGES = 50 };
struct shcoll_plan {
    struct shcoll_shape shape;
    struct shcoll_plan *next;
    _Atomic(uint32_t) cells[SHCOLL_COLLECTIVES][RANGES];
    _Atomic(uint64_t) latest[SHCOLL_COLLECTIVES]; /* the last choice in a range that has several: bytes, radix, row */
};

/* The plan of the group's shape; shcoll_plan_new finds or makes it. */
struct shcoll_plan *shcoll_plan_new(struct shcoll_group *g);
static inline struct shcoll_plan *shcoll_plan_of(struct shcoll_group *g)
{
    return SHCOLL_LIKELY(g->plan) ? g->plan : shcoll_plan_new(g);
}

/* Discards all plans, when no group is in use, because the settings change. */
void shcoll_plans_forget(void);

static inline struct shcoll_shape shape_of(struct shcoll_group *g)
{
    return shcoll_plan_of(g)->shape;
}

/* The first source that has a choice: a request, the tuning table, the cost model. */
enum shcoll_reason { REQUESTED, TUNED, PREDICTED };
struct shcoll_choice shcoll_choose(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                                   struct shcoll_bounds *same, enum shcoll_reason *why);

/* Range i of a plan has the sizes b with 2^(i-1) < b <= 2^i; range 0 has the sizes 0 and 1. */
static inline unsigned shcoll_range_of(size_t bytes)
{
    const unsigned range = bytes <= 1 ? 0 : 64 - (unsigned)__builtin_clzll((unsigned long long)bytes - 1);
    return range < RANGES ? range : RANGES - 1;
}

/* A cell is empty (0), or an algorithm's row number plus one and its radix. With CELL_ASK, the call goes through
 * choose.c, because a tool wants notification or the range has several choices. */
enum { CELL_ASK = 0x8000, CELL_SEVERAL = 0xffff };

struct shcoll_choice shcoll_asked(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes);

/* The choice for an operation with ordered operands, which no plan contains. */
struct shcoll_choice shcoll_chosen_ordered(const struct shcoll_shape *shape, enum shcoll_collective collective,
                                           size_t bytes);

/* shcoll_chosen as an inline function. */
static inline struct shcoll_choice shcoll_planned(struct shcoll_group *g, enum shcoll_collective collective,
                                                  size_t bytes)
{
    struct shcoll_plan *plan = shcoll_plan_of(g);
    const uint32_t cell = atomic_load_explicit(&plan->cells[collective][shcoll_range_of(bytes)], memory_order_relaxed);
    if (SHCOLL_LIKELY(cell && !(cell & CELL_ASK)))
        return (struct shcoll_choice){shcoll_tables[collective] + (cell & 0xffff) - 1, (int)(cell >> 16)};
    return shcoll_asked(plan, collective, bytes);
}
