/* pSync arrays as well-known programs use them (the NAS benchmarks in Fortran, and the examples of the specification):
 * two arrays alternately, without synchronization between the calls; one array for broadcasts from one root, which
 * return before other PEs have entered. Each PE is late at different calls, so that some PEs are many calls ahead.
 * SHMEM_DEBUG refuses these calls, but none where PEs synchronize before they use a pSync again. */
/* args: SHMEM_DEBUG 0 */
/* args: SHMEM_DEBUG 1 */
#include <shmem.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "../check.h"

enum { ROUNDS = 40, CALLS = 6, MOST = 3000, MOST_PES = 16, LONGS = SHMEM_REDUCE_SYNC_SIZE };

static long p_sync[3][LONGS], p_work[2][MOST + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long source[CALLS][2 * MOST * MOST_PES / 8], dest[CALLS][2 * MOST * MOST_PES / 8];
static int me, n_pes;

/* The number of elements of call `call` in a round; the sizes select different algorithms. */
static size_t length_of(int round, int call)
{
    static const size_t lengths[] = {1, 1, 3, 1, MOST, 2, 300, 1};
    return lengths[(size_t)(round + call) % (sizeof lengths / sizeof *lengths)];
}

static long value(int round, int call, int pe, size_t i)
{
    return ((round * CALLS + call) * 100L + pe) * 100000 + (long)i;
}

static void be_late(int round, int call)
{
    const unsigned chance = ((unsigned)(round * CALLS + call) * 2654435761u + (unsigned)me * 40503u) >> 8;
    if (chance % 5 == 0)
        nanosleep(&(struct timespec){.tv_nsec = 1000L * (chance % 97)}, NULL); /* late on purpose */
}

static void fill(int round)
{
    for (int call = 0; call < CALLS; call++) {
        for (size_t i = 0; i < length_of(round, call) + (size_t)n_pes; i++)
            source[call][i] = value(round, call, me, i);
        memset(dest[call], 0xff, sizeof dest[call]);
    }
    shmem_barrier_all();
}

/* --- what is called, and what has to be in dest ------------------------------------------------------------------- */

static void broadcast(int call, size_t n, int root, long *sync)
{
    shmem_broadcast64(dest[call], source[call], n, root, 0, 0, n_pes, sync);
}

static void is_broadcast(int round, int call, size_t n, int root)
{
    for (size_t i = 0; i < n; i++)
        CHECK(dest[call][i] == (me == root ? -1 : value(round, call, root, i)),
              "broadcast %d of round %d: element %zu is %ld", call, round, i, dest[call][i]);
}

static void sum(int call, size_t n, int root, long *sync)
{
    (void)root;
    shmem_long_sum_to_all(dest[call], source[call], (int)n, 0, 0, n_pes, p_work[sync == p_sync[1]], sync);
}

static void is_sum(int round, int call, size_t n, int root)
{
    (void)root;
    for (size_t i = 0; i < n; i++) {
        long all = 0;
        for (int pe = 0; pe < n_pes; pe++)
            all += value(round, call, pe, i);
        CHECK(dest[call][i] == all, "sum %d of round %d: element %zu is %ld, not %ld", call, round, i, dest[call][i],
              all);
    }
}

/* Blocks of up to MOST / 8 elements, because dest has that length for each PE. */
static size_t piece(size_t n)
{
    return n < MOST / 8 ? n : MOST / 8;
}

static void fcollect(int call, size_t n, int root, long *sync)
{
    (void)root;
    shmem_fcollect64(dest[call], source[call], piece(n), 0, 0, n_pes, sync);
}

static void is_fcollect(int round, int call, size_t n, int root)
{
    (void)root;
    for (int pe = 0; pe < n_pes; pe++)
        for (size_t i = 0; i < piece(n); i++)
            CHECK(dest[call][(size_t)pe * piece(n) + i] == value(round, call, pe, i),
                  "fcollect %d of round %d: element %zu of %d", call, round, i, pe);
}

static size_t brought(size_t n, int pe)
{
    return piece(n) * (size_t)(pe % 3) / 2;
}

static void collect(int call, size_t n, int root, long *sync)
{
    (void)root;
    shmem_collect64(dest[call], source[call], brought(n, me), 0, 0, n_pes, sync);
}

static void is_collect(int round, int call, size_t n, int root)
{
    (void)root;
    for (size_t at = 0, pe = 0; pe < (size_t)n_pes; at += brought(n, (int)pe), pe++)
        for (size_t i = 0; i < brought(n, (int)pe); i++)
            CHECK(dest[call][at + i] == value(round, call, (int)pe, i), "collect %d of round %d: element %zu of %zu",
                  call, round, i, pe);
}

/* The block for PE k begins at element k of the source: blocks of one element, and strides of one. */
static void alltoall(int call, size_t n, int root, long *sync)
{
    (void)n, (void)root;
    shmem_alltoall64(dest[call], source[call], 1, 0, 0, n_pes, sync);
}

static void alltoalls(int call, size_t n, int root, long *sync)
{
    (void)n, (void)root;
    shmem_alltoalls64(dest[call], source[call], 1, 1, 1, 0, 0, n_pes, sync);
}

static void is_alltoall(int round, int call, size_t n, int root)
{
    (void)n, (void)root;
    for (int pe = 0; pe < n_pes; pe++)
        CHECK(dest[call][pe] == value(round, call, pe, (size_t)me), "alltoall %d of round %d: block of %d", call, round,
              pe);
}

struct collective {
    void (*call)(int call, size_t n, int root, long *sync);
    void (*check)(int round, int call, size_t n, int root);
};
static const struct collective broadcasts = {broadcast, is_broadcast}, sums = {sum, is_sum},
                               collects = {collect, is_collect}, fcollects = {fcollect, is_fcollect},
                               exchanges = {alltoall, is_alltoall}, strided_exchanges = {alltoalls, is_alltoall};

/* --- patterns ----------------------------------------------------------------------------------------------------- */

/* Consecutive calls; even and odd calls may be of two kinds. Each kind uses its given number of arrays one after the
 * other; a broadcast between them has its own array. */
static void in_a_row(const struct collective *even, const struct collective *odd, int arrays)
{
    const bool mixed = even != odd;
    for (int round = 0; round < ROUNDS; round++) {
        const int root = round % n_pes;
        fill(round);
        for (int call = 0; call < CALLS; call++) {
            be_late(round, call);
            const struct collective *what = call % 2 ? odd : even;
            const int turn = mixed ? what == &broadcasts ? 2 : call / 2 % arrays : call % arrays;
            what->call(call, length_of(round, call), root, p_sync[turn]);
        }
        shmem_barrier_all();
        for (int call = 0; call < CALLS; call++)
            (call % 2 ? odd : even)->check(round, call, length_of(round, call), root);
        for (int i = 0; i < 3 * LONGS; i++)
            CHECK(p_sync[i / LONGS][i % LONGS] == SHMEM_SYNC_VALUE, "pSync[%d] is %ld", i,
                  p_sync[i / LONGS][i % LONGS]);
    }
}

/* Every PE waits for a flag of PE 0, which has waited for flags of all PEs. */
static void meet_by_flags(long number)
{
    static long arrived, released;
    shmem_long_atomic_inc(&arrived, 0);
    for (int pe = 0; me == 0 && pe < n_pes; pe++) {
        shmem_long_wait_until(&arrived, SHMEM_CMP_GE, number * n_pes);
        shmem_long_p(&released, number, pe);
    }
    shmem_long_wait_until(&released, SHMEM_CMP_GE, number);
}

static void with_flags(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        fill(round);
        for (int call = 0; call < CALLS; call++) {
            be_late(round, call);
            broadcast(call, length_of(round, call), call % n_pes, p_sync[0]);
            meet_by_flags(round * CALLS + call + 1);
        }
        for (int call = 0; call < CALLS; call++)
            is_broadcast(round, call, length_of(round, call), call % n_pes);
        shmem_barrier_all();
    }
}

