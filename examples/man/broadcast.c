/* man: shmem_broadcast */
/* run: oshrun -n 2 ./broadcast */
/* prints: PE 1 has 3.14 */
#include <shmem.h>
#include <stdio.h>

static double setting, everywhere;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        setting = 3.14;
    shmem_broadcast(SHMEM_TEAM_WORLD, &everywhere, &setting, 1, 0);
    if (shmem_my_pe() == 1)
        printf("PE 1 has %.2f\n", everywhere);
    shmem_finalize();
}
