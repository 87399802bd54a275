/* man: shmem_align */
/* run: oshrun -n 2 ./align */
/* prints: a multiple of 4096 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    char *page = shmem_align(4096, 10000);
    if (shmem_my_pe() == 0 && page && (uintptr_t)page % 4096 == 0)
        printf("a multiple of 4096\n");
    shmem_free(page);
    shmem_finalize();
}
