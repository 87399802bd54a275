/* The cost model's predictions, and its cheapest algorithm. */
#pragma once

#include "needs.h"

/* The predicted time of an algorithm, in seconds; DBL_MAX if it has no cost function. */
double shcoll_predicted(enum shcoll_collective collective, struct shcoll_choice choice,
                        const struct shcoll_shape *shape, size_t bytes);

/* The cheapest suitable algorithm by the cost model; the same for all bytes from a power of two to the next. */
struct shcoll_choice shcoll_cheapest(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes);
