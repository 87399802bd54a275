/* Where in the program a call came from: of Fortran's it comes by way of libshmem_fortran, or of a library of
 * coarrays. */
#ifndef COPAL_RACES_CALLER_H
#define COPAL_RACES_CALLER_H

#include <stdbool.h>

const void *caller_in_program(const void *caller);

/* It was a library of coarrays: by itself, without the statement that it does. */
bool caller_is_coarrays(const void *caller);

#endif
