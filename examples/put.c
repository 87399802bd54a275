/* run: oshrun -n 4 ./put */
/* A ring: each PE writes an array into the memory of its right neighbour. */
#include <shmem.h>
#include <stdio.h>

enum { N = 1000 };

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    int source[N];                                  /* any memory is allowed here */
    int *dest = shmem_calloc(N, sizeof *dest);      /* symmetric, because another PE writes to it */
    for (int i = 0; i < N; i++)
        source[i] = me * N + i;

    shmem_put(dest, source, N, right);
    shmem_barrier_all(); /* all puts are complete, on all PEs */

    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += dest[i] != left * N + i;
    printf("PE %d: %d numbers from PE %d, %d wrong\n", me, N, left, wrong);
    shmem_free(dest);
    shmem_finalize();
    return wrong != 0;
}
