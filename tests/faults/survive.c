/* One PE dies while the others wait for it. They leave the wait by a longjmp, and continue without the PE:
 *
 * survive HOW PE WHERE MICROSECONDS [CODE|bad]
 *
 * PE ends as HOW says, MICROSECONDS after the others are in WHERE. Each survivor reports how long after the death it
 * left its wait, does some work with the other survivors, finalizes, and exits with its number plus CODE if CODE is
 * given. With bad, it makes a mistake after the work; the message must name the routine of the mistake, not the wait
 * that the survivor has left. */
#include <setjmp.h>
#include <shmemx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64, WORDS = 300 };
static long dead_mans_lock, lock, never, counter, dest[MOST * WORDS], source[MOST * WORDS];
static uint64_t never_signal, arrived, used, ring[WORDS];
static int64_t died_at; /* written by the dying PE to the others */
static jmp_buf out;
static volatile int to_leave, who, left_after_us = -1;

static int64_t microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void check(int condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "wrong: PE %d: %s\n", shmem_my_pe(), what);
    shmem_global_exit(99);
}

static void leave(void)
{
    check(shmemx_pe_state(who) == SHMEMX_PE_DEAD, "an alert, although no PE is dead");
    if (!to_leave)
        return;
    to_leave = 0;
    left_after_us = (int)(microseconds() - died_at);
    longjmp(out, 1);
}

/* Names the wait for --watch. A wait inside a collective already has a name. */
static const char *name_of_wait(shmemx_wait *wait)
{
    if (wait->pe != -1)
        return NULL;
    wait->pe = who;
    return "the test of survival";
}

static void wait_somewhere(const char *where)
{
    static const char *const names[] = {"barrier", "sync", "lock", "wait", "wait_any", "signal", "broadcast", "reduce",
                                        "alltoall", "scan", "malloc", "loop"};
    size_t i = 0;
    while (i < sizeof names / sizeof *names && strcmp(where, names[i]) != 0)
        i++;
    switch (i) {
    case 0: shmem_barrier_all(); break;
    case 1: shmem_sync_all(); break;
    case 2: shmem_set_lock(&dead_mans_lock); break;
    case 3: shmem_long_wait_until(&never, SHMEM_CMP_NE, 0); break;
    case 4: shmem_long_wait_until_any(&never, 1, NULL, SHMEM_CMP_NE, 0); break;
    case 5: shmem_signal_wait_until(&never_signal, SHMEM_CMP_NE, 0); break;
    case 6: shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, WORDS, who); break;
    case 7: shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, WORDS); break;
    case 8: shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, WORDS); break;
    case 9: shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 1); shmem_sync_all(); break;
    case 10: shmem_malloc(1000); break;
    case 11:
        while (*shmemx_alerts() == 0)
            ;
        leave();
    }
    check(0, "does not wait");
}

static void end(const char *how)
{
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        shmem_int64_p(&died_at, microseconds(), pe);
    shmem_quiet();
    if (strcmp(how, "kill") == 0)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "fail") == 0)
        shmemx_fail();
    if (strcmp(how, "exit7") == 0)
        exit(7);
    if (strcmp(how, "_exit0") == 0)
        _exit(0);
    if (strcmp(how, "global5") == 0)
        shmem_global_exit(5);
    abort();
}

static int next_living(int pe)
{
    do
        pe = (pe + 1) % shmem_n_pes();
    while (pe == who);
    return pe;
}

/* The value that a PE receives in the ring. */
static uint64_t sent(int pe, int round, int i)
{
    return ((uint64_t)pe << 56 | 0x8000000000000000u) + (uint64_t)(round * WORDS + i);
}

/* A ring of puts and signals, a counter in the next PE's memory, and a counter under a lock in every PE's memory. */
static void work_on(void)
{
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = next_living(me), rounds = 20;
    uint64_t mine[WORDS];
    for (int round = 1; round <= rounds; round++) {
        for (int i = 0; i < WORDS; i++)
            mine[i] = sent(next, round, i);
        shmem_uint64_put_signal(ring, mine, WORDS, &arrived, 1, SHMEM_SIGNAL_ADD, next);
        shmem_signal_wait_until(&arrived, SHMEM_CMP_GE, (uint64_t)round);
        for (int i = 0; i < WORDS; i++)
            check(ring[i] == sent(me, round, i), "the ring's data");
        int before = me;
        for (int pe = next; pe != me; pe = next_living(pe))
            before = pe;
        shmem_uint64_atomic_inc(&used, before); /* the previous PE may put again */
        shmem_uint64_wait_until(&used, SHMEM_CMP_GE, (uint64_t)round);

        shmem_set_lock(&lock);
        for (int pe = 0; pe < n; pe++) /* the dead PE's memory still exists, too */
            shmem_long_p(&counter, shmem_long_g(&counter, pe) + 1, pe);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_long_wait_until(&counter, SHMEM_CMP_EQ, (long)rounds * (n - 1));
    shmem_set_lock(&lock); /* the PE that counted last may not have reached the dead PE's counter */
    check(shmem_long_g(&counter, who) == (long)rounds * (n - 1), "the counter at the dead PE");
    shmem_clear_lock(&lock);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 98;
    shmem_init();
    const int me = shmem_my_pe();
    who = atoi(argv[2]);
    check(shmemx_pe_state(who) == SHMEMX_PE_RUNNING && *shmemx_alerts() == 0, "the state before");
    check(shmemx_on_alert(leave) == NULL && shmemx_on_alert(leave) == leave, "the handler before");
    check(shmemx_name_waits(name_of_wait) == NULL, "the namer before");
    if (me == who && strcmp(argv[3], "lock") == 0)
        shmem_set_lock(&dead_mans_lock);
    shmem_barrier_all();
    if (me == who) {
        usleep((useconds_t)atoi(argv[4])); /* late on purpose */
        end(argv[1]);
    }
    if (strcmp(argv[3], "finalize") != 0) {
        to_leave = 1;
        if (!setjmp(out))
            wait_somewhere(argv[3]);
        check(shmemx_outlives_pes() && *shmemx_alerts() == 1, "the job's properties");
        work_on();
        if (argc > 5 && strcmp(argv[5], "bad") == 0)
            shmem_long_p(dest, 1, 12345);
        printf("PE %d left after %d us\n", me, left_after_us);
    }
    shmem_finalize();
    return argc > 5 ? me + atoi(argv[5]) : 0;
}
