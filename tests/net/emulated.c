/* Prints the durations of some operations in emulated time, in picoseconds, or ends with an error on purpose.
 * Started by test_emulated.py.
 *
 * usage: emulated [deadlock | die | poll | meet | told | join | spin] */
#include <shmem.h>
#include <shmemx.h>
#include "../check.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { WORDS = 8192, TIMES = 5 };
static long from[WORDS], to[WORDS], word, counter, lock;
static int me, n_pes;

static void barriers(long n) { (void)n; shmem_barrier_all(); }

static void sums(long n) { shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, (size_t)n); }

static void broadcasts(long n) { shmem_long_broadcast(SHMEM_TEAM_WORLD, to, from, (size_t)n, 1 % n_pes); }

static void exchanges(long n) { shmem_long_alltoall(SHMEM_TEAM_WORLD, to, from, (size_t)n); }

static void puts_around(long n)
{
    shmem_long_put(to, from, (size_t)n, (me + 1) % n_pes);
    shmem_quiet();
}

static void gets_across(long n)
{
    shmem_long_get_nbi(to, from, (size_t)n, (me + n_pes / 2) % n_pes);
    shmem_quiet();
}

static void counts(long n)
{
    for (long i = 0; i < n; i++)
        (void)shmem_long_atomic_fetch_inc(&counter, 0);
}

static void locked(long n)
{
    for (long i = 0; i < n; i++) {
        shmem_set_lock(&lock);
        shmemx_compute(1e-6);
        shmem_clear_lock(&lock);
    }
}

/* Each PE computes for a different time. */
static void work(long n) { shmemx_compute(1e-6 * (double)(n * (me + 1))); }

static const struct row {
    const char *name;
    void (*run)(long n);
    long n;
} rows[] = {
    {"barrier", barriers, 0}, {"sum", sums, 1}, {"sum", sums, WORDS}, {"broadcast", broadcasts, 100},
    {"broadcast", broadcasts, WORDS}, {"alltoall", exchanges, 16}, {"put", puts_around, 1}, {"put", puts_around, WORDS},
    {"get", gets_across, 1}, {"get", gets_across, WORDS}, {"count", counts, 3}, {"lock", locked, 2}, {"work", work, 3},
};

/* The time until all PEs have executed the operation, by PE 0's clock. */
static void measure(const struct row *row)
{
    for (int i = 0; i < TIMES; i++) {
        shmem_barrier_all();
        const double before = shmemx_clock();
        row->run(row->n);
        shmem_barrier_all();
        const double passed = shmemx_clock() - before;
        if (me == 0)
            printf("%s %ld: %.0f\n", row->name, row->n, passed * 1e12 / 1000);
    }
}

static long next_value(long pe, long i) { return (pe * 7919 + i) ^ (long)((unsigned long)i << 63); }

static void check_data(void)
{
    for (long i = 0; i < WORDS; i++)
        from[i] = next_value(me, i);
    shmem_barrier_all();
    puts_around(WORDS);
    shmem_barrier_all();
    const int before = (me + n_pes - 1) % n_pes;
    for (long i = 0; i < WORDS; i++)
        CHECK(to[i] == next_value(before, i), "word %ld is %ld", i, to[i]);
}

static void deadlock(void)
{
    if (me == n_pes - 1)
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
}

static void poll(void)
{
    if (me == 0) {
        shmemx_compute(20e-6);
        for (int pe = 1; pe < n_pes; pe++)
            shmem_long_p(&word, 1, pe);
    } else if (me % 2) {
        while (!shmem_long_test(&word, SHMEM_CMP_EQ, 1))
            ;
    } else {
        while (!shmem_long_atomic_fetch(&word, me))
            ;
    }
}

/* A put to the right with its quiet, and a barrier made of signals, as a program or a library may have it. */
static void meet(bool is_told)
{
    static uint64_t come;
    for (uint64_t round = 1; round <= 100; round++) {
        shmem_long_p(&word, me, (me + 1) % n_pes);
        shmem_quiet();
        if (is_told)
            shmemx_begin_collective("meet");
        for (int i = 1; i < n_pes; i++)
            shmem_uint64_atomic_inc(&come, (me + i) % n_pes);
        shmem_uint64_wait_until(&come, SHMEM_CMP_GE, round * (uint64_t)(n_pes - 1));
        if (is_told)
            shmemx_end_collective();
    }
}

static void *wait_in_vain(void *unused)
{
    deadlock();
    return unused;
}

/* Another thread waits in the library; the first thread waits for it outside, which the library does not see. */
static void join(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_in_vain, NULL);
    pthread_join(thread, NULL);
}

static _Atomic bool may_end, runs;

static void *spin(void *unused)
{
    shmem_quiet();
    shmemx_compute(1e-6);
    runs = true;
    while (!may_end)
        ;
    return unused;
}

/* A thread spins outside the library until another thread returns from a barrier of all PEs: time must not stop. */
static void spin_meanwhile(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spin, NULL);
    while (!runs)
        shmemx_compute(1e-6);
    shmem_barrier_all();
    may_end = true;
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    shmem_init_thread(strcmp(how, "join") && strcmp(how, "spin") ? SHMEM_THREAD_SINGLE : SHMEM_THREAD_MULTIPLE, NULL);
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    CHECK(shmemx_time_is_emulated(), "time is real");
    shmem_barrier_all();
    if (strcmp(how, "deadlock") == 0)
        deadlock();
    else if (strcmp(how, "join") == 0)
        join();
    else if (strcmp(how, "spin") == 0)
        spin_meanwhile();
    else if (strcmp(how, "poll") == 0)
        poll();
    else if (strcmp(how, "meet") == 0 || strcmp(how, "told") == 0)
        meet(how[0] == 't');
    else if (strcmp(how, "die") == 0 && me == n_pes - 1)
        raise(SIGKILL);
    else if (!*how)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
            measure(&rows[i]);
    if (!*how)
        check_data();
    shmem_finalize();
    return check_result();
}
