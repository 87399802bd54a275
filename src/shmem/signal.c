/* Signals (9.8): a put and the word that tells of it. */
#include "shmem/api.h"
#include "shmem/copy.h"

INLINE uint64_t *signal_at(const uint64_t *sig_addr, int pe, const char *routine)
{
    uint64_t *word = reach_arg("sig_addr", sig_addr, sizeof *word, pe, routine);
    if (UNLIKELY((uintptr_t)word % sizeof *word != 0))
        job_fatal(routine, "argument sig_addr is %p, allowed is a multiple of %zu", (const void *)sig_addr, sizeof *word);
    return word;
}

/* Stores or adds after all that this PE has put before: a release. */
INLINE void signal_word(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, const char *routine)
{
    uint64_t *word = signal_at(sig_addr, pe, routine);
    if (LIKELY(sig_op == SHMEM_SIGNAL_SET))
        __atomic_store_n(word, signal, __ATOMIC_RELEASE);
    else if (sig_op == SHMEM_SIGNAL_ADD)
        __atomic_fetch_add(word, signal, __ATOMIC_RELEASE);
    else
        job_fatal(routine, "argument sig_op is %d, allowed are SHMEM_SIGNAL_SET (%d) and SHMEM_SIGNAL_ADD (%d)", sig_op,
                  SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD);
    wake(pe, word, sizeof *word);
}

INLINE void put_signal(void *dest, const void *source, size_t nelems, size_t size, uint64_t *sig_addr, uint64_t signal,
                       int sig_op, int pe, const char *routine)
{
    put_bytes(dest, source, bytes_of(nelems, size, routine), pe, routine);
    signal_word(sig_addr, signal, sig_op, pe, routine);
}

#define ARGUMENTS(T) T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe
#define PUT_SIGNAL(SIZE) put_signal(dest, source, nelems, SIZE, sig_addr, signal, sig_op, pe, ROUTINE)
#define CTX_PUT_SIGNAL(SIZE) \
    put_signal(dest, source, nelems, SIZE, sig_addr, signal, sig_op, context_pe(ctx, pe, ROUTINE), ROUTINE)

#define TYPED(T, N) API(void, N##_put_signal, (ARGUMENTS(T))) { PUT_SIGNAL(sizeof(T)); } \
    API(void, N##_put_signal_nbi, (ARGUMENTS(T))) { PUT_SIGNAL(sizeof(T)); }
#define CTX_TYPED(T, N) API(void, ctx_##N##_put_signal, (shmem_ctx_t ctx, ARGUMENTS(T))) { CTX_PUT_SIGNAL(sizeof(T)); } \
    API(void, ctx_##N##_put_signal_nbi, (shmem_ctx_t ctx, ARGUMENTS(T))) { CTX_PUT_SIGNAL(sizeof(T)); }
COPAL_TYPES_RMA(TYPED)
COPAL_TYPES_RMA(CTX_TYPED)

#define SIZED(BITS) API(void, put##BITS##_signal, (ARGUMENTS(void))) { PUT_SIGNAL(BITS / 8); } \
    API(void, put##BITS##_signal_nbi, (ARGUMENTS(void))) { PUT_SIGNAL(BITS / 8); }
#define CTX_SIZED(BITS) API(void, ctx_put##BITS##_signal, (shmem_ctx_t ctx, ARGUMENTS(void))) { CTX_PUT_SIGNAL(BITS / 8); } \
    API(void, ctx_put##BITS##_signal_nbi, (shmem_ctx_t ctx, ARGUMENTS(void))) { CTX_PUT_SIGNAL(BITS / 8); }
COPAL_SIZES(SIZED)
COPAL_SIZES(CTX_SIZED)

API(void, putmem_signal, (ARGUMENTS(void)))
{
    PUT_SIGNAL(1);
}

API(void, ctx_putmem_signal, (shmem_ctx_t ctx, ARGUMENTS(void)))
{
    CTX_PUT_SIGNAL(1);
}

API(void, putmem_signal_nbi, (ARGUMENTS(void)))
{
    PUT_SIGNAL(1);
}

API(void, ctx_putmem_signal_nbi, (shmem_ctx_t ctx, ARGUMENTS(void)))
{
    CTX_PUT_SIGNAL(1);
}

API(void, signal_add, (uint64_t *sig_addr, uint64_t signal, int pe))
{
    signal_word(sig_addr, signal, SHMEM_SIGNAL_ADD, pe, ROUTINE);
}

API(void, ctx_signal_add, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))
{
    signal_word(sig_addr, signal, SHMEM_SIGNAL_ADD, context_pe(ctx, pe, ROUTINE), ROUTINE);
}

API(void, signal_set, (uint64_t *sig_addr, uint64_t signal, int pe))
{
    signal_word(sig_addr, signal, SHMEM_SIGNAL_SET, pe, ROUTINE);
}

API(void, ctx_signal_set, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe))
{
    signal_word(sig_addr, signal, SHMEM_SIGNAL_SET, context_pe(ctx, pe, ROUTINE), ROUTINE);
}

API(uint64_t, signal_fetch, (const uint64_t *sig_addr))
{
    return __atomic_load_n(signal_at(sig_addr, node.me, ROUTINE), __ATOMIC_ACQUIRE);
}
