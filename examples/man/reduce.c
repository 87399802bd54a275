/* man: shmem_sum_reduce */
/* run: oshrun -n 2 ./reduce */
/* prints: sums 3 30, maximum 20 */
#include <shmem.h>
#include <stdio.h>

static int numbers[2], sums[2], maximum[1];

int main(void)
{
    shmem_init();
    numbers[0] = shmem_my_pe() + 1;
    numbers[1] = 10 * numbers[0];
    shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, numbers, 2);
    shmem_max_reduce(SHMEM_TEAM_WORLD, maximum, &numbers[1], 1);
    if (shmem_my_pe() == 1)
        printf("sums %d %d, maximum %d\n", sums[0], sums[1], maximum[0]);
    shmem_finalize();
}
