/* For test_fabric.py. "kill N": puts, gets and atomics between all PEs, and PE 1 is killed in iteration N. "alone":
 * prints the durations of a put, a get and a signal. No argument: like "kill", but no PE is killed. "lost": no PE
 * checks the data that arrives. */
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TURNS = 60, WORDS = 12500 };
static long place[WORDS], sum, source[WORDS], dest[WORDS];
static uint64_t signals;

static void all_with_all(int kill_at, bool lost)
{
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int turn = 0; turn < TURNS; turn++) {
        const int to = (me + turn) % n, from = (me - turn % n + n) % n;
        const size_t words = (size_t)(turn * 211) % WORDS;
        for (size_t i = 0; i < words; i++)
            source[i] = -(long)((size_t)me * 1000003 + i * 7 + (size_t)turn);
        shmem_put_nbi(place, source, words, to);
        shmem_long_atomic_add(&sum, me + 1, (me + 3 * turn) % n);
        if (turn == kill_at && me == 1)
            kill(getpid(), SIGKILL);
        shmem_barrier_all();
        shmem_get(dest, place, words, to);
        for (size_t i = 0; i < words; i++)
            if (!lost && (place[i] != -(long)((size_t)from * 1000003 + i * 7 + (size_t)turn) || dest[i] != source[i])) {
                fprintf(stderr, "PE %d, turn %d: word %zu is %ld here and %ld there\n", me, turn, i, place[i], dest[i]);
                shmem_global_exit(3);
            }
        shmem_barrier_all();
    }
    long mine = 0; /* PE p adds p + 1 here in the turns t with p + 3 t = me modulo n */
    for (int turn = 0; turn < TURNS; turn++)
        mine += ((me - 3 * turn) % n + n) % n + 1;
    if (!lost && sum != mine) {
        fprintf(stderr, "PE %d: the sum is %ld, not %ld\n", me, sum, mine);
        shmem_global_exit(3);
    }
}

static void alone(void)
{
    const int me = shmem_my_pe();
    for (int round = 0; round < 2; round++) { /* the first round makes the connections */
        shmem_barrier_all();
        double at = shmemx_clock();
        if (me == 0) {
            shmem_putmem(place, source, sizeof place, 1);
            shmem_quiet();
            const double put = shmemx_clock() - at;
            at = shmemx_clock();
            shmem_getmem(dest, place, sizeof place, 1);
            if (round)
                printf("put %.4f us, get %.4f us\n", put * 1e6, (shmemx_clock() - at) * 1e6);
        }
        shmem_barrier_all();
        at = shmemx_clock();
        const int turns = 10;
        for (int turn = 1; turn <= turns; turn++) {
            if (me == 1)
                shmem_signal_wait_until(&signals, SHMEM_CMP_EQ, (uint64_t)(round * turns + turn));
            shmem_signal_add(&signals, 1, 1 - me);
            if (me == 0)
                shmem_signal_wait_until(&signals, SHMEM_CMP_EQ, (uint64_t)(round * turns + turn));
        }
        if (me == 0 && round)
            printf("signal %.4f us\n", (shmemx_clock() - at) * 1e6 / (2 * turns));
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    if (argc > 1 && strcmp(argv[1], "alone") == 0)
        alone();
    else
        all_with_all(argc > 2 ? atoi(argv[2]) : -1, argc > 1 && strcmp(argv[1], "lost") == 0);
    shmem_finalize();
    return 0;
}
