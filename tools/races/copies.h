/* memcpy, memmove and memset of the program: the compilers leave them to the C library, which has no instrumentation.
 * Calls of libraries, and of modules compiled without --races, are only passed on. */
#ifndef COPAL_RACES_COPIES_H
#define COPAL_RACES_COPIES_H

#include "races/shadow.h"

/* The module of this address was compiled with --races: each of its files reports this at start. */
void copies_look_at(const void *address);
bool copies_are_looked_at(const void *address);
void copies_tell(void); /* records in the shared state that there is such a module */

/* Whether the call that returns there is one of such a module itself. */
bool copies_is_the_programs(const void *caller);

/* Records an access of such a call only. */
void copies_note(const void *at, size_t bytes, enum access kind, const void *caller);

#endif
