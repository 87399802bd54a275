#include "time/computing.h"

#include "job/self.h"
#include "time/virtual.h"

#include <time.h>

enum { READINGS = 100, LEAST_STEP = 10000, MOST_STEP = 100000 }; /* ns */
enum { STEPS = 64, COLD_STEPS = 4, LONG_STEPS = 8 };

static double counts;                /* emulated seconds for a second of processor time */
static uint64_t reading;             /* ns that it takes to read the clock */
static _Atomic uint64_t step;        /* ns: the mean of the library's last steps */
static _Thread_local uint64_t since; /* processor time (ns) when counting began; 0: not counting */
static _Thread_local bool in_collective;

static uint64_t processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void computing_begin(double factor)
{
    counts = factor;
    reading = UINT64_MAX;
    for (int i = 0; i < READINGS && counts > 0; i++) {
        const uint64_t before = processor_time(), passed = processor_time() - before;
        reading = passed < reading ? passed : reading;
    }
}

void virtual_resume(void)
{
    if (LIKELY(counts <= 0))
        return;
    in_collective = outer_routine != NULL;
    since = processor_time();
}

static uint64_t counted(uint64_t passed)
{
    const uint64_t mean = atomic_load_explicit(&step, memory_order_relaxed);
    const uint64_t long_step = LONG_STEPS * mean > LEAST_STEP ? LONG_STEPS * mean : LEAST_STEP;
    const uint64_t ours = reading + (in_collective ? 0 : COLD_STEPS * mean);
    if (in_collective)
        atomic_store_explicit(&step, (mean * (STEPS - 1) + (passed < MOST_STEP ? passed : MOST_STEP)) / STEPS,
                              memory_order_relaxed);
    if (passed <= ours || (in_collective && passed <= long_step))
        return 0;
    return (uint64_t)((double)(passed - ours) * 1e3 * counts);
}

uint64_t computing_take(void)
{
    if (counts <= 0 || !since)
        return 0;
    const uint64_t passed = processor_time() - since;
    since = 0;
    return counted(passed);
}

uint64_t computing_take_until(uint64_t ns)
{
    if (counts <= 0 || !since || ns <= since)
        return 0;
    const uint64_t passed = ns - since;
    since = ns;
    return counted(passed);
}
