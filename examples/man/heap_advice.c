/* man: shmemx_heap_advice */
/* run: oshrun -n 2 ./heap_advice */
/* prints: for 16 MiB: SHMEM_SYMMETRIC_SIZE=16m would do */
#include <shmemx.h>
#include <stdio.h>

int main(void)
{
    char advice[200];
    shmem_init();
    shmemx_heap_advice(16, advice, sizeof advice);
    if (shmem_my_pe() == 0)
        printf("for 16 MiB: %s\n", advice);
    shmem_finalize();
}
