/* man: shmem_team_split_strided shmem_team_my_pe shmem_team_translate_pe shmem_team_destroy */
/* run: oshrun -n 4 ./team_split_strided */
/* prints: PE 2 is number 1 of 2 even PEs, its 0 is PE 0 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_team_t even;

    shmem_init();
    const int size = (shmem_n_pes() + 1) / 2;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size,
                                 NULL, 0, &even) != 0)
        return 1;
    if (even != SHMEM_TEAM_INVALID) { /* invalid on the odd PEs */
        if (shmem_my_pe() == 2)
            printf("PE 2 is number %d of %d even PEs, its 0 is PE %d\n",
                   shmem_team_my_pe(even), shmem_team_n_pes(even),
                   shmem_team_translate_pe(even, 0, SHMEM_TEAM_WORLD));
        shmem_team_destroy(even);
    }
    shmem_finalize();
}
