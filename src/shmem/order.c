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

/* Completion at some PEs; on a node completion at all of them costs the same. */
API(void, pe_quiet, (const int *target_pes, size_t npes))
{
    check_initialized(ROUTINE);
    for (size_t i = 0; i < npes; i++)
        check_pe(target_pes[i], ROUTINE);
    quiet();
}

API(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes))
{
    check_context(ctx, ROUTINE);
    for (size_t i = 0; i < npes && ctx != SHMEM_CTX_INVALID; i++)
        context_pe(ctx, target_pes[i], ROUTINE);
    quiet();
}
