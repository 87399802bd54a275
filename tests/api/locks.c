/* Locks: mutual exclusion of plain updates, test_lock, first come first served, locks in static and heap memory,
 * several locks at the same time. (../stress/mixture.c tests that the next holder sees all operations done under a
 * lock.) */
#include <sched.h>
#include <time.h>

#include "fill.h"

enum { LOCKS = 5, ROUNDS = 100, MAX_PES = 16 };
static long static_locks[LOCKS];
static long *heap_locks;
static long counters[LOCKS], inside[LOCKS];
static int me, n_pes;

/* Data on one PE that lock l guards: a counter changed by get and put, and the number of PEs that hold the lock. */
static void critical(int l, int home)
{
    const long here = shmem_long_atomic_fetch_inc(&inside[l], home);
    CHECK(here == 0, "%ld other PEs hold lock %d", here, l);
    const long count = shmem_long_g(&counters[l], home);
    shmem_long_p(&counters[l], count + 1, home);
    shmem_long_atomic_add(&inside[l], -1, home);
}

static void reset(void)
{
    shmem_barrier_all();
    memset(counters, 0, sizeof counters);
    memset(inside, 0, sizeof inside);
    shmem_barrier_all();
}

/* The PEs begin with the same lock or with different locks, and wait for it or use test_lock. */
static void mutual_exclusion(long *locks)
{
    const int home = n_pes / 2;
    for (int i = 0; i < ROUNDS; i++)
        for (int k = 0; k < LOCKS; k++) {
            const int l = (k + i % 2 * me) % LOCKS;
            int result;
            if ((me + i / 2) % 3)
                shmem_set_lock(&locks[l]);
            else
                while ((result = shmem_test_lock(&locks[l])) != 0) {
                    CHECK(result == 1, "test_lock returned %d", result);
                    sched_yield();
                }
            critical(l, home);
            shmem_clear_lock(&locks[l]);
        }
    shmem_barrier_all();
    for (int l = 0; l < LOCKS && me == home; l++)
        CHECK(counters[l] == (long)ROUNDS * n_pes, "counter %d is %ld, not %ld", l, counters[l], (long)ROUNDS * n_pes);
    reset();
}

/* test_lock returns 1 while another PE holds the lock; otherwise it acquires the lock and returns 0. */
static void test_lock_answers(long *locks)
{
    long *lock = &locks[1];
    if (me == 0)
        CHECK(shmem_test_lock(lock) == 0, "test_lock of a free lock");
    shmem_barrier_all();
    if (me != 0)
        CHECK(shmem_test_lock(lock) == 1, "test_lock of a lock PE 0 has");
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(lock);
    shmem_barrier_all();
    if (me == n_pes - 1) {
        CHECK(shmem_test_lock(lock) == 0, "test_lock of a lock PE 0 has given back");
        shmem_clear_lock(lock);
        CHECK(shmem_test_lock(lock) == 0, "test_lock of a lock this PE has given back");
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
}

/* Several locks held at the same time, acquired in ascending order, released in any order. */
static void several_at_once(long *locks)
{
    const int home = 0;
    for (int i = 0; i < ROUNDS / 2; i++) {
        const int a = (me + i) % (LOCKS - 1), b = a + 1 + i % (LOCKS - 1 - a);
        shmem_set_lock(&locks[a]);
        shmem_set_lock(&locks[b]);
        critical(a, home);
        critical(b, home);
        shmem_clear_lock(&locks[i % 2 ? a : b]);
        shmem_clear_lock(&locks[i % 2 ? b : a]);
    }
    shmem_barrier_all();
    long sum = 0;
    for (int l = 0; l < LOCKS; l++)
        sum += counters[l];
    CHECK(me != home || sum == (long)ROUNDS * n_pes, "two locks at once: %ld critical sections", sum);
    reset();
}

static void sleep_ms(long ms)
{
    const struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL); /* late on purpose */
}

/* PE 0 holds the lock while the others begin to wait, one after the other; they must acquire it in that order. No
 * call shows that a PE has begun to wait, so the test pauses, and repeats after a wrong order. */
static bool in_order_of_coming(long *lock, long pause)
{
    static int turn, order[MAX_PES], got;
    bool in_order = true;
    turn = got = 0;
    shmem_barrier_all();
    if (me == 0) {
        shmem_set_lock(lock);
        shmem_int_p(&turn, 1, 1 % n_pes);
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, n_pes);
        sleep_ms(pause);
        shmem_clear_lock(lock);
    } else {
        shmem_int_wait_until(&turn, SHMEM_CMP_EQ, me);
        if (me > 1)
            sleep_ms(pause); /* by now the previous PE probably waits */
        shmem_int_p(&turn, me + 1, (me + 1) % n_pes);
        shmem_set_lock(lock);
        shmem_int_p(&order[shmem_int_atomic_fetch_inc(&got, 0)], me, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    for (int i = 0; i < n_pes - 1; i++)
        in_order = in_order && shmem_int_g(&order[i], 0) == i + 1;
    shmem_barrier_all();
    return in_order;
}

static void first_come_first_served(long *lock)
{
    if (n_pes < 3)
        return;
    bool in_order = false;
    for (long pause = 1; pause <= 64 && !in_order; pause *= 2)
        in_order = in_order_of_coming(lock, pause);
    CHECK(in_order, "PEs waiting for a lock did not get it in the order of their calls");
}

static void try_all(long *locks)
{
    mutual_exclusion(locks);
    test_lock_answers(locks);
    several_at_once(locks);
    first_come_first_served(&locks[3]);
    first_come_first_served(&locks[LOCKS - 1]);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    heap_locks = shmem_calloc(LOCKS, sizeof *heap_locks);
    CHECK(heap_locks != NULL, "shmem_calloc failed");
    if (n_pes > MAX_PES || !heap_locks)
        shmem_global_exit(1);
    try_all(static_locks);
    try_all(heap_locks);
    shmem_free(heap_locks);
    shmem_finalize();
    return check_result();
}
