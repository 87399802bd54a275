/* man: shmem_sum_inscan */
/* run: oshrun -n 2 ./scan */
/* prints: PE 1: its part begins at 5 and ends before 11 */
#include <shmem.h>
#include <stdio.h>

static long size, begin, end;

int main(void)
{
    shmem_init();
    size = 5 + shmem_my_pe();
    shmem_sum_exscan(SHMEM_TEAM_WORLD, &begin, &size, 1);
    shmem_sum_inscan(SHMEM_TEAM_WORLD, &end, &size, 1);
    if (shmem_my_pe() == 1)
        printf("PE 1: its part begins at %ld and ends before %ld\n",
               begin, end);
    shmem_finalize();
}
