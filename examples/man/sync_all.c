/* man: shmem_sync_all */
/* run: oshrun -n 2 ./sync_all */
/* prints: PE 1 has filled in 11 */
#include <shmem.h>
#include <stdio.h>

static int mine;

int main(void)
{
    shmem_init();
    mine = 10 + shmem_my_pe();
    shmem_sync_all(); /* this suffices for an ordinary store */
    if (shmem_my_pe() == 0)
        printf("PE 1 has filled in %d\n", shmem_g(&mine, 1));
    shmem_team_sync(SHMEM_TEAM_WORLD); /* the same */
    shmem_finalize();
}
