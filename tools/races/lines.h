/* Addresses of this process as text, by a child that runs copal-backtrace. */
#pragma once

#include <stdint.h>

enum { LINE_BYTES = 256 };

/* "ring.c:12 in main" for each address, empty if unknown; for address number data, unless -1, the variable. */
void lines_find(const uintptr_t *addresses, int n, int data, char lines[][LINE_BYTES]);
