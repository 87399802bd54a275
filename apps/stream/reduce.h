/* Methods that add up a block of numbers over all PEs, element by element, and give all PEs the sums. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* block and sums are symmetric, n elements.  All PEs call it; on a PE where it has returned, the sums are there and the
 * block may be changed. */
typedef void reduce_fn(double *sums, const double *block, size_t n);

/* Calls the reduction of the OpenSHMEM library. */
reduce_fn reduce_library;

/* As in the first OpenSHMEM libraries: every PE gets the blocks of all others, one by one, and adds them up. */
reduce_fn reduce_get;

/* The flat tree of the Phi paper: the first PE loads the others' blocks and stores the sums into their memory. */
reduce_fn reduce_flat_tree;

/* Allocates memory for blocks of up to n elements; false if there is not enough. */
bool reduce_create(size_t n);
void reduce_destroy(void);
