/* Signals (9.8): a put that updates a word after the data has arrived. */
#include "shmem/api.h"
#include "shmem/copy.h"
#include "node/overlap.h"

/* The local address of the word, or NULL if it is on another node. */
INLINE uint64_t *signal_at(const uint64_t *sig_addr, int pe, const char *routine)
{
    uint64_t *word = reach_arg("sig_addr", sig_addr, sizeof *word, pe, routine);
    if (UNLIKELY((uintptr_t)sig_addr % sizeof *word != 0))
        job_fatal(routine, "argument sig_addr is %p, allowed is a multiple of %zu", (const void *)sig_addr,
                  sizeof *word);
    return word;
}

static _Noreturn __attribute__((cold)) void no_such_op(int sig_op, const char *routine)
{
    job_fatal(routine, "argument sig_op is %d, allowed are SHMEM_SIGNAL_SET (%d) and SHMEM_SIGNAL_ADD (%d); use the "
              "names, not numbers", sig_op, SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD);
}

/* A put with signal to another node (one message if the data is small), or executed by the NIC. */
__attribute__((cold)) static void put_signal_far(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                                                 uint64_t signal, int sig_op, int pe, via how, const char *routine)
{
    if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
        no_such_op(sig_op, routine);
    if (bytes)
        reach(dest, bytes, pe, routine);
    if (bytes && !source)
        check_copy(dest, source, bytes, routine);
    signal_at(sig_addr, pe, routine);
    net_put_signal(net_of(how), pe, bytes ? place_of(dest) : 0, source, bytes, place_of(sig_addr),
                   sig_op == SHMEM_SIGNAL_SET ? AMO_SET : AMO_ADD, signal, mode_of(how), routine);
    virtual_resume();
}

/* Sets or adds with release order: after all previous puts of this PE. */
INLINE void signal_word(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, via how, const char *routine)
{
    if (UNLIKELY(virtual_on) && node_is_near(pe) && !net.adapter)
        virtual_access(sig_op == SHMEM_SIGNAL_SET ? VIRTUAL_STORE : VIRTUAL_CHANGE, pe, place_of(sig_addr), 0);
    uint64_t *word = signal_at(sig_addr, pe, routine);
    if (UNLIKELY(!word || net.adapter)) {
        put_signal_far(NULL, NULL, 0, sig_addr, signal, sig_op, pe, how, routine);
        return;
    }
    if (LIKELY(sig_op == SHMEM_SIGNAL_SET))
        /* MUTANT signals are stored after: __ATOMIC_RELEASE => __ATOMIC_RELAXED */
        __atomic_store_n(word, signal, __ATOMIC_RELEASE);
    else if (sig_op == SHMEM_SIGNAL_ADD)
        __atomic_fetch_add(word, signal, __ATOMIC_RELEASE);
    else
        no_such_op(sig_op, routine);
    wake(pe, word, sizeof *word);
}

/* A put with signal within the node, by the helper thread. Returns false if the helper does not accept it. */
__attribute__((cold)) static bool put_signal_later(void *dest, const void *source, size_t bytes, uint64_t *sig_addr,
                                                   uint64_t signal, int sig_op, int pe, via how, const char *routine)
{
    check_pe(pe, routine);
    if (sig_op != SHMEM_SIGNAL_SET && sig_op != SHMEM_SIGNAL_ADD)
        no_such_op(sig_op, routine);
    void *to = reach(dest, bytes, pe, routine);
    if (!source || node.debug)
        check_copy(to, source, bytes, routine);
    uint64_t *word = signal_at(sig_addr, pe, routine);
    return !outer_routine && overlap_start(&(struct overlap_copy){to, source, bytes, pe, true, how & ~VIA_NBI, word,
                                                                  signal, sig_op == SHMEM_SIGNAL_ADD});
}

INLINE void put_signal(void *dest, const void *source, size_t nelems, size_t size, uint64_t *sig_addr, uint64_t signal,
                       int sig_op, int pe, via how, const char *routine)
{
    const size_t bytes = bytes_of(nelems, size, routine);
    if (UNLIKELY(net.active && !node_is_near(pe))) {
        check_pe(pe, routine);
        put_signal_far(dest, source, bytes, sig_addr, signal, sig_op, pe, how, routine);
        return;
    }
    if (is_for_later(bytes, how) && !net.adapter &&
        put_signal_later(dest, source, bytes, sig_addr, signal, sig_op, pe, how, routine))
        return;
    /* MUTANT signal after its data here: how & ~VIA_NBI => how */
    put_bytes(dest, source, bytes, pe, how & ~VIA_NBI, routine);
    signal_word(sig_addr, signal, sig_op, pe, how, routine);
}

/* shmem_int_put_signal, shmem_int_put_signal_nbi, shmem_ctx_int_put_signal, shmem_ctx_int_put_signal_nbi,
 * shmem_put64_signal, shmem_put64_signal_nbi, shmem_ctx_put64_signal, shmem_ctx_put64_signal_nbi ... */
#define ARGUMENTS(T) T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe
#define PUT_SIGNAL(FORM, T, SIZE, NAME) FORM(void, NAME, (ARGUMENTS(T)), \
    put_signal(dest, source, nelems, SIZE, sig_addr, signal, sig_op, pe, how, ROUTINE))
#define BOTH(T, SIZE, NAME) PUT_SIGNAL(API_CTX, T, SIZE, NAME) PUT_SIGNAL(API_NBI, T, SIZE, NAME)
#define TYPED(T, N) BOTH(T, sizeof(T), N##_put_signal)
#define SIZED(BITS) BOTH(void, BITS / 8, put##BITS##_signal)
COPAL_TYPES_RMA(TYPED)
COPAL_SIZES(SIZED)
BOTH(void, 1, putmem_signal)

API_CTX(void, signal_add, (uint64_t *sig_addr, uint64_t signal, int pe),
        signal_word(sig_addr, signal, SHMEM_SIGNAL_ADD, pe, how, ROUTINE))
API_CTX(void, signal_set, (uint64_t *sig_addr, uint64_t signal, int pe),
        signal_word(sig_addr, signal, SHMEM_SIGNAL_SET, pe, how, ROUTINE))

API(uint64_t, signal_fetch, (const uint64_t *sig_addr))
{
    if (UNLIKELY(net.active))
        net_asked();
    return __atomic_load_n(signal_at(sig_addr, node.me, ROUTINE), __ATOMIC_ACQUIRE);
}

void shmemx_signal_after(uint64_t *sig_addr, uint64_t signal, int pe)
{
    if (!signal_at(sig_addr, pe, ROUTINE) && net_signal_after(pe, place_of(sig_addr), signal))
        return;
    quiet(VIA_DEFAULT);
    signal_word(sig_addr, signal, SHMEM_SIGNAL_ADD, pe, VIA_DEFAULT, ROUTINE);
}
