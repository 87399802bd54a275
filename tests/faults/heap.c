/* heap: prints "heap BYTES", the size of the largest block that can be allocated.
 * heap BYTES: prints whether a block of BYTES can be allocated, and writes every byte of it. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    shmem_init();
    if (argc == 2) {
        size_t bytes = strtoull(argv[1], NULL, 10);
        char *p = shmem_malloc(bytes);
        if (p)
            memset(p, 1, bytes);
        if (shmem_my_pe() == 0)
            printf("fits %d\n", p != NULL);
        shmem_free(p);
        shmem_finalize();
        return 0;
    }
    size_t low = 0, high = (size_t)1 << 46;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        shmem_free(p);
        *(p ? &low : &high) = middle;
    }
    if (shmem_my_pe() == 0)
        printf("heap %zu\n", low);
    shmem_finalize();
    return 0;
}
