/* What is wrong is said once, however many PEs find it. */
#ifndef COPAL_SPEAK_H
#define COPAL_SPEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this PE is to say it: text without the PE's prefix, and where the program was, 0 if that is not known. If so,
 * speak_end follows. They take no lock and no memory. */
bool speak_begin(const char *text, uint64_t place);
void speak_end(const char *text, size_t bytes);

#endif
