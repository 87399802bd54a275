/* sources: src/caf/control/attempt.c */
/* The coarray library's own waits yield the processor, but not repeatedly while another process computes. The clock
 * stands still between yields: a yield takes the time that the other process computes. */
#include "../check.h"
#include "caf/control/attempt.h"

#include <shcoll.h>
#include <time.h>

enum { US = 1000, MS = 1000000 };

char *caf_heap;
int caf_my_pe;
size_t caf_in_order = SIZE_MAX; /* one node: a pause need not serve others */
_Thread_local int shcoll_awaited_pe;
void shmem_uint64_wait_until(uint64_t *word, int cmp, uint64_t value) { (void)word, (void)cmp, (void)value; }
unsigned long shmem_ulong_atomic_fetch(const unsigned long *word, int pe) { return (void)pe, *word; }

static uint64_t now_ns = MS, yield_ns;
static int yields, sleeps;

int clock_gettime(clockid_t clock, struct timespec *t)
{
    (void)clock;
    *t = (struct timespec){.tv_sec = (time_t)(now_ns / 1000000000u), .tv_nsec = (long)(now_ns % 1000000000u)};
    return 0;
}

int sched_yield(void)
{
    yields++;
    now_ns += yield_ns;
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    (void)left;
    sleeps++;
    now_ns += (uint64_t)time->tv_nsec;
    return 0;
}

static void pause_often(int n)
{
    yields = sleeps = 0;
    for (unsigned turns = 0; n > 0; n--)
        caf_pause(&turns);
}

int main(void)
{
    yield_ns = US;
    pause_often(255);
    CHECK(yields == 192 && sleeps == 0, "among images 255 pauses yield %d times and sleep %d times", yields, sleeps);
    yield_ns = 4 * MS;
    pause_often(255);
    CHECK(yields == 1 && sleeps == 191, "if others compute, 255 pauses yield %d times and sleep %d times", yields,
          sleeps);
    pause_often(255);
    CHECK(yields == 0 && sleeps == 192, "soon after, 255 pauses yield %d times and sleep %d times", yields, sleeps);
    now_ns += 300 * MS;
    yield_ns = US;
    pause_often(255);
    CHECK(yields == 192 && sleeps == 0, "after a while, 255 pauses yield %d times and sleep %d times", yields, sleeps);
    return check_result();
}
