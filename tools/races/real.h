/* The functions of other libraries that are wrapped here. */
#pragma once

/* Returns NULL if no library has the function, or if the lookup of the function itself calls it. */
void *real_find(const char *name);

#define REAL(N) static union { void *found; __typeof__(N) *call; } real; \
    real.found = real.found ? real.found : real_find(#N)
#define HERE __builtin_return_address(0)

/* Headers declare few of these names. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
