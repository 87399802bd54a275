/* CO_BROADCAST of an object whose type has allocatable components: gfortran broadcasts one component after the other,
 * and describes them wrongly. */
#ifndef COPAL_GFORTRAN_BROADCAST_H
#define COPAL_GFORTRAN_BROADCAST_H

#include "abi.h"

struct broadcast {
    char *objects, *copy; /* of a derived type, and what has been there; or NULL */
    size_t bytes;
    bool is_without_span; /* its elements follow one another */
};

/* Returns what is to be broadcast for d. */
struct gfortran_descriptor *gfortran_broadcast_begin(struct broadcast *b, struct gfortran_descriptor *d);
void gfortran_broadcast_end(struct broadcast *b);

#endif
