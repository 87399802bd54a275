/* hang WHERE [PE...]: the listed PEs sleep; all other PEs wait forever in the routine that WHERE names. If WHERE is a
 * deadlock, no PE needs to be listed. A comment that test_hangs.py searches for marks the line of each wait. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long locks[2 * 64], never, dest[64], source[64], sums[64 * 64], pSync[SHMEM_REDUCE_SYNC_SIZE];

static void be_in(const char *where)
{
    const int me = shmem_my_pe(), n = shmem_n_pes();
    if (strcmp(where, "barrier_all") == 0)
        shmem_barrier_all(); /* HERE barrier_all */
    else if (strcmp(where, "sync_all") == 0)
        shmem_sync_all(); /* HERE sync_all */
    else if (strcmp(where, "team_sync") == 0)
        shmem_team_sync(SHMEM_TEAM_WORLD); /* HERE team_sync */
    else if (strcmp(where, "barrier") == 0)
        shmem_barrier(0, 0, n, pSync); /* HERE barrier */
    else if (strcmp(where, "reduce") == 0)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 64); /* HERE reduce */
    else if (strcmp(where, "fcollect") == 0)
        shmem_long_fcollect(SHMEM_TEAM_WORLD, sums, source, 1); /* HERE fcollect */
    else if (strcmp(where, "collect") == 0)
        shmem_long_collect(SHMEM_TEAM_WORLD, sums, source, 1); /* HERE collect */
    else if (strcmp(where, "alltoall") == 0)
        shmem_long_alltoall(SHMEM_TEAM_WORLD, sums, source, 1); /* HERE alltoall */
    else if (strcmp(where, "malloc") == 0)
        shmem_malloc(100); /* HERE malloc */
    else if (strcmp(where, "finalize") == 0)
        shmem_finalize(); /* HERE finalize */
    else if (strcmp(where, "lock") == 0)
        shmem_set_lock(&locks[0]); /* HERE lock */
    else if (strcmp(where, "wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0); /* HERE wait */
    else if (strcmp(where, "lock_twice") == 0) {
        if (me == 0)
            shmem_set_lock(&locks[0]);
        shmem_set_lock(&locks[0]); /* HERE lock_twice */
    } else if (strcmp(where, "two_locks") == 0) { /* each of two PEs holds one lock and waits for the other lock */
        shmem_set_lock(&locks[64 * (me % 2)]);
        shmem_barrier_all();
        shmem_set_lock(&locks[64 * (1 - me % 2)]); /* HERE two_locks */
    } else if (strcmp(where, "lock_left") == 0) { /* the last PE holds the lock, and waits in shmem_finalize */
        if (me == n - 1)
            shmem_set_lock(&locks[0]);
        shmem_barrier_all();
        if (me == n - 1)
            shmem_finalize(); /* HERE left */
        shmem_set_lock(&locks[0]); /* HERE lock_left */
    } else if (strcmp(where, "all_wait") == 0)
        shmem_long_wait_until(&never, SHMEM_CMP_NE, 0); /* HERE all_wait */
    else if (strcmp(where, "different") == 0) { /* half of the PEs in one collective, half in another */
        if (me % 2)
            shmem_barrier_all(); /* HERE different_barrier */
        else
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 64); /* HERE different_reduce */
    }
}

int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe();
    int away = 0;
    for (int i = 2; i < argc; i++)
        away |= atoi(argv[i]) == me;
    if (away && strcmp(argv[1], "lock") == 0)
        shmem_set_lock(&locks[0]);
    shmem_barrier_all();
    if (away)
        sleep(1000); /* until the job is ended */
    be_in(argv[1]);
    sleep(1000); /* until the job is ended */
    return 0;
}
