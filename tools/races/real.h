/* The functions of other libraries in whose place functions are defined here, which call them. */
#ifndef COPAL_RACES_REAL_H
#define COPAL_RACES_REAL_H

/* NULL: no library has it; or it is being looked for by this thread, and what finds it calls it. */
void *real_find(const char *name);

#define REAL(N) static union { void *found; __typeof__(N) *call; } real; \
    real.found = real.found ? real.found : real_find(#N)
#define HERE __builtin_return_address(0)

/* Headers declare few of these names. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
