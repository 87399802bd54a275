/* Which algorithm a call takes: choose.c asks settings.c for a request, then for a line of the tuning table, then predict.c.
 *
 * An algorithm is a row of its collective's table: name, form, function, what it needs, cost. A group shape (members,
 * nodes, kind of work area) has a plan: for each collective and each power of two of bytes the row that was chosen when
 * it was first needed. So a call costs one look at a table. All that a choice depends on is the same on all PEs: PE 0
 * reads environment and tuning table and publishes them at start. */
#ifndef SHCOLL_CHOOSE_H
#define SHCOLL_CHOOSE_H

#include "../group/group.h"

/* What a choice depends on besides the collective and the number of bytes: the same on all members of a group. */
struct shcoll_shape {
    int size;      /* members */
    int nodes;     /* that they are on */
    bool is_pSync;
    bool crowded;
    bool ordered;  /* the operation does not allow its operands to be exchanged; of a call, never of a plan */
};

/* What has been chosen for a shape so far: a cell for each collective and each range of bytes, 2^(i-1) < bytes <= 2^i.
 * Cells are filled when first needed, by any thread, all alike. */
enum { RANGES = 50 };
struct shcoll_plan {
    struct shcoll_shape shape;
    struct shcoll_plan *next;
    _Atomic(uint32_t) cells[SHCOLL_COLLECTIVES][RANGES];
    _Atomic(uint64_t) latest[SHCOLL_COLLECTIVES]; /* bytes, radix and row of a choice in a range that has several */
};

/* The plan of the group's shape. */
struct shcoll_plan *shcoll_plan_of(struct shcoll_group *g);

/* Forgets all plans, when no group is in use: the settings change. */
void shcoll_plans_forget(void);

static inline struct shcoll_shape shape_of(struct shcoll_group *g)
{
    return shcoll_plan_of(g)->shape;
}

/* What the user asks for in the environment, and what the tuning table says that suits the shape; false if nothing.  *same
 * is narrowed to the range of bytes for which the answer is the same. */
struct shcoll_bounds {
    size_t least, most;
};
bool shcoll_requested(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                      struct shcoll_choice *choice, struct shcoll_bounds *same);
bool shcoll_tuned(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                  struct shcoll_choice *choice, struct shcoll_bounds *same);

/* Whether a group of that shape can use the algorithm for bytes. */
bool shcoll_suits(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes);

/* The cheapest suitable algorithm by the cost model; the same for all bytes from a power of two to the next. */
struct shcoll_choice shcoll_cheapest(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes);

/* The first of the three that has an answer. */
enum shcoll_reason { REQUESTED, TUNED, PREDICTED };
struct shcoll_choice shcoll_choose(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                                   struct shcoll_bounds *same, enum shcoll_reason *why);

#endif
