/* Handles and checks that all chapters share. */
#include "shmem/api.h"

#include "node/overlap.h"

int thread_level;
struct team teams[TEAMS];
struct context contexts[CONTEXTS];

struct team *team_find(shmem_team_t handle, const char *routine)
{
    check_initialized(routine);
    struct team *t = &teams[(uintptr_t)handle % TEAMS];
    if (UNLIKELY(handle == SHMEM_TEAM_INVALID || t->handle != handle))
        job_fatal(routine,
                  "argument team is %p, %s; allowed is a predefined team or one that a split made and this PE is in",
                  (void *)handle, handle ? "which is no team or has been destroyed" : "SHMEM_TEAM_INVALID");
    return t;
}

int team_pe(const struct team *team, int pe, const char *routine)
{
    if (UNLIKELY((unsigned)pe >= (unsigned)team->group.size))
        job_fatal(routine, "argument pe is %d, allowed in this team are 0 to %d%s", pe, team->group.size - 1,
                  node_alone());
    return team->group.start + pe * team->group.stride;
}

_Noreturn void context_failed(shmem_ctx_t ctx, int pe, const char *routine)
{
    check_initialized(routine);
    const struct context *c = &contexts[(uintptr_t)ctx % CONTEXTS];
    if (ctx && c->handle == ctx)
        job_fatal(routine, "argument pe is %d, allowed on this context are 0 to %d%s", pe, c->size - 1, node_alone());
    job_fatal(routine, "argument ctx is %p, %s; allowed is SHMEM_CTX_DEFAULT or a context that shmem_ctx_create made",
              (void *)ctx, ctx ? "which is no context or has been destroyed" : "SHMEM_CTX_INVALID");
}

void wait_for_copies(via how, int pe, enum copies which)
{
    overlap_wait((struct overlap_which){how, pe, which == PUTS}, which == PUTS ? "shmem_fence" : "shmem_quiet");
}

/* A static has two addresses in its own PE: the linker's, and one in the window that maps all PEs' statics. */
static uintptr_t shared_address(const void *p)
{
    const uintptr_t at = (uintptr_t)p;
    return at - node.data < node.data_used
               ? node.data_window + (uintptr_t)(node.me * node.data_stride) + (at - node.data)
               : at;
}

void check_overlap(const void *to, size_t to_bytes, const void *from, size_t from_bytes, const char *routine)
{
    const uintptr_t a = shared_address(to), b = shared_address(from);
    if (to_bytes && from_bytes && (a - b < from_bytes || b - a < to_bytes))
        job_fatal(routine,
                  "arguments dest and source overlap: %zu bytes at %p and %zu at %p, allowed are disjoint objects",
                  to_bytes, to, from_bytes, from);
}
