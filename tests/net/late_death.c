/* In a job that outlives its PEs the last one is killed while all give back, in shmem_finalize, the memory that the
 * network had. Who watches for deaths must have ended by then, for it tells other nodes of them.
 *
 *     late_death COUNT     the PE is killed when it has given back so many pieces of memory */
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

/* The library's own calls: all PEs are as far as the one that is killed, and stay there for a while. */
int munmap(void *memory, size_t bytes)
{
    const int result = (int)syscall(SYS_munmap, memory, bytes);
    if (ends && pthread_equal(pthread_self(), finalizing)) {
        if (++given_back == count && is_last)
            kill(getpid(), SIGKILL);
        if (given_back <= count)
            usleep(300000); /* late */
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
