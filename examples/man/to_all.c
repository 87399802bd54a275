/* man: shmem_to_all */
/* run: oshrun -n 2 ./to_all */
/* prints: sum 3 */
#include <shmem.h>
#include <stdio.h>

static int number, sum, pWrk[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long pSync[SHMEM_REDUCE_SYNC_SIZE];

int main(void)
{
    shmem_init();
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        pSync[i] = SHMEM_SYNC_VALUE;
    number = shmem_my_pe() + 1;
    shmem_barrier_all(); /* pSync is ready on all PEs */
    shmem_int_sum_to_all(&sum, &number, 1, 0, 0, shmem_n_pes(), pWrk,
                         pSync);
    if (shmem_my_pe() == 0)
        printf("sum %d\n", sum);
    shmem_finalize();
}
