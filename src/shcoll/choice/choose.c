/* Chooses an algorithm by a call's collective and size, and keeps earlier choices in plans. */
#include "choose.h"
#include "predict.h"
#include "settings.h"

#include <fenv.h>
#include <stdlib.h>

/* --- plans -------------------------------------------------------------------------------------------------------- */

enum { PLAN_LISTS = 256 };
static _Atomic(struct shcoll_plan *) plans[PLAN_LISTS];

void shcoll_plans_forget(void)
{
    for (int i = 0; i < PLAN_LISTS; i++)
        while (plans[i]) {
            struct shcoll_plan *next = plans[i]->next;
            free(plans[i]);
            plans[i] = next;
        }
}

static bool same_shape(const struct shcoll_shape *a, const struct shcoll_shape *b)
{
    return a->size == b->size && a->nodes == b->nodes && a->is_pSync == b->is_pSync;
}

/* Threads may call this at the same time for different groups: a plan is complete before it enters its list. */
struct shcoll_plan *shcoll_plan_new(struct shcoll_group *g)
{
    const struct shcoll_shape shape = {.size = g->size,
                                       .nodes = shcoll_node_of(g, g->size - 1) + 1,
                                       .is_pSync = g->is_pSync,
                                       .crowded = shcoll_placement.crowded};
    _Atomic(struct shcoll_plan *) *list = &plans[((unsigned)g->size * 2 + g->is_pSync) % PLAN_LISTS];
    for (struct shcoll_plan *plan = *list; plan; plan = plan->next)
        if (same_shape(&plan->shape, &shape))
            return g->plan = plan;
    struct shcoll_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        shcoll_fatal("no memory for the choices of a group of %d members", g->size);
    plan->shape = shape;
    plan->next = *list;
    while (!atomic_compare_exchange_weak(list, &plan->next, plan))
        ;
    return g->plan = plan;
}

/* --- the choice --------------------------------------------------------------------------------------------------- */

static struct shcoll_choice choose(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                                   struct shcoll_bounds *same, enum shcoll_reason *why)
{
    struct shcoll_choice choice;
    *why = REQUESTED; /* even if unsuitable: a request is fulfilled or refused */
    if (shcoll_requested(collective, shape, bytes, &choice, same))
        return choice;
    *why = TUNED;
    if (shcoll_tuned(collective, shape, bytes, &choice, same))
        return choice;
    *why = PREDICTED;
    return shcoll_cheapest(collective, shape, bytes);
}

/* The program may trap floating-point exceptions or set a rounding mode. The model hides its own exceptions from the
 * program, and all PEs round costs equally. */
struct shcoll_choice shcoll_choose(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                                   struct shcoll_bounds *same, enum shcoll_reason *why)
{
    fenv_t programs;
    fegetenv(&programs);
    fesetenv(FE_DFL_ENV);
    const struct shcoll_choice choice = choose(collective, shape, bytes, same, why);
    fesetenv(&programs);
    return choice;
}

/* --- notification of a tool --------------------------------------------------------------------------------------- */

static _Atomic shcoll_told whom_to_tell;

void shcoll_tell(shcoll_told whom)
{
    whom_to_tell = whom;
    for (int i = 0; i < PLAN_LISTS; i++)
        for (struct shcoll_plan *plan = plans[i]; plan; plan = plan->next)
            for (int c = 0; c < SHCOLL_COLLECTIVES; c++)
                for (int range = 0; range < RANGES; range++)
                    plan->cells[c][range] = 0; /* the next call fills it again, with or without CELL_ASK */
}

static struct shcoll_choice tell(struct shcoll_choice choice, enum shcoll_collective collective, size_t bytes)
{
    const shcoll_told whom = whom_to_tell;
    char name[SHCOLL_NAME_BYTES];
    if (whom)
        whom(shcoll_collective_names[collective], shcoll_name(choice, name), bytes);
    return choice;
}

/* --- what a plan has ---------------------------------------------------------------------------------------------- */

enum { LATEST_BITS = 24 }; /* bits for row and radix in plan->latest */

static struct shcoll_choice fill(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes)
{
    const unsigned range = shcoll_range_of(bytes);
    const size_t from = range ? ((size_t)1 << (range - 1)) + 1 : 0, to = (size_t)1 << range;
    struct shcoll_bounds same = {0, SIZE_MAX};
    enum shcoll_reason why;
    const struct shcoll_choice choice = shcoll_choose(collective, &plan->shape, bytes, &same, &why);
    const uint32_t row = (uint32_t)(choice.algorithm - shcoll_tables[collective]) + 1;
    for (const struct shcoll_algorithm *at = shcoll_tables[collective]; at->name; at++)
        if (at->most_bytes >= from && at->most_bytes < to)
            same.most = from; /* the possible algorithms differ within the range */
    const bool whole = same.least <= from && same.most >= to;
    const uint32_t ask = whom_to_tell ? CELL_ASK : 0;
    plan->cells[collective][range] = whole ? row | ask | (uint32_t)choice.k << 16 : CELL_SEVERAL;
    if (!whole && bytes >> (64 - LATEST_BITS) == 0)
        plan->latest[collective] = (uint64_t)bytes << LATEST_BITS | (uint64_t)choice.k << 8 | row;
    return choice;
}

/* Programs often repeat a size, so a range with several choices keeps the latest choice. */
static struct shcoll_choice look(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes)
{
    const uint32_t cell = plan->cells[collective][shcoll_range_of(bytes)], row = cell & 0xffff & ~CELL_ASK;
    const uint64_t latest = plan->latest[collective];
    if (row && (cell & CELL_SEVERAL) != CELL_SEVERAL)
        return (struct shcoll_choice){shcoll_tables[collective] + row - 1, (int)(cell >> 16)};
    if (latest >> LATEST_BITS == bytes && (latest & 0xff))
        return (struct shcoll_choice){shcoll_tables[collective] + (latest & 0xff) - 1, (int)(latest >> 8 & 0xffff)};
    return fill(plan, collective, bytes);
}

struct shcoll_choice shcoll_asked(struct shcoll_plan *plan, enum shcoll_collective collective, size_t bytes)
{
    return tell(look(plan, collective, bytes), collective, bytes);
}

struct shcoll_choice shcoll_chosen_ordered(const struct shcoll_shape *shape, enum shcoll_collective collective,
                                           size_t bytes)
{
    struct shcoll_bounds same = {0, SIZE_MAX};
    enum shcoll_reason why;
    return tell(shcoll_choose(collective, shape, bytes, &same, &why), collective, bytes);
}

struct shcoll_choice shcoll_chosen(struct shcoll_group *g, enum shcoll_collective collective, size_t bytes)
{
    return shcoll_planned(g, collective, bytes);
}
