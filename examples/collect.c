/* run: oshrun -n 4 ./collect */
/* Every PE gets all PEs' arrays one after the other: collect takes different lengths, fcollect equal ones. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0, at = 0;
    int *source = shmem_calloc((size_t)n, sizeof *source);
    int *all = shmem_calloc((size_t)(n * (n + 1) / 2), sizeof *all);
    int *last = shmem_calloc((size_t)n, sizeof *last);
    for (int i = 0; i <= me; i++) /* PE 0 has one number, PE 1 two, ... */
        source[i] = 10 * me + i;

    shmem_collect(SHMEM_TEAM_WORLD, all, source, (size_t)me + 1);
    shmem_fcollect(SHMEM_TEAM_WORLD, last, &source[0], 1);

    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i <= pe; i++)
            wrong += all[at++] != 10 * pe + i;
    for (int pe = 0; pe < n; pe++)
        wrong += last[pe] != 10 * pe;
    printf("PE %d: collected %d and %d numbers, %d wrong\n", me, at, n, wrong);
    shmem_free(source);
    shmem_free(all);
    shmem_free(last);
    shmem_finalize();
    return wrong != 0;
}
