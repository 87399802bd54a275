/* Teams. */
/* pes: 4 */
#include "rules.h"

static shmem_team_t evens_or_odds(void)
{
    shmem_team_t team;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, me % 2, 2, pes / 2, NULL, 0, &team);
    return team;
}

/* 9.10.3, team_sync: it orders the members of the team, not other PEs. */
RULE(sync_of_members)
{
    static long word;
    shmem_team_t team = evens_or_odds();

    if (me == 0) {
        shmem_long_p(&word, 1, right ? 2 : 3); /* put */
        shmem_quiet();
    }
    shmem_team_sync(team);
    if (me >= 2)
        look(word, me == 2 ? 1 : 0); /* load */
    shmem_team_destroy(team);
}

/* 9.10.3, team_sync: it completes no puts. */
RULE(sync_completes_no_puts)
{
    static long word;
    shmem_team_t team = evens_or_odds();

    if (me == 0)
        shmem_long_p(&word, 1, 2); /* put */
    if (me == 0 && right)
        shmem_quiet();
    shmem_team_sync(team);
    if (me == 2)
        look(word, 1); /* load */
    shmem_team_destroy(team);
}

/* 9.10.3, team_sync: on the team of all PEs, it orders all PEs, as sync_all does. */
RULE(sync_of_the_world)
{
    static long word;
    shmem_team_t team = evens_or_odds();

    if (me == 1)
        word = 1; /* store */
    shmem_team_sync(right ? SHMEM_TEAM_WORLD : team);
    if (me == 0)
        look(shmem_long_g(&word, 1), 1); /* get */
    shmem_barrier_all();
    shmem_team_destroy(team);
}

/* 9.10.9, reduce: it writes dest only on the members of the team. */
RULE(reduce_of_a_team)
{
    static long dest, source = 1;
    shmem_team_t team = evens_or_odds();

    shmem_sync_all();
    if (me % 2 == 0)
        shmem_long_sum_reduce(team, &dest, &source, 1); /* call */
    if (me == 1)
        shmem_long_p(&dest, 7, right ? 3 : 2); /* put */
    shmem_barrier_all();
    shmem_team_destroy(team);
}

/* 9.10.9, reduce: before a reduction of another team that shares a PE, dest must be ready again on all PEs of that
 * team. */
RULE(teams_in_turn)
{
    static long dest, source = 1;
    shmem_team_t team = evens_or_odds(), pair;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, me / 2 * 2, 1, 2, NULL, 0, &pair);
    shmem_sync_all();
    if (right)
        shmem_long_sum_reduce(team, &dest, &source, 1);
    look(dest, 2); /* load */
    if (right)
        shmem_team_sync(pair);
    shmem_long_max_reduce(pair, &dest, &source, 1); /* second */
    if (right)
        look(dest, 1);
    shmem_barrier_all();
    shmem_team_destroy(pair);
    shmem_team_destroy(team);
}

/* 9.10.9, reduce: on a team of one PE, only its own dest must be ready. */
RULE(team_of_one)
{
    static long dest, source = 1;
    shmem_team_t alone;

    for (int turn = 0; turn < 3; turn++) {
        shmem_team_split_strided(SHMEM_TEAM_WORLD, me, 1, 1, NULL, 0, &alone);
        shmem_long_sum_reduce(alone, &dest, &source, 1); /* call */
        if (right)
            look(dest, 1);
        shmem_team_destroy(alone);
    }
    if (me == 0 && !right)
        shmem_long_p(&dest, 7, 1); /* put */
}

/* 9.10.7, broadcast: teams that have no PE in common may work at the same time. */
RULE(two_teams)
{
    static long dest, source;
    shmem_team_t team = evens_or_odds();

    source = me;
    shmem_sync_all();
    shmem_long_broadcast(team, &dest, &source, 1, 0); /* call */
    if (right)
        look(dest, me % 2);
    else if (me == 1)
        shmem_long_p(&dest, 7, 2); /* put */
    shmem_barrier_all();
    shmem_team_destroy(team);
}

/* 9.5.2, team_create_ctx: a quiet of the default context does not complete puts on a team's context. */
RULE(context_of_a_team)
{
    static long word;
    shmem_team_t team = evens_or_odds();
    shmem_ctx_t ctx;

    shmem_team_create_ctx(team, 0, &ctx);
    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
        shmem_ctx_quiet(right ? ctx : SHMEM_CTX_DEFAULT);
    }
    shmem_team_sync(team);
    if (me == 2)
        look(word, 1); /* load */
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
}

/* 9.1.10, team_ptr: a synchronization of the team orders stores by its pointer. */
RULE(team_ptr)
{
    static long word;
    shmem_team_t team = evens_or_odds();

    if (me == 0)
        *(long *)shmem_team_ptr(team, &word, 1) = 1; /* store */
    if (right)
        shmem_team_sync(team);
    if (me == 2)
        look(word, 1); /* load */
    shmem_barrier_all();
    shmem_team_destroy(team);
}
