/* A fence and a flag have always followed the puts, so the next put is held. This time no call follows, and the put
 * must arrive although the program only computes. So must a put of shmemx_put_blocks, which is always held, requests of
 * nonblocking routines, which wait for others to share their message, and each of several large nonblocking puts, which
 * the progress thread starts. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <time.h>

#include "../check.h"

static uint64_t data, flag, answer;

static void told_of(uint64_t value, int me)
{
    if (me == 0) {
        shmem_uint64_p(&data, value, 1);
        shmem_fence();
        shmem_uint64_p(&flag, value, 1);
        shmem_uint64_wait_until(&answer, SHMEM_CMP_EQ, value);
    } else {
        shmem_uint64_wait_until(&flag, SHMEM_CMP_EQ, value);
        CHECK(data == value, "data is %lu where the flag is %lu", (unsigned long)data, (unsigned long)value);
        shmem_uint64_p(&answer, value, 0);
    }
}

static void alone(uint64_t value, int me)
{
    if (me == 0) {
        shmem_uint64_p(&data, value, 1);
        while (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) != value)
            ;
    } else {
        shmem_uint64_wait_until(&data, SHMEM_CMP_EQ, value);
        shmem_uint64_p(&answer, value, 0);
    }
}

/* Each PE puts, and waits by loads only: soon each progress thread sleeps. */
static void both(uint64_t value, int me)
{
    shmemx_put_blocks(&answer, &value, 0, 0, sizeof value, 1, 1 - me);
    while (__atomic_load_n(&answer, __ATOMIC_ACQUIRE) < value)
        ;
}

/* Waits by loads only, 20 s at most. */
static void arrives(const char *what, const uint64_t *word, uint64_t value)
{
    const time_t end = time(NULL) + 20;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value && time(NULL) < end)
        ;
    CHECK(*word == value, "%s: %lu has not arrived while the PE computes", what, (unsigned long)value);
    if (check_failures)
        shmem_global_exit(1);
}

/* PE 0 sends two operations before this one, so that no quiet is expected after it. */
static void requested(uint64_t value, int me)
{
    static uint64_t counter, fetched, row[4], got, part[3];
    row[0] = row[2] = value;
    shmem_barrier_all();
    if (me == 0) {
        shmem_uint64_p(&data, value, 1);
        shmem_uint64_p(&data, value, 1);
        shmem_quiet();
        shmem_uint64_atomic_fetch_add_nbi(&fetched, &counter, value, 1);
        arrives("fetch_add_nbi", &answer, value);
        shmem_uint64_get_nbi(&got, row, 1, 1);
        arrives("get_nbi", &got, value);
        shmemx_get_blocks_nbi(part, row, sizeof *part, 2 * sizeof *row, sizeof *row, 2, 1);
        arrives("get_blocks_nbi", &part[1], value);
        shmem_quiet();
    } else {
        shmem_uint64_wait_until(&counter, SHMEM_CMP_NE, 0);
        CHECK(counter == value, "the counter is %lu, not %lu", (unsigned long)counter, (unsigned long)value);
        counter = 0;
        shmem_uint64_p(&answer, value, 0);
    }
    shmem_barrier_all();
}

/* The progress thread sleeps again between the two puts. */
static void one_after_another(uint64_t value, int me)
{
    enum { WORDS = 40000 };
    static uint64_t from[WORDS], to[2][WORDS], arrived;
    for (size_t i = 0; i < WORDS; i++)
        from[i] = value;
    shmem_barrier_all();
    if (me == 0) {
        shmem_uint64_put_nbi(to[0], from, WORDS, 1);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* late on purpose */
        shmem_uint64_put_signal_nbi(to[1], from, WORDS, &arrived, value, SHMEM_SIGNAL_SET, 1);
        arrives("put_signal_nbi", &answer, value);
        shmem_quiet();
    } else {
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, value);
        CHECK(to[1][WORDS - 1] == value, "the last word is %lu, not %lu", (unsigned long)to[1][WORDS - 1],
              (unsigned long)value);
        shmem_uint64_p(&answer, value, 0);
    }
}

int main(void)
{
    static const int rounds[] = {30, 30, 1100, 3, 30};
    uint64_t value = 0;
    shmem_init();
    const int me = shmem_my_pe();
    shmem_barrier_all();
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++) {
        for (int round = 0; round < rounds[i]; round++)
            told_of(++value, me);
        alone(++value, me);
    }
    shmem_barrier_all();
    for (int round = 0; round < 1000; round++)
        both(++value, me);
    for (int round = 0; round < 20; round++)
        requested(++value, me);
    for (int round = 0; round < 10; round++)
        one_after_another(++value, me);
    shmem_finalize();
    return check_result();
}
