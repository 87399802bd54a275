#include "common/clock.h"

#include <sys/syscall.h>
#include <unistd.h>

bool clock_by_kernel;

uint64_t clock_now(void)
{
    struct timespec t;
    if (!clock_by_kernel)
        return clock_told();
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void clock_nap(uint64_t nanoseconds)
{
    const struct timespec t = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
    syscall(SYS_nanosleep, &t, NULL);
}
