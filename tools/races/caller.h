/* The place in the program that a call came from; Fortran's calls pass through libshmem_fortran or a library of
 * coarrays. */
#ifndef COPAL_RACES_CALLER_H
#define COPAL_RACES_CALLER_H

#include <stdbool.h>

const void *caller_in_program(const void *caller);

/* A library of coarrays made the call, without a reported statement. */
bool caller_is_coarrays(const void *caller);

#endif
