/* man: shmem_alltoall */
/* run: oshrun -n 2 ./alltoall */
/* prints: PE 1 has 1 11 */
#include <shmem.h>
#include <stdio.h>

static int to[2], from[2]; /* one for each PE */

int main(void)
{
    shmem_init();
    for (int pe = 0; pe < 2; pe++)
        to[pe] = 10 * shmem_my_pe() + pe;
    shmem_alltoall(SHMEM_TEAM_WORLD, from, to, 1);
    if (shmem_my_pe() == 1)
        printf("PE 1 has %d %d\n", from[0], from[1]);
    shmem_finalize();
}
