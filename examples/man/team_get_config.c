/* man: shmem_team_get_config */
/* run: oshrun -n 2 ./team_get_config */
/* prints: made for 3 contexts */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_team_t all;
    shmem_team_config_t config = {.num_contexts = 3}, found;

    shmem_init();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(),
                             &config, SHMEM_TEAM_NUM_CONTEXTS, &all);
    if (shmem_team_get_config(all, SHMEM_TEAM_NUM_CONTEXTS, &found) != 0)
        return 1;
    if (shmem_my_pe() == 0)
        printf("made for %d contexts\n", found.num_contexts);
    shmem_team_destroy(all);
    shmem_finalize();
}
