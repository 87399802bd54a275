/* In a job that outlives its PEs, the last PE is killed while all PEs release the network's memory in
 * shmem_finalize. The failure detector must have ended by then, because it notifies other nodes of deaths.
 *
 *     late_death COUNT     the PE is killed after it has released COUNT regions */
#include <pthread.h>
#include <shmem.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_t finalizing;
static bool ends, is_last;
static int given_back, count;

/* Replaces the library's own barrier: all PEs reach the point of the kill, and stay there for a while. */
int munmap(void *memory, size_t bytes)
{
    const int result = (int)syscall(SYS_munmap, memory, bytes);
    if (ends && pthread_equal(pthread_self(), finalizing)) {
        if (++given_back == count && is_last)
            kill(getpid(), SIGKILL);
        if (given_back <= count)
            usleep(300000); /* late on purpose */
    }
    return result;
}

int main(int argc, char **argv)
{
    shmem_init();
    const int me = shmem_my_pe();
    count = argc > 1 ? atoi(argv[1]) : 1;
    is_last = me == shmem_n_pes() - 1;
    finalizing = pthread_self();
    shmem_barrier_all();
    ends = true;
    shmem_finalize();
    ends = false;
    printf("PE %d has finalized\n", me);
    return 0;
}
