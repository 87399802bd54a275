/* Ordering (9.12). Within a node, the processor orders the operations of all contexts; between nodes, each context has
 * an order of its own. SHMEM_CTX_INVALID is allowed. */
#include "shmem/api.h"

/* Returns false if ctx is SHMEM_CTX_INVALID. */
static bool check_context(shmem_ctx_t ctx, const char *routine)
{
    check_initialized(routine);
    if (ctx != SHMEM_CTX_INVALID)
        context_find(ctx, routine);
    return ctx != SHMEM_CTX_INVALID;
}

API(void, fence, (void))
{
    check_initialized(ROUTINE);
    fence(VIA_DEFAULT);
}

API(void, ctx_fence, (shmem_ctx_t ctx))
{
    if (check_context(ctx, ROUTINE))
        fence((via)ctx);
}

API(void, quiet, (void))
{
    check_initialized(ROUTINE);
    quiet(VIA_DEFAULT);
}

API(void, ctx_quiet, (shmem_ctx_t ctx))
{
    if (check_context(ctx, ROUTINE))
        quiet((via)ctx);
}

/* Starts the completion at one of several PEs: requests to all remote PEs precede the wait for the first reply.  Within
 * the node, quiet_here serves all PEs; only the helper thread's copies are awaited for each PE. */
static void start_quiet_pe(int pe, via how)
{
    if (!node_is_near(pe) || net.adapter) /* MUTANT quiet of some PEs starts */
        net_start_quiet_pe(net_of(how), pe);
}

static void end_quiet_pe(int pe, via how)
{
    if (!node_is_near(pe) || net.adapter)
        net_end_quiet_pe(net_of(how), pe); /* MUTANT quiet of some PEs waits */
    if (node_is_near(pe) && copies_left())
        wait_for_copies(how, pe, PUTS_AND_GETS); /* MUTANT quiet of a PE waits for copies */
}

static void quiet_pes(shmem_ctx_t ctx, const int *target_pes, size_t npes, const char *routine)
{
    for (size_t i = 0; i < npes; i++)
        context_pe(ctx, target_pes[i], routine);
    for (size_t i = 0; i < npes; i++)
        start_quiet_pe(context_pe(ctx, target_pes[i], routine), (via)ctx);
    for (size_t i = 0; i < npes; i++)
        end_quiet_pe(context_pe(ctx, target_pes[i], routine), (via)ctx);
    quiet_here(); /* MUTANT processor's quiet of some PEs */
    /* The program may call the routine in a loop that waits for another PE's store to this PE. */
    if (UNLIKELY(net.polls))
        net_progress();
}

API(void, pe_quiet, (const int *target_pes, size_t npes))
{
    check_initialized(ROUTINE);
    for (size_t i = 0; i < npes; i++)
        check_pe(target_pes[i], ROUTINE);
    quiet_pes(SHMEM_CTX_DEFAULT, target_pes, npes, ROUTINE);
}

API(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes))
{
    if (check_context(ctx, ROUTINE))
        quiet_pes(ctx, target_pes, npes, ROUTINE);
}
