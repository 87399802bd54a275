/* Addresses of this process as text, by copal-backtrace, which a child becomes. */
#ifndef COPAL_RACES_LINES_H
#define COPAL_RACES_LINES_H

#include <stdint.h>

enum { LINE_BYTES = 256 };

/* "ring.c:12 in main" for each address, empty where nothing is known; of address number data, if it is not -1, the
 * variable. */
void lines_find(const uintptr_t *addresses, int n, int data, char lines[][LINE_BYTES]);

#endif