/* Each broadcast is followed by a barrier or a sync, whose pSync is always the same. */
static void with_barriers(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        fill(round);
        for (int call = 0; call < CALLS; call++) {
            be_late(round, call);
            broadcast(call, length_of(round, call), call % n_pes, p_sync[0]);
            call % 2 ? shmem_barrier(0, 0, n_pes, p_sync[1]) : shmem_sync(0, 0, n_pes, p_sync[1]);
        }
        for (int call = 0; call < CALLS; call++)
            is_broadcast(round, call, length_of(round, call), call % n_pes);
        shmem_barrier_all();
    }
}

static void without_synchronization(void)
{
    in_a_row(&broadcasts, &broadcasts, 2);
    in_a_row(&broadcasts, &broadcasts, 1);
    in_a_row(&sums, &sums, 2);
    in_a_row(&fcollects, &fcollects, 2);
    in_a_row(&collects, &collects, 2);
    in_a_row(&exchanges, &exchanges, 2);
    in_a_row(&strided_exchanges, &strided_exchanges, 2);
    in_a_row(&broadcasts, &sums, 2);
    in_a_row(&broadcasts, &fcollects, 2);
}

int main(int argc, char **argv)
{
    const bool checks = argc > 2 && atoi(argv[2]);
    if (argc > 2)
        setenv(argv[1], argv[2], 1);
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (!checks)
        without_synchronization();
    with_barriers();
    with_flags();
    const int result = check_result();
    shmem_finalize();
    return result;
}
