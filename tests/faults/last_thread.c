/* The main thread of PE 0 ends before the process, which ends with its last thread: no thread of the library's, or of
 * what it has loaded, is left after shmem_finalize. */
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
