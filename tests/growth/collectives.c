/* pes: 2 4 */
/* All kinds of collectives, with changing sizes, on the world, on a team, and on active sets. */
#include <shmem.h>
#include "growth.h"

enum { MOST = 4096, PES = 16 };
static long to[PES * MOST], from[PES * MOST], work[MOST];
static long p_sync[2][SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE];

static void on(shmem_team_t team, long turns)
{
    long i = 0;
    for (growth_begin("barrier_all, sync_all, team_sync", 4 * turns); growth_goes_on();) {
        shmem_barrier_all();
        shmem_sync_all();
        shmem_team_sync(team);
    }
    for (growth_begin("broadcast", turns); growth_goes_on(); i++)
        shmem_long_broadcast(team, to, from, 1 + 97 * i % 300, (int)(i % shmem_team_n_pes(team)));
    for (growth_begin("reductions", turns); growth_goes_on(); i++) {
        shmem_long_sum_reduce(team, to, from, 1 + 97 * i % 300);
        shmem_long_max_reduce(team, to, from, 1);
    }
    for (growth_begin("scans", turns); growth_goes_on(); i++) {
        shmem_long_sum_inscan(team, to, from, 1 + 97 * i % 100);
        shmem_long_sum_exscan(team, to, from, 1 + 31 * i % 100);
    }
    for (growth_begin("collect, fcollect", turns); growth_goes_on(); i++) {
        shmem_long_collect(team, to, from, (size_t)(1 + shmem_my_pe() + 97 * i % 100));
        shmem_long_fcollect(team, to, from, 1 + 31 * i % 100);
    }
    for (growth_begin("alltoall, alltoalls", turns); growth_goes_on(); i++) {
        shmem_long_alltoall(team, to, from, 1 + 31 * i % 100);
        shmem_long_alltoalls(team, to, from, 2, 3, 1 + 31 * i % 100);
    }
    for (growth_begin("large sums and broadcasts", turns / 10); growth_goes_on();) {
        shmem_long_sum_reduce(team, to, from, MOST);
        shmem_long_broadcast(team, to, from, MOST, 0);
    }
}

static void on_active_sets(long turns)
{
    const int n = shmem_n_pes();
    long i = 0;
    for (growth_begin("barrier, broadcast, sum of an active set", turns); growth_goes_on(); i++) {
        shmem_broadcast64(to, from, 1 + 31 * i % 100, 0, 0, 0, n, p_sync[0]);
        shmem_long_sum_to_all(to, from, 8, 0, 0, n, work, p_sync[1]);
        shmem_barrier(0, 0, n, p_sync[0]);
    }
    for (growth_begin("fcollect, alltoall of active sets", turns); growth_goes_on(); i++) {
        shmem_fcollect64(to, from, 1 + 31 * i % 100, 0, 0, n, p_sync[0]);
        shmem_alltoall64(to, from, 1 + 31 * i % 100, 0, 0, n, p_sync[1]);
        shmem_sync(0, 0, n, p_sync[0]);
    }
    /* Active sets of stride 1. */
    for (growth_begin("active sets of all starts and sizes", turns); growth_goes_on(); i++) {
        const int start = (int)(i % n), size = 1 + (int)(i / n % (n - start));
        const int me = shmem_my_pe();
        if (me >= start && me < start + size)
            shmem_sync(start, 0, size, p_sync[0]);
        shmem_barrier_all();
    }
}

int main(void)
{
    shmem_init();
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &team);
    on(SHMEM_TEAM_WORLD, 2000);
    on(team, 1000);
    on_active_sets(2000);
    shmem_team_destroy(team);
    shmem_finalize();
    return growth_result();
}
