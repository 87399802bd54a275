/* Contexts (9.5) and sessions (9.9). Within a node, operations are complete on return, so a context has only its team,
 * which numbers the PEs. Between nodes, a context also tracks the operations for which a quiet waits. */
#include "shmem/api.h"

#include "time/virtual.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects contexts, ever_used, freed and team.contexts */
static unsigned ever_used;       /* positions from here on have never been used */
static uint16_t freed[CONTEXTS]; /* a stack of positions that have been used and are free */
static unsigned n_freed;
_Static_assert(CONTEXTS - 1 <= UINT16_MAX, "a position fits");

/* A handle: the position in the table is in its low bits, the number of uses of that position above them. */
static shmem_ctx_t handle_of(const struct context *c)
{
    return (shmem_ctx_t)((uintptr_t)c->uses * CONTEXTS + (uintptr_t)(c - contexts));
}

void contexts_begin(void)
{
    for (unsigned i = 0; i < ever_used; i++)
        contexts[i].handle = SHMEM_CTX_INVALID;
    ever_used = 2;
    n_freed = 0;
    contexts[1] = (struct context){
        .handle = SHMEM_CTX_DEFAULT, .stride = 1, .size = node.n_pes, .team = SHMEM_TEAM_WORLD, .net = net_default};
}

/* take returns a free position or NULL; give frees it again. The caller of either holds the lock. */
static struct context *take(void)
{
    if (n_freed)
        return &contexts[freed[--n_freed]];
    return ever_used < CONTEXTS ? &contexts[ever_used++] : NULL;
}

static void give(struct context *c)
{
    c->handle = SHMEM_CTX_INVALID;
    freed[n_freed++] = (uint16_t)(c - contexts);
}

static int create(struct team *team, long options, shmem_ctx_t *ctx, const char *routine)
{
    if (!ctx)
        job_fatal(routine, "argument ctx is a null pointer, allowed is the address of a shmem_ctx_t");
    *ctx = SHMEM_CTX_INVALID;
    const long known = SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE;
    if (options & ~known)
        job_fatal(routine,
                  "argument options is %#lx, allowed are 0 and an OR of SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE and "
                  "SHMEM_CTX_NOSTORE",
                  options);
    if (virtual_on)
        virtual_turn(); /* often the first call of a thread */
    pthread_mutex_lock(&lock);
    struct context *c = take();
    const bool alone = (options & SHMEM_CTX_PRIVATE) && thread_level == SHMEM_THREAD_MULTIPLE;
    struct net_context *const far = c && net.active ? net_context_open(alone) : NULL;
    if (c && net.active && !far) {
        give(c);
    } else if (c) {
        const struct shcoll_group *g = &team->group;
        *c = (struct context){.uses = c->uses + 1, .start = g->start, .stride = g->stride, .size = g->size,
                              .team = team->handle, .net = far};
        *ctx = c->handle = handle_of(c);
        team->contexts++;
    }
    pthread_mutex_unlock(&lock);
    return *ctx == SHMEM_CTX_INVALID;
}

API(int, ctx_create, (long options, shmem_ctx_t *ctx))
{
    return create(team_find(SHMEM_TEAM_WORLD, ROUTINE), options, ctx, ROUTINE);
}

API(int, team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx))
{
    check_initialized(ROUTINE);
    if (team == SHMEM_TEAM_INVALID) {
        *ctx = SHMEM_CTX_INVALID;
        return 1;
    }
    return create(team_find(team, ROUTINE), options, ctx, ROUTINE);
}

/* Completes pending operations before it takes the lock, because an alert handler may leave that wait by longjmp. */
static void destroy(struct context *c, const char *routine)
{
    quiet((via)c->handle); /* MUTANT an ended context is complete */
    if (net.active)
        net_context_close(c->net);
    pthread_mutex_lock(&lock);
    team_find(c->team, routine)->contexts--;
    give(c);
    pthread_mutex_unlock(&lock);
}

API(void, ctx_destroy, (shmem_ctx_t ctx))
{
    check_initialized(ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return;
    if (ctx == SHMEM_CTX_DEFAULT)
        job_fatal(ROUTINE, "argument ctx is SHMEM_CTX_DEFAULT, allowed is a context that shmem_ctx_create made");
    destroy(context_find(ctx, ROUTINE), ROUTINE);
}

/* The team's next context after c that is not destroyed, or NULL. */
static struct context *next_of(const struct team *team, struct context *c)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    while (team->contexts && !found)
        found = (++c)->handle && c->team == team->handle;
    pthread_mutex_unlock(&lock);
    return found ? c : NULL;
}

void contexts_end_of_team(const struct team *team, const char *routine)
{
    for (struct context *c = contexts; (c = next_of(team, c));)
        destroy(c, routine);
}

API(int, ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team))
{
    check_initialized(ROUTINE);
    *team = SHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID)
        return 1;
    *team = context_find(ctx, ROUTINE)->team;
    return 0;
}

/* Sessions are hints to a network; on a node there is nothing to batch. */
API(void, ctx_session_start,
    (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask))
{
    check_initialized(ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return;
    context_find(ctx, ROUTINE);
    if (options & ~SHMEM_CTX_SESSION_BATCH)
        job_fatal(ROUTINE, "argument options is %#lx, allowed are 0 and SHMEM_CTX_SESSION_BATCH", options);
    if (config_mask & ~SHMEM_CTX_SESSION_TOTAL_OPS)
        job_fatal(ROUTINE, "argument config_mask is %#lx, allowed are 0 and SHMEM_CTX_SESSION_TOTAL_OPS", config_mask);
    if (config_mask && !config)
        job_fatal(ROUTINE, "argument config is a null pointer with a config_mask of %#lx", config_mask);
    if (net.active)
        net_context_batch(net_of((via)ctx), options & SHMEM_CTX_SESSION_BATCH);
}

API(void, ctx_session_stop, (shmem_ctx_t ctx))
{
    check_initialized(ROUTINE);
    if (ctx == SHMEM_CTX_INVALID)
        return;
    context_find(ctx, ROUTINE);
    if (net.active)
        net_context_batch(net_of((via)ctx), false);
}
