/* run: oshrun -n 4 ./alltoall */
/* Each PE has a block for every PE.  alltoalls reads and stores elements with gaps between them. */
#include <shmem.h>
#include <stdio.h>

enum { BLOCK = 3, GAP = 2 };

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    size_t length = (size_t)n * BLOCK;
    int *source = shmem_calloc(length, sizeof *source), *dest = shmem_calloc(length, sizeof *dest);
    int *spread = shmem_calloc(length * GAP, sizeof *spread);
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < BLOCK; i++)
            source[pe * BLOCK + i] = 10000 * me + 10 * pe + i;

    shmem_alltoall(SHMEM_TEAM_WORLD, dest, source, BLOCK);
    shmem_alltoalls(SHMEM_TEAM_WORLD, spread, source, GAP, 1, BLOCK);

    for (int pe = 0; pe < n; pe++) {
        for (int i = 0; i < BLOCK; i++) {
            int from = 10000 * pe + 10 * me + i, at = pe * BLOCK + i;
            wrong += dest[at] != from || spread[at * GAP] != from || spread[at * GAP + 1] != 0;
        }
    }
    printf("PE %d: blocks from %d PEs, %d values wrong\n", me, n, wrong);
    shmem_free(source);
    shmem_free(dest);
    shmem_free(spread);
    shmem_finalize();
    return wrong != 0;
}
