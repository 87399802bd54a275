/* run: oshrun -n 4 ./get */
/* Each PE reads an array from the memory of every other PE; the other PE takes no part. */
#include <shmem.h>
#include <stdio.h>

enum { N = 100 };
static double field[N];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    for (int i = 0; i < N; i++)
        field[i] = me + i / 1000.0;
    shmem_barrier_all(); /* all PEs have filled their arrays */

    for (int pe = 0; pe < n; pe++) {
        double copy[N];
        shmem_get(copy, field, N, pe);
        for (int i = 0; i < N; i++)
            wrong += copy[i] != pe + i / 1000.0;
    }
    printf("PE %d: read %d arrays, %d values wrong\n", me, n, wrong);
    shmem_finalize();
    return wrong != 0;
}
