#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* The C library's CLOCK_MONOTONIC, in ns; it may be emulated time. */
static inline uint64_t clock_told(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* clock.c: the same in real time; if clock_by_kernel is set, because time is emulated, by a system call. */
extern bool clock_by_kernel;
uint64_t clock_now(void);
void clock_nap(uint64_t nanoseconds);
