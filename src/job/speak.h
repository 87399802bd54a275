/* One PE prints an error that several PEs find. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether this PE prints the error; if so, it calls speak_end. text has no PE prefix; place: where in the program, or
 * 0. Neither function takes a lock or allocates memory. */
bool speak_begin(const char *text, uint64_t place);
void speak_end(const char *text, size_t bytes);
