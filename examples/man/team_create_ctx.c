/* man: shmem_team_create_ctx shmem_ctx_get_team */
/* run: oshrun -n 2 ./team_create_ctx */
/* prints: written by number 0 of the team, PE 1 */
#include <shmem.h>
#include <stdio.h>

static int from = -1;

int main(void)
{
    shmem_team_t back, same;
    shmem_ctx_t ctx;

    shmem_init();
    const int n = shmem_n_pes();
    /* all PEs, the last one first */
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0,
                             &back);
    if (shmem_team_create_ctx(back, 0, &ctx) != 0)
        return 1;
    if (shmem_ctx_get_team(ctx, &same) == 0 && shmem_team_my_pe(same) == 0)
        shmem_p(ctx, &from, shmem_my_pe(), n - 1); /* to PE 0 */
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("written by number 0 of the team, PE %d\n", from);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(back);
    shmem_finalize();
}
