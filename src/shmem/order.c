/* Ordering (9.12). Within a node all contexts share the processor's order; between nodes each has its own. None at all,
 * SHMEM_CTX_INVALID, is no error here. */
#include "shmem/api.h"

/* False: there is no context. */
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

/* Completion at some PEs: those of other nodes are all asked before the first is waited for.  Within the node, but for
 * what is left to the helper, completion at all of them costs the same. */
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

/* A loop of it may wait for what another PE stores here. */
static void poll_network(void)
{
    if (UNLIKELY(net.polls))
        net_progress();
}

API(void, pe_quiet, (const int *target_pes, size_t npes))
{
    check_initialized(ROUTINE);
    for (size_t i = 0; i < npes; i++)
        check_pe(target_pes[i], ROUTINE);
    for (size_t i = 0; i < npes; i++)
        start_quiet_pe(target_pes[i], VIA_DEFAULT);
    for (size_t i = 0; i < npes; i++)
        end_quiet_pe(target_pes[i], VIA_DEFAULT);
    quiet_here(); /* MUTANT processor's quiet of some PEs */
    poll_network();
}

API(void, ctx_pe_quiet, (shmem_ctx_t ctx, const int *target_pes, size_t npes))
{
    if (!check_context(ctx, ROUTINE))
        return;
    for (size_t i = 0; i < npes; i++)
        context_pe(ctx, target_pes[i], ROUTINE);
    for (size_t i = 0; i < npes; i++)
        start_quiet_pe(context_pe(ctx, target_pes[i], ROUTINE), (via)ctx);
    for (size_t i = 0; i < npes; i++)
        end_quiet_pe(context_pe(ctx, target_pes[i], ROUTINE), (via)ctx);
    quiet_here(); /* MUTANT processor's quiet of a context's PEs */
    poll_network();
}
