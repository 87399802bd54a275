/* The PEs of teams (9.4) and contexts (9.5), recorded at creation. The tool need not call the library for them, which
 * would end the job if a handle is invalid. */
#include "tap/wrap.h"

/* A handle's slot is its number modulo the table size: Copal's handles are positions in a table with a count of uses.
 * If handles of another OpenSHMEM share a slot, the slot keeps the later one. */
enum { TEAMS = 4096, CONTEXTS = 1 << 16 };
static struct tap_group teams[TEAMS], contexts[CONTEXTS];

static struct tap_group group_of(shmem_team_t team, uintptr_t handle, bool of_shared)
{
    const int size = pshmem_team_n_pes(team), start = pshmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
    const int next = size > 1 ? pshmem_team_translate_pe(team, 1, SHMEM_TEAM_WORLD) : start + 1;
    return (struct tap_group){.handle = handle, .start = start, .stride = next - start, .size = size,
                              .of_shared = of_shared};
}

static size_t teams_n; /* the slots before this one have been used */

/* The PEs of a team create and destroy their common teams in one order, so they find the same number. */
static int free_twin(const struct tap_group *g)
{
    for (int twin = 0;; twin++) {
        size_t i = 0;
        while (i < teams_n && !(teams[i].size == g->size && teams[i].start == g->start &&
                                teams[i].stride == g->stride && teams[i].twin == twin))
            i++;
        if (i == teams_n)
            return twin;
    }
}

static struct tap_group add_team(shmem_team_t team, bool of_shared)
{
    const size_t slot = (uintptr_t)team % TEAMS;
    struct tap_group g = group_of(team, (uintptr_t)team, of_shared);
    teams[slot] = (struct tap_group){0};
    g.twin = free_twin(&g);
    teams_n = slot < teams_n ? teams_n : slot + 1;
    return teams[slot] = g;
}

void tap_groups_begin(void)
{
    add_team(SHMEM_TEAM_WORLD, false);
    add_team(SHMEM_TEAM_SHARED, true);
    contexts[(uintptr_t)SHMEM_CTX_DEFAULT] = group_of(SHMEM_TEAM_WORLD, (uintptr_t)SHMEM_CTX_DEFAULT, false);
}

struct tap_group tap_team(shmem_team_t team)
{
    const struct tap_group *g = &teams[(uintptr_t)team % TEAMS];
    return g->handle == (uintptr_t)team ? *g : (struct tap_group){0};
}

struct tap_group tap_context(shmem_ctx_t ctx)
{
    const struct tap_group *g = &contexts[(uintptr_t)ctx % CONTEXTS];
    return g->handle == (uintptr_t)ctx ? *g : (struct tap_group){0};
}

/* Records the PEs of call->team, or of a second new team. */
static void note_team(struct tap_call *call, const shmem_team_t *team)
{
    const bool of_shared = tap_team(call->team).of_shared;
    call->team = *team;
    if (*team == SHMEM_TEAM_INVALID)
        return;
    const struct tap_group g = add_team(*team, of_shared);
    call->start = g.start;
    call->stride = g.stride;
    call->size = g.size;
}

static void note_context(struct tap_call *call, shmem_team_t team, const shmem_ctx_t *ctx)
{
    call->ctx = *ctx;
    if (*ctx != SHMEM_CTX_INVALID)
        contexts[(uintptr_t)*ctx % CONTEXTS] = group_of(team, (uintptr_t)*ctx, tap_team(team).of_shared);
}

/* --- teams -------------------------------------------------------------------------------------------------------- */

#define ASKS .kind = TAP_QUERY, NO_PE
TAP_RETURN(int, team_my_pe, (shmem_team_t team), (team), NOTHING, ASKS, .team = team)
TAP_RETURN(int, team_n_pes, (shmem_team_t team), (team), NOTHING, ASKS, .team = team)
TAP_RETURN(int, team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config),
    (team, config_mask, config), NOTHING, ASKS, .team = team)
TAP_RETURN(int, team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team),
    (src_team, src_pe, dest_team), NOTHING, ASKS, .team = src_team)

/* The PEs of the parent before the call, of the new team after it (for split_2d, of the row). */
#define OF_PARENT .kind = TAP_TEAM_SPLIT, NO_PE, .team = parent_team, .start = tap_team(parent_team).start, \
    .stride = tap_team(parent_team).stride, .size = tap_team(parent_team).size
TAP_RETURN(int, team_split_strided, (shmem_team_t parent_team, int start, int stride, int size,
    const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team),
    (parent_team, start, stride, size, config, config_mask, new_team), note_team(&call, new_team); FOUND, OF_PARENT)
TAP_RETURN(int, team_split_2d, (shmem_team_t parent_team, int xrange,
    const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team,
    const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team),
    (parent_team, xrange, xaxis_config, xaxis_mask, xaxis_team, yaxis_config, yaxis_mask, yaxis_team),
    note_team(&call, yaxis_team); note_team(&call, xaxis_team); FOUND, OF_PARENT)
void shmem_team_destroy(shmem_team_t team)
{
    const struct tap_group g = tap_team(team);
    struct tap_call call = {CALLED, .kind = TAP_TEAM_DESTROY, NO_PE, .team = team, .start = g.start,
                            .stride = g.stride, .size = g.size};
    tap_enter(&call);
    if (g.size && team != SHMEM_TEAM_WORLD && team != SHMEM_TEAM_SHARED)
        teams[(uintptr_t)team % TEAMS] = (struct tap_group){0}; /* before another thread can reuse the slot */
    pshmem_team_destroy(team);
    tap_leave(&call);
}

/* --- contexts ----------------------------------------------------------------------------------------------------- */

TAP_RETURN(int, ctx_create, (long options, shmem_ctx_t *ctx), (options, ctx),
    note_context(&call, SHMEM_TEAM_WORLD, ctx); FOUND, .kind = TAP_CONTEXT_CREATE, NO_PE, .team = SHMEM_TEAM_WORLD)
TAP_RETURN(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx), (team, options, ctx),
    note_context(&call, team, ctx); FOUND, .kind = TAP_CONTEXT_CREATE, NO_PE, .team = team)
TAP(ctx_destroy, (shmem_ctx_t ctx), (ctx), .kind = TAP_CONTEXT_DESTROY, NO_PE, .ctx = ctx)
TAP_RETURN(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team), (ctx, team), NOTHING, ASKS, .ctx = ctx)
TAP(ctx_session_start, (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask),
    (ctx, options, config, config_mask), ASKS, .ctx = ctx)
TAP(ctx_session_stop, (shmem_ctx_t ctx), (ctx), ASKS, .ctx = ctx)
