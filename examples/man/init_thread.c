/* man: shmem_init_thread shmem_query_thread */
/* run: oshrun -n 2 ./init_thread */
/* prints: any thread may use the library at any time */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    int provided, level;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    if (provided < SHMEM_THREAD_MULTIPLE)
        return 1;
    shmem_query_thread(&level);
    if (shmem_my_pe() == 0 && level == SHMEM_THREAD_MULTIPLE)
        printf("any thread may use the library at any time\n");
    shmem_finalize();
}
