/* The place of a call in the program. Fortran's calls arrive through libshmem_fortran or a coarray library. */
#pragma once

#include <stdbool.h>

const void *caller_in_program(const void *caller);

/* Whether a coarray library made the call outside of a reported statement. */
bool caller_is_coarrays(const void *caller);
