/* The collectives of OpenSHMEM 1.5 and later, on the team of all PEs. */
#include "../../timing/pes.h"
#include "sweep.h"

CALL(barrier, shmem_barrier_all())
CALL(broadcast, shmem_broadcastmem(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes, c->root))
CALL(sum, shmem_double_sum_reduce(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes / 8))
CALL(fcollect, shmem_fcollectmem(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes))
CALL(collect, shmem_collectmem(SHMEM_TEAM_WORLD, c->dest, c->source, contribution(bench.pe, c->bytes)))
CALL(alltoall, shmem_alltoallmem(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes))
CALL(alltoalls, shmem_uint64_alltoalls(SHMEM_TEAM_WORLD, c->dest, c->source, STRIDE, STRIDE, c->bytes / 8))
CALL(inscan, shmem_double_sum_inscan(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes / 8))
CALL(exscan, shmem_double_sum_exscan(SHMEM_TEAM_WORLD, c->dest, c->source, c->bytes / 8))

static const struct contestant self = {
    .alloc = pes_alloc,
    .barrier = shmem_barrier_all,
    .calls = {barrier, broadcast, sum, fcollect, collect, alltoall, alltoalls, inscan, exscan},
    .fills_root = true,
};

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    run_sweep(&self, argc, argv);
    return pes_end();
}
