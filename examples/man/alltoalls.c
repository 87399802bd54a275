/* man: shmem_alltoalls */
/* run: oshrun -n 2 ./alltoalls */
/* prints: PE 1 has 1 11, with gaps of 0 */
#include <shmem.h>
#include <stdio.h>

static int to[2], from[4];

int main(void)
{
    shmem_init();
    for (int pe = 0; pe < 2; pe++)
        to[pe] = 10 * shmem_my_pe() + pe;
    /* to every second element of from */
    shmem_alltoalls(SHMEM_TEAM_WORLD, from, to, 2, 1, 1);
    if (shmem_my_pe() == 1)
        printf("PE 1 has %d %d, with gaps of %d\n",
               from[0], from[2], from[1]);
    shmem_finalize();
}
