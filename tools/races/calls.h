/* The parts of calls.c. */
#pragma once

#include "tap/tap.h"

#include <stdbool.h>
#include <stdint.h>

/* caller.c: the place of a call in the program. Fortran's calls arrive through libshmem_fortran or a coarray library.
 */
const void *caller_in_program(const void *caller);

/* Whether a coarray library made the call outside of a reported statement. */
bool caller_is_coarrays(const void *caller);

/* meeting.c: numbers a group's synchronizations: each PE enters the synchronizations of its groups in one order. */
uint32_t meeting_next(uint64_t group); /* the number of the synchronization that this PE enters; group is not 0 */
uint32_t meeting_last(uint64_t group); /* the number of the synchronization that it has entered last */

/* segments.c: statements of coarray programs, as reported by tools/tap. */
void segments_before(struct tap_call *c);
void segments_after(struct tap_call *c);
