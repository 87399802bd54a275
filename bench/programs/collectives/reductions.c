/* pes: 1 2 4 */
/* args: check */
/* The sum of integers over all PEs, by the algorithm that the library chooses.  With Copal, SHCOLL_REDUCE selects
 * another algorithm.  The Xeon Phi paper has flat, recursive_doubling, bruck and rabenseifner, by get and shmem_ptr. */
#include "../../timing/pes.h"
#include "reductions.h"

static void meet(void)
{
    shmem_barrier_all();
}

#if BENCH_HAS_1_5
static void prepare(void)
{
}

static void sum(int *result, size_t ints, long slot)
{
    (void)slot;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, result, source, ints);
}
#else
static long (*psync)[SHMEM_REDUCE_SYNC_SIZE]; /* symmetric, one for each call of a window */
static int *work;                             /* symmetric, for all calls of a window */

static size_t work_ints(size_t ints)
{
    return ints / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? ints / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
}

static void prepare(void)
{
    psync = pes_alloc(WINDOW * sizeof *psync);
    work = pes_alloc((work_ints(MAX_INTS) + WINDOW * work_ints(WINDOW_INTS)) * sizeof *work);
    for (long slot = 0; slot < WINDOW; slot++)
        for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
            psync[slot][i] = SHMEM_SYNC_VALUE;
    meet();
}

static void sum(int *result, size_t ints, long slot)
{
    shmem_int_sum_to_all(result, source, (int)ints, 0, 0, bench.pes, work + (size_t)slot * work_ints(ints),
                         psync[slot]);
}
#endif

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    source = pes_alloc(MAX_INTS * sizeof *source);
    results = pes_alloc(RESULT_INTS * sizeof *results);
    prepare();
    run_rows();
    return pes_end();
}
