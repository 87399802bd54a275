/* Reports a race as a paragraph on standard error, once for each pair of places in the program. */
#pragma once

#include "races/pending.h"
#include "races/shadow.h"

extern bool report_images; /* the program has coarrays and calls PE 0 image 1 */

/* Two accesses of the unit at this offset of the window. */
void report_race(size_t unit, cell mine, cell other);

/* An access of a local buffer, and the operation that uses the buffer. */
void report_buffer(const void *from, size_t bytes, bool writes, uint32_t site, const struct pending *p);
