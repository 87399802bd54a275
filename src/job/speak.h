/* One PE prints an error that several PEs find. */
#ifndef COPAL_SPEAK_H
#define COPAL_SPEAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this PE prints the error: text without the PE's prefix, and the place in the program, 0 if unknown. If so,
 * speak_end follows. The functions take no lock and no memory. */
bool speak_begin(const char *text, uint64_t place);
void speak_end(const char *text, size_t bytes);

#endif
