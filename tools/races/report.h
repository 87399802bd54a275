/* Reports a race as a paragraph on standard error, once for each pair of places in the program. */
#pragma once

#include "races/pending.h"
#include "races/shadow.h"

extern bool report_images; /* the program has coarrays and calls PE 0 image 1 */

/* Reports two accesses of the unit at this offset of the window. */
void report_race(size_t offset, cell mine, cell other);

/* Reports an access of a local buffer, and the pending operation that uses the buffer. */
void report_buffer(const void *from, size_t bytes, bool writes, uint32_t site, const struct pending *p);

/* lines.c: "ring.c:12 in main" for each address, by a child that runs copal-backtrace; empty if unknown. If
 * `variable` is not -1, addresses[variable] is the address of a variable, and its line names the variable. */
enum { LINE_BYTES = 256 };
void lines_find(const uintptr_t *addresses, int n, int variable, char lines[][LINE_BYTES]);

/* suppress.c: the user's file of known races has a pattern on each line; "#" begins a comment. A race with a matching
 * place is not reported. A pattern is a function, a file, or a file and a line: main, halo.c, halo.c:12, with * and ?.
 * suppress_has: whether a pattern matches a line of lines_find. */
bool suppress_has(const char *line);
