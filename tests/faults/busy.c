/* A job that uses many routines until it is killed: collectives on teams, locks, waits, allocations, puts. Prints
 * "pid PE PID" for every PE when the work has begun. */
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>

enum { ELEMENTS = 3000 };
static long lock, token, flag, dest[ELEMENTS], source[ELEMENTS];
static int sum, one = 1;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t even;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    long *all = shmem_malloc((size_t)n * ELEMENTS * sizeof(long));
    printf("pid %d %d\n", me, (int)getpid());
    fflush(stdout);
    for (long round = 1;; round++) {
        shmem_long_put_nbi(dest, source, ELEMENTS, (me + 1) % n);
        shmem_set_lock(&lock);
        token += shmem_long_g(&token, 0);
        shmem_clear_lock(&lock);
        shmem_long_fcollect(SHMEM_TEAM_WORLD, all, source, ELEMENTS / 10);
        if (even != SHMEM_TEAM_INVALID)
            shmem_int_sum_reduce(even, &sum, &one, 1);
        shmem_long_atomic_set(&flag, round, (me + 1) % n);
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
        void *p = shmem_malloc(1000 + (size_t)round % 5000);
        shmem_barrier_all();
        shmem_free(p);
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, ELEMENTS, (int)(round % n));
    }
}
