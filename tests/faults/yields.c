/* Counts how often this process would yield in its barriers if each yield returned immediately without effect. */
#include <shmem.h>
#include <stdio.h>

static long yields;

int sched_yield(void) /* instead of the C library's */
{
    yields++;
    return 0;
}

int main(void)
{
    shmem_init();
    shmem_barrier_all();
    yields = 0;
    for (int i = 0; i < 200; i++)
        shmem_barrier_all();
    printf("%ld\n", yields);
    shmem_finalize();
    return 0;
}
