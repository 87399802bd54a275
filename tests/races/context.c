/* Contexts: each has its own order and completion. */
/* pes: 3 */
#include "rules.h"

static shmem_ctx_t context(void)
{
    shmem_ctx_t ctx;

    if (shmem_ctx_create(0, &ctx))
        shmem_global_exit(3);
    return ctx;
}

/* 9.12.2, quiet: a quiet of one context does not complete operations of another context. */
RULE(quiet_of_context)
{
    static long word;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
        shmem_ctx_quiet(right ? ctx : SHMEM_CTX_DEFAULT);
    }
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
    shmem_ctx_destroy(ctx);
}

/* 9.10.1, barrier_all: it completes only puts on the default context. */
RULE(barrier_and_context)
{
    static long word;
    shmem_ctx_t ctx = context();

    if (me == 0)
        shmem_ctx_long_p(right ? SHMEM_CTX_DEFAULT : ctx, &word, 1, 1); /* put */
    shmem_barrier_all();
    if (me == 1)
        look(word, 1); /* load */
    shmem_ctx_destroy(ctx);
}

/* 9.12.1, fence: a fence of one context does not order puts of another context. */
RULE(fence_of_context)
{
    static long word, flag;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
        shmem_ctx_fence(right ? ctx : SHMEM_CTX_DEFAULT);
        shmem_ctx_long_p(ctx, &flag, 1, 1);
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        look(word, 1); /* load */
    }
    shmem_ctx_destroy(ctx);
}

/* 9.12.1, fence: if data and flag are put on two contexts, they need a quiet. */
RULE(flag_on_another_context)
{
    static long word, flag;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
        if (right)
            shmem_ctx_quiet(ctx);
        else
            shmem_ctx_fence(ctx);
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        look(word, 1); /* load */
    }
    shmem_ctx_destroy(ctx);
}

/* 9.5.3, ctx_destroy: it completes the puts of the context. */
RULE(destroy_completes)
{
    static long word;
    shmem_ctx_t ctx = context();

    if (me == 0)
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
    if (right)
        shmem_ctx_destroy(ctx);
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
    if (!right)
        shmem_ctx_destroy(ctx);
}

/* 9.6.2.2, get_nbi: its dest may be read after a quiet of its context. */
RULE(get_nbi_of_context)
{
    static long word = 1;
    long dest = 0;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_get_nbi(ctx, &dest, &word, 1, 1); /* get */
        shmem_ctx_quiet(right ? ctx : SHMEM_CTX_DEFAULT);
        look(dest, 1); /* load */
    }
    shmem_ctx_destroy(ctx);
}

/* 9.6.2.1, put_nbi: its source may be changed after a quiet of its context; a barrier does not suffice. */
RULE(put_nbi_of_context)
{
    static long word;
    long source = 1;
    shmem_ctx_t ctx = context();

    if (me == 0)
        shmem_ctx_long_put_nbi(ctx, &word, &source, 1, 1); /* put */
    if (me == 0 && right)
        shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    if (me == 0)
        source = 2; /* store */
    look(source, me == 0 ? 2 : 1);
    shmem_ctx_destroy(ctx);
}

/* 9.12.2, quiet: without it, puts of one PE on two contexts are unordered. */
RULE(two_contexts)
{
    static long word;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* first */
        if (right)
            shmem_ctx_quiet(ctx);
        else
            shmem_ctx_fence(ctx);
        shmem_long_p(&word, 2, 1); /* second */
    }
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    look(word, me == 1 ? 2 : 0);
}

/* 9.8.3, put_signal: on a context, its signal shows its own data; an earlier put on another context needs a quiet. */
RULE(put_signal_on_context)
{
    static long data[2], source[2] = {1, 2};
    static uint64_t signal;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_long_p(&data[0], 1, 1); /* put */
        if (right)
            shmem_quiet();
        else
            shmem_fence();
        shmem_ctx_long_put_signal(ctx, &data[1], &source[1], 1, &signal, 1, SHMEM_SIGNAL_SET, 1);
    }
    if (me == 1) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        look(data[1], 2);
        look(data[0], 1); /* load */
    }
    shmem_ctx_destroy(ctx);
}

/* 9.13, clear_lock: it does not complete puts on contexts other than the default context.
 * wrong: race: put put */
RULE(lock_and_context)
{
    static long lock, word;
    shmem_ctx_t ctx = context();

    if (me < 2) {
        shmem_set_lock(&lock);
        shmem_ctx_long_p(ctx, &word, 1, 2); /* put */
        if (right)
            shmem_ctx_quiet(ctx);
        shmem_clear_lock(&lock);
    }
    shmem_ctx_destroy(ctx);
}

/* 9.9.3, ctx_session_stop: it completes nothing. */
RULE(session)
{
    static long word;
    shmem_ctx_t ctx = context();

    shmem_ctx_session_start(ctx, 0, NULL, 0);
    if (me == 0)
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
    shmem_ctx_session_stop(ctx);
    if (me == 0 && right)
        shmem_ctx_quiet(ctx);
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
    shmem_ctx_destroy(ctx);
}

/* 9.12.3, pe_quiet: on a context, it completes operations on the given PEs only. */
RULE(pe_quiet_of_context)
{
    static long word;
    int target = right ? 1 : 2;
    shmem_ctx_t ctx = context();

    if (me == 0) {
        shmem_ctx_long_p(ctx, &word, 1, 1); /* put */
        shmem_ctx_pe_quiet(ctx, &target, 1);
    }
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
    shmem_ctx_destroy(ctx);
}
