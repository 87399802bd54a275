/* Whether a group meets the requirements of an algorithm. */
#include "needs.h"
#include "../algorithms/cost.h"

static bool is_power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

/* The requirements that a shape does not meet. */
static unsigned unmet_by(const struct shcoll_shape *shape)
{
    const bool one_memory = shape->nodes == 1 || shcoll_parameters.net_atomic > 0; /* the model's nodes are L3 groups */
    return (is_power_of_two(shape->size) ? 0u : NEEDS_POWER_OF_TWO) | (shape->size % 2 == 0 ? 0u : NEEDS_EVEN) |
           (one_memory ? 0u : NEEDS_PTR) | (shape->is_pSync ? NEEDS_LASTING : 0u) |
           (shape->ordered ? NEEDS_EXCHANGEABLE : 0u);
}

unsigned shcoll_lacks(const struct shcoll_algorithm *row, const struct shcoll_shape *shape)
{
    return row->needs & unmet_by(shape);
}

bool shcoll_suits(struct shcoll_choice choice, const struct shcoll_shape *shape, size_t bytes)
{
    const struct shcoll_algorithm *row = choice.algorithm;
    return !shcoll_lacks(row, shape) && (!row->most_bytes || bytes <= row->most_bytes);
}

const char *shcoll_need_text(unsigned needs)
{
    return needs & NEEDS_POWER_OF_TWO ? "a number of members that is a power of two"
         : needs & NEEDS_EVEN         ? "an even number of members"
         : needs & NEEDS_PTR          ? "all members on one node"
         : needs & NEEDS_LASTING      ? "a team, not an active set"
         : needs                      ? "a commutative operation"
                                      : NULL;
}
