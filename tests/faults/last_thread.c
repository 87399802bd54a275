/* The main thread of PE 0 ends before the process, which ends with its last thread: after shmem_finalize, no thread
 * of the library or of the libraries that it has loaded is left. */
#include <pthread.h>
#include <shmem.h>

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    shmem_finalize();
    if (me == 0)
        pthread_exit(NULL);
    return 0;
}
