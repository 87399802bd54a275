/* memcpy, memmove and memset of the program: compilers call the C library for them, which has no instrumentation. Calls
 * by libraries, and by modules compiled without --races, are forwarded without a record. */
#pragma once

#include "races/shadow.h"

/* The module of this address was compiled with --races: each of its files reports this at start. */
void copies_look_at(const void *address);
bool copies_are_looked_at(const void *address);
void copies_tell(void); /* records in the shared state that there is such a module */

/* Whether a module compiled with --races made the call that returns there. */
bool copies_is_the_programs(const void *caller);

/* Records an access if such a module made the call. */
void copies_note(const void *at, size_t bytes, enum access kind, const void *caller);
