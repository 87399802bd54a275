/* run: oshrun -n 4 ./broadcast */
/* The root sends its array to all PEs, itself included. */
#include <shmem.h>
#include <stdio.h>

enum { N = 10 };
static long source[N], dest[N];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), root = shmem_n_pes() - 1, wrong = 0;
    for (int i = 0; i < N; i++)
        source[i] = 100L * me + i;
    shmem_broadcast(SHMEM_TEAM_WORLD, dest, source, N, root);
    for (int i = 0; i < N; i++)
        wrong += dest[i] != 100L * root + i;
    printf("PE %d: %ld ... %ld from PE %d, %d wrong\n", me, dest[0], dest[N - 1], root, wrong);
    shmem_finalize();
    return wrong != 0;
}
