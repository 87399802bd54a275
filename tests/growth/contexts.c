/* pes: 2 */
/* All kinds of contexts, created and destroyed, used and unused; and teams: split, nested, with contexts, refused. */
#include <shmem.h>
#include "growth.h"

static long to[4];

static void contexts(long turns)
{
    static const long options[] = {0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED, SHMEM_CTX_NOSTORE};
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_t ctx[8];
    long i = 0;
    for (growth_begin("shmem_ctx_create, shmem_ctx_destroy", turns); growth_goes_on(); i++) {
        shmem_ctx_create(options[i % 4], &ctx[0]);
        shmem_ctx_destroy(ctx[0]);
    }
    for (growth_begin("a context, a put, destroyed unquieted", turns); growth_goes_on(); i++) {
        shmem_ctx_create(options[i % 4], &ctx[0]);
        shmem_ctx_long_put_nbi(ctx[0], to, &i, 1, next);
        shmem_ctx_destroy(ctx[0]);
    }
    for (int k = 0; k < 8; k++)
        shmem_ctx_create(0, &ctx[k]);
    for (growth_begin("8 contexts, in turn", turns); growth_goes_on(); i++) {
        shmem_ctx_destroy(ctx[3 * i % 8]);
        shmem_ctx_create(0, &ctx[3 * i % 8]);
    }
    for (int k = 0; k < 8; k++)
        shmem_ctx_destroy(ctx[k]);
}

static void teams(long turns)
{
    const int n = shmem_n_pes();
    shmem_team_t team, inner, row, column;
    shmem_ctx_t ctx, kept;
    long i = 0;
    for (growth_begin("shmem_team_split_strided, destroy", turns); growth_goes_on(); i++) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, (int)(i % n), 1, n - (int)(i % n), NULL, 0, &team);
        if (team != SHMEM_TEAM_INVALID)
            shmem_team_destroy(team);
    }
    for (growth_begin("shmem_team_split_2d, destroy", turns); growth_goes_on();) {
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column);
        shmem_team_destroy(row);
        shmem_team_destroy(column);
    }
    shmem_ctx_create(0, &kept);
    for (growth_begin("nested teams, with a context and a sum", turns); growth_goes_on();) {
        const shmem_team_config_t config = {.num_contexts = 2};
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &team);
        shmem_team_create_ctx(team, 0, &ctx);
        shmem_team_split_strided(team, 0, 1, n, NULL, 0, &inner);
        shmem_long_sum_reduce(inner, to, to + 1, 1);
        shmem_ctx_long_p(ctx, to + 2, 1, 0);
        shmem_team_destroy(inner);
        shmem_team_destroy(team); /* also destroys the team's context, but no other context */
        if (shmem_ctx_get_team(kept, &inner) != 0 || inner != SHMEM_TEAM_WORLD)
            shmem_global_exit(1);
    }
    for (growth_begin("shmem_team_split_strided, refused", turns); growth_goes_on();)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n + 1, NULL, 0, &team);
    for (growth_begin("a session", turns); growth_goes_on();) {
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        shmem_long_p(to, 1, 0);
        shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    }
}

int main(void)
{
    shmem_init();
    contexts(20000);
    shmem_barrier_all();
    teams(1000);
    shmem_finalize();
    return growth_result();
}
