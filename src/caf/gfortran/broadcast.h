/* CO_BROADCAST of an object with allocatable components: gfortran broadcasts them one by one, with wrong
 * descriptors. */
#pragma once

#include "abi.h"

struct broadcast {
    char *objects, *copy; /* objects of a derived type, and a copy of their old bytes; or NULL */
    size_t bytes;
    bool is_without_span; /* the elements are contiguous */
};

/* Returns the descriptor to broadcast instead of d. */
struct gfortran_descriptor *gfortran_broadcast_begin(struct broadcast *b, struct gfortran_descriptor *d);
void gfortran_broadcast_end(struct broadcast *b);
