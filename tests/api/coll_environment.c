/* The cost model of collectives uses floating-point numbers. This must have no effect on a program that traps
 * floating-point exceptions, or checks at the end which exceptions occurred.
 *
 * coll_environment [SHCOLL_NODE_SIZE]: with several nodes, algorithms decide by the model while they run */
/* args: 64 */
/* args: 2 */
/* args: 4 */
#include "coll_team.h"

#include <fenv.h>
#include <stdlib.h>

enum { BYTES = 1 << 16 };

static _Alignas(16) char source[BYTES], dest[16 * BYTES];

static void check_flags(const char *what, size_t bytes)
{
    const int raised = fetestexcept(FE_ALL_EXCEPT);
    CHECK(raised == 0, "%s of %zu bytes: floating-point exceptions %#x", what, bytes, (unsigned)raised);
    CHECK(fegetround() == FE_UPWARD, "%s of %zu bytes: another rounding", what, bytes);
    feclearexcept(FE_ALL_EXCEPT);
}

static void collectives(shmem_team_t team)
{
    const size_t n = (size_t)shmem_team_n_pes(team);
    shmem_team_sync(team);
    check_flags("sync", 0);
    for (size_t bytes = 8; bytes <= BYTES; bytes = bytes * 5 / 16 * 8) {
        shmem_broadcastmem(team, dest, source, bytes, 0);
        check_flags("broadcast", bytes);
        shmem_fcollectmem(team, dest, source, bytes);
        check_flags("fcollect", bytes);
        shmem_collectmem(team, dest, source, bytes);
        check_flags("collect", bytes);
        shmem_alltoallmem(team, dest, source, bytes / n);
        check_flags("alltoall", bytes);
        shmem_long_sum_reduce(team, (long *)(void *)dest, (const long *)(const void *)source, bytes / sizeof(long));
        check_flags("reduce", bytes);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        setenv("SHCOLL_NODE_SIZE", argv[1], 1);
    setenv("SHCOLL_TABLE", "none", 1); /* uses the cost model */
    fesetround(FE_UPWARD);
    feclearexcept(FE_ALL_EXCEPT);
    shmem_init();
    if (near_pes().n < shmem_n_pes()) { /* exceptions in a network's library are not tested */
        shmem_finalize();
        return 0;
    }
    check_flags("start", 0);
    collectives(SHMEM_TEAM_WORLD);
    feenableexcept(FE_INEXACT | FE_OVERFLOW | FE_INVALID); /* where the processor has traps */
    shmem_team_t half;
    const int n = (shmem_n_pes() + 1) / 2;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &half);
    if (half != SHMEM_TEAM_INVALID)
        collectives(half);
    fedisableexcept(FE_ALL_EXCEPT);
    shmem_barrier_all();
    shmem_finalize();
    return check_result();
}
