/* Ordering (9.12). Within a node all contexts share the processor's order, so a context is only checked; none at all,
 * SHMEM_CTX_INVALID, is no error here. */
#include "shmem/api.h"

static void check_context(shmem_ctx_t ctx, const char *routine)
{
    check_initialized(routine);
    if (ctx != SHMEM_CTX_INVALID)
        context_find(ctx, routine);
}

API(void, fence, (void))
{
    check_initialized(ROUTINE);
    fence();
}

API(void, ctx_fence, (shmem_ctx_t ctx))
{
    check_context(ctx, ROUTINE);
    fence();
}

API(void, quiet, (void))
{
    check_initialized(ROUTINE);
    quiet();
}

API(void, ctx_quiet, (shmem_ctx_t ctx))
{
    check_context(ctx, ROUTINE);
    quiet();
}

/* Completion at one PE; on a node completion at all of them costs the same. */
API(void, pe_quiet, (int target_pe))
{
    check_pe(target_pe, ROUTINE);
    quiet();
}

API(void, ctx_pe_quiet, (shmem_ctx_t ctx, int target_pe))
{
    check_context(ctx, ROUTINE);
    if (ctx != SHMEM_CTX_INVALID)
        context_pe(ctx, target_pe, ROUTINE);
    quiet();
}
