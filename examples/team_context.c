/* run: oshrun -n 4 ./team_context */
/* A context of a team: its PE arguments are numbers in the team.  Here each half of the PEs has a ring of its own. */
#include <shmem.h>
#include <stdio.h>

static int token = -1;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), half = n / 2, upper = me >= half;
    shmem_team_t team = SHMEM_TEAM_INVALID, low = SHMEM_TEAM_INVALID, high;
    shmem_team_config_t config = {.num_contexts = 1};
    if (half > 0)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, half, &config, SHMEM_TEAM_NUM_CONTEXTS, &low);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, half, 1, n - half, &config, SHMEM_TEAM_NUM_CONTEXTS, &high);
    team = upper ? high : low;

    shmem_ctx_t ctx;
    if (shmem_team_create_ctx(team, 0, &ctx) != 0)
        shmem_global_exit(1);
    int size = shmem_team_n_pes(team), mine = shmem_team_my_pe(team);
    shmem_p(ctx, &token, me, (mine + 1) % size);
    shmem_ctx_quiet(ctx);
    shmem_team_sync(team);

    int left = (mine + size - 1) % size + (upper ? half : 0);
    printf("PE %d: token %d from its left: %s\n", me, token, token == left ? "right" : "WRONG");
    int ok = token == left;
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
    shmem_finalize();
    return !ok;
}
