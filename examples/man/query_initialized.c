/* man: shmem_query_initialized */
/* run: oshrun -n 2 ./query_initialized */
/* prints: before 0, between 1, after 0 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    int before, between, after;

    shmem_query_initialized(&before);
    shmem_init();
    shmem_query_initialized(&between);
    const int me = shmem_my_pe();
    shmem_finalize();
    shmem_query_initialized(&after);
    if (me == 0)
        printf("before %d, between %d, after %d\n",
               before, between, after);
}
