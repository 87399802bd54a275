/* run: oshrun -n 4 ./memory */
/* The symmetric heap: all PEs allocate together, and the same object has the same size everywhere. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes(), left = (me + shmem_n_pes() - 1) % shmem_n_pes();
    int *zeroed = shmem_calloc(100, sizeof *zeroed);
    double *page = shmem_align(4096, 512 * sizeof *page);
    int ok = zeroed && page && (uintptr_t)page % 4096 == 0;
    for (int i = 0; ok && i < 100; i++)
        ok = zeroed[i] == 0;

    shmem_barrier_all();
    shmem_p(&zeroed[99], 1000 + me, right);
    shmem_barrier_all();
    zeroed = shmem_realloc(zeroed, 100000 * sizeof *zeroed); /* grows, and keeps the old contents */
    ok = ok && zeroed && zeroed[99] == 1000 + left;
    printf("PE %d: %d kept: %s\n", me, zeroed[99], ok ? "right" : "WRONG");
    shmem_free(page);
    shmem_free(zeroed);
    shmem_finalize();
    return !ok;
}
