/* memcpy, memmove and memset of the program: the compilers leave them to the C library, which has no instrumentation.
 * Those of libraries, and of modules that were not compiled with --races, are passed on. */
#ifndef COPAL_RACES_COPIES_H
#define COPAL_RACES_COPIES_H

#include "races/shadow.h"

/* The module of this address was compiled so: each of its files says it at start. */
void copies_look_at(const void *address);
bool copies_are_looked_at(const void *address);
void copies_tell(void); /* the board that there is such a module */

/* The call that returns there is one of such a module, not of what it has called. */
bool copies_is_the_programs(const void *caller);

/* Notes an access of such a call, of no other one. */
void copies_note(const void *at, size_t bytes, enum access kind, const void *caller);

#endif
