/* pes: 2 */
/* The symmetric heap: repeated allocation and deallocation by all routines, and failed allocations. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>
#include "growth.h"

int main(void)
{
    shmem_init();
    const long turns = 10000;
    long i = 0;
    for (growth_begin("shmem_malloc, shmem_free", turns); growth_goes_on(); i++) {
        char *p = shmem_malloc(1 + 7919 * i % 5000);
        *p = 1;
        shmem_free(p);
    }
    for (growth_begin("shmem_calloc, shmem_realloc", turns); growth_goes_on(); i++) {
        long *p = shmem_calloc(1 + i % 100, sizeof *p);
        p = shmem_realloc(p, (1 + 31 * i % 700) * sizeof *p);
        *p = 1;
        shmem_free(p);
    }
    for (growth_begin("shmem_align", turns); growth_goes_on(); i++) {
        char *p = shmem_align((size_t)64 << i % 7, 100);
        *p = 1;
        shmem_free(p);
    }
    for (growth_begin("shmem_malloc_with_hints", turns); growth_goes_on(); i++)
        shmem_free(shmem_malloc_with_hints(100 + i % 100, SHMEM_MALLOC_SIGNAL_REMOTE));
    void *kept[32] = {NULL};
    for (growth_begin("32 blocks, freed in another order", turns); growth_goes_on(); i++) {
        void **at = &kept[17 * i % 32];
        shmem_free(*at);
        *at = shmem_malloc(8 + 263 * i % 3000);
    }
    for (int k = 0; k < 32; k++)
        shmem_free(kept[k]);
    for (growth_begin("shmem_malloc of more than there is", turns); growth_goes_on();)
        shmem_free(shmem_malloc(SIZE_MAX / 4));
    shmem_finalize();
    return growth_result();
}
