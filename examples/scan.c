/* run: oshrun -n 4 ./scan */
/* A prefix sum gives each PE the beginning of its part of a list; all PEs then put their parts to PE 0. */
#include <shmem.h>
#include <stdio.h>

static int length, begin, end;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), wrong = 0;
    length = 3 * (me % 3) + 1; /* different lengths on the PEs */
    shmem_sum_exscan(SHMEM_TEAM_WORLD, &begin, &length, 1); /* the sum of the lengths of lower PEs */
    shmem_sum_inscan(SHMEM_TEAM_WORLD, &end, &length, 1);   /* includes my length */

    int *list = shmem_calloc((size_t)n * 7, sizeof *list);
    for (int i = 0; i < length; i++)
        shmem_p(&list[begin + i], 100 * me + i, 0);
    shmem_barrier_all();

    for (int pe = 0, at = 0; pe < n && me == 0; pe++)
        for (int i = 0; i < 3 * (pe % 3) + 1; i++)
            wrong += list[at++] != 100 * pe + i;
    wrong += end != begin + length;
    printf("PE %d: part %d to %d, %d wrong\n", me, begin, end, wrong);
    shmem_free(list);
    shmem_finalize();
    return wrong != 0;
}
