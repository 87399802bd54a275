/* man: shmemx_largest_block */
/* run: SHMEM_SYMMETRIC_SIZE=1M oshrun -n 2 ./largest_block */
/* prints: all of it is ours */
#include <shmemx.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    void *block = shmem_malloc(shmemx_largest_block());
    if (block && shmem_my_pe() == 0)
        printf("all of it is ours\n");
    shmem_free(block);
    shmem_finalize();
}
