#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The C library's CLOCK_MONOTONIC, in ns; on an emulated network, it may return emulated time. */
static inline uint64_t clock_told(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* The same in real time. If time is emulated, clock_by_kernel is set, and a system call reads the clock. */
extern bool clock_by_kernel;
uint64_t clock_now(void);
void clock_nap(uint64_t nanoseconds);
