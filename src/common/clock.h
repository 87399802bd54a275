/* Real time, for all that is no part of the program's own. */
#ifndef COPAL_COMMON_CLOCK_H
#define COPAL_COMMON_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* The C library's clock_gettime may be one that tells emulated time: the kernel's own call is used. */
extern bool clock_by_kernel;

uint64_t clock_now(void); /* CLOCK_MONOTONIC, in ns */
void clock_nap(uint64_t nanoseconds);

#endif
