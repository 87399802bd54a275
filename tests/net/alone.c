/* A quiet follows each nonblocking put. The put must be sent when it is called, so that the transfer overlaps with the
 * program's next instructions. No progress thread could send it later. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "../check.h"

static uint64_t flag, arrived;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void put(uint64_t value)
{
    static uint64_t source;
    source = value;
    shmem_uint64_put_nbi(&flag, &source, 1, 1);
}

/* On PE 0: whether the put reached PE 1 before PE 0 called the library again. */
static int is_there_by_itself(uint64_t value, long sleep_ns)
{
    put(value);
    nanosleep(&(struct timespec){.tv_sec = sleep_ns / 1000000000, .tv_nsec = sleep_ns % 1000000000}, NULL); /* late */
    const uint64_t back = now();
    shmem_quiet();
    shmem_barrier_all();
    return shmem_uint64_g(&arrived, 1) < back;
}

int main(void)
{
    setenv("SHMEM_PROGRESS", "none", 1);
    shmem_init();
    const int me = shmem_my_pe();
    static int early;
    long sleep_ns = 100000000;
    for (uint64_t round = 1; round <= 10; round += 2, sleep_ns *= 2) { /* a busy machine may be late, but not always */
        if (me == 0) {
            put(round);
            shmem_quiet();
            early |= is_there_by_itself(round + 1, sleep_ns);
        } else {
            shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, round + 1);
            arrived = now();
            shmem_barrier_all();
        }
        shmem_barrier_all();
        if (shmem_int_g(&early, 0))
            break;
        shmem_barrier_all();
    }
    if (me == 0)
        CHECK(early, "a put alone before its quiet waited for the quiet each time");
    shmem_finalize();
    return check_result();
}
