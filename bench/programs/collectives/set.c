/* The active-set collectives, which every OpenSHMEM implementation has. The active set is all PEs. */
#include "../../timing/pes.h"
#include "sweep.h"

#define MAX2(a, b) ((a) > (b) ? (a) : (b))
enum {
    PSYNC_WORDS = MAX2(MAX2(MAX2(SHMEM_BCAST_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE), SHMEM_BARRIER_SYNC_SIZE),
                       MAX2(MAX2(SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_ALLTOALLS_SYNC_SIZE), SHMEM_REDUCE_SYNC_SIZE)),
    /* The length that the longest sum requires, also if a window is a single call. */
    WORK_DOUBLES = MAX2((16 << 20) / 16 + 1, WINDOW * MAX2(WINDOW_BLOCK / 16 + 1, SHMEM_REDUCE_MIN_WRKDATA_SIZE)),
};

static long (*psync)[PSYNC_WORDS]; /* symmetric, one for each slot */
static double *work;               /* symmetric, for all slots */

CALL(barrier, shmem_barrier(0, 0, bench.pes, psync[c->slot]))
CALL(broadcast, shmem_broadcast64(c->dest, c->source, c->bytes / 8, c->root, 0, 0, bench.pes, psync[c->slot]))

static void sum(const struct call *c)
{
    size_t words = MAX2(c->bytes / 16 + 1, (size_t)SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    shmem_double_sum_to_all(c->dest, c->source, (int)(c->bytes / 8), 0, 0, bench.pes,
                            work + (size_t)c->slot * words, psync[c->slot]);
}

CALL(fcollect, shmem_fcollect64(c->dest, c->source, c->bytes / 8, 0, 0, bench.pes, psync[c->slot]))
CALL(collect,
     shmem_collect64(c->dest, c->source, contribution(bench.pe, c->bytes) / 8, 0, 0, bench.pes, psync[c->slot]))
CALL(alltoall, shmem_alltoall64(c->dest, c->source, c->bytes / 8, 0, 0, bench.pes, psync[c->slot]))
CALL(alltoalls, shmem_alltoalls64(c->dest, c->source, STRIDE, STRIDE, c->bytes / 8, 0, 0, bench.pes, psync[c->slot]))

static const struct contestant self = {
    .alloc = pes_alloc,
    .barrier = shmem_barrier_all,
    .calls = {barrier, broadcast, sum, fcollect, collect, alltoall, alltoalls},
};

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    psync = pes_alloc(WINDOW * sizeof *psync);
    work = pes_alloc(WORK_DOUBLES * sizeof *work);
    for (int slot = 0; slot < WINDOW; slot++)
        for (int i = 0; i < PSYNC_WORDS; i++)
            psync[slot][i] = SHMEM_SYNC_VALUE;
    run_sweep(&self, argc, argv);
    return pes_end();
}
