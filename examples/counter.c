/* run: oshrun -n 4 ./counter */
/* A shared counter on PE 0 distributes work: atomics lose no update. */
#include <shmem.h>
#include <stdio.h>

enum { TASKS = 1000 };
static long next_task;    /* the one on PE 0 counts */
static int done[TASKS];   /* on PE 0: how often each task was done */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), mine = 0, wrong = 0;
    for (long task; (task = shmem_atomic_fetch_inc(&next_task, 0)) < TASKS; mine++)
        shmem_atomic_add(&done[task], 1, 0);
    shmem_barrier_all();
    printf("PE %d did %d of %d tasks\n", me, mine, TASKS);
    for (int task = 0; me == 0 && task < TASKS; task++)
        wrong += done[task] != 1;
    if (me == 0)
        printf("%d tasks not done exactly once; counter at %ld\n", wrong, next_task);
    int ok = wrong == 0 && shmem_atomic_fetch(&next_task, 0) == TASKS + shmem_n_pes();
    shmem_finalize();
    return !ok;
}
