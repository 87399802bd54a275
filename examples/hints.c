/* run: oshrun -n 4 ./hints */
/* shmem_malloc_with_hints says how the memory is used: here for a word that others change by atomics and signals. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    uint64_t *votes = shmem_malloc_with_hints(sizeof *votes, SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE);
    *votes = 0;
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        shmem_uint64_atomic_add(votes, (uint64_t)me + 1, pe);
    shmem_barrier_all();
    uint64_t all = (uint64_t)n * ((uint64_t)n + 1) / 2;
    int ok = *votes == all;
    printf("PE %d: %d votes of %d: %s\n", me, (int)*votes, (int)all, ok ? "right" : "WRONG");
    shmem_free(votes);
    shmem_finalize();
    return !ok;
}
