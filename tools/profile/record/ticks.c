/* The processor's counter, if its frequency is constant. Reading it takes a third of the time of the kernel's clock,
 * which calibrates it at begin and end. If time is emulated (docs/fabric.md), ticks are emulated time. */
#include "profile/record/record.h"

#include <shmemx.h>

#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

extern int shmemx_time_is_emulated(void) __attribute__((weak));
extern double shmemx_clock(void) __attribute__((weak));

static enum { COUNTER, KERNEL, EMULATED } source = KERNEL;
static uint64_t begin_tick, end_tick;
static int64_t begin_time;
static double per_tick = 1;
uint64_t ticks_own;

static int64_t kernel_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline uint64_t counter(void)
{
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    uint64_t tick;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(tick));
    return tick;
#else
    return (uint64_t)kernel_now();
#endif
}

static bool counter_is_steady(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1 << 8);
#else
    return true;
#endif
}

uint64_t ticks_now(void)
{
    if (__builtin_expect(source == COUNTER, 1))
        return counter();
    return source == EMULATED ? (uint64_t)(shmemx_clock() * 1e9) : (uint64_t)kernel_now();
}

static int64_t time_now(void)
{
    return source == EMULATED ? (int64_t)ticks_now() : kernel_now();
}

/* A tick and its time. The process may lose its processor between the two readings, so this reads several pairs, and
 * uses the pair that took the least time. */
static void both_now(uint64_t *tick, int64_t *time)
{
    enum { PAIRS = 20 };
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < PAIRS; i++) {
        const uint64_t before = ticks_now();
        const int64_t now = time_now();
        const uint64_t between = ticks_now() - before;
        if (between < least) {
            least = between;
            *tick = before + between / 2;
            *time = now;
        }
    }
}

void ticks_begin(void)
{
    if (shmemx_time_is_emulated && shmemx_time_is_emulated())
        source = EMULATED;
    else if (counter_is_steady())
        source = COUNTER;
    ticks_own = UINT64_MAX;
    for (int i = 0; i < 100; i++) {
        const uint64_t tick = ticks_now(), ticks = ticks_now() - tick;
        ticks_own = ticks < ticks_own ? ticks : ticks_own;
    }
    both_now(&begin_tick, &begin_time);
}

void ticks_end(void)
{
    int64_t end_time = begin_time;
    both_now(&end_tick, &end_time);
    per_tick = end_tick > begin_tick ? (double)(end_time - begin_time) / (double)(end_tick - begin_tick) : 1;
}

int64_t ticks_as_time(uint64_t tick)
{
    return begin_time + (int64_t)((double)(int64_t)(tick - begin_tick) * per_tick);
}

uint64_t ticks_as_duration(uint64_t ticks)
{
    return (uint64_t)((double)ticks * per_tick);
}
