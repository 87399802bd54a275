/* How often this process has given its processor away in its barriers. */
#include <shmem.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static long yields;

int sched_yield(void) /* instead of the C library's */
{
    yields++;
    return (int)syscall(SYS_sched_yield);
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
