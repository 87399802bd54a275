/* Atomic memory operations (9.7), including the deprecated names of 1.4.
 *
 * One function of (operation, bytes) is inlined into each typed name. Both are constants there, so only the address
 * check and one processor instruction remain. A processor of the word's node executes each atomic on it (src/net), or
 * the NICs execute all atomics, also those on words of the local node. */
#include "time/virtual.h"
#include "node/amo.h"
#include "shmem/api.h"

#include <string.h>

/* The bits of an integer or real of 4 or 8 bytes; 0 if value is NULL, because the operation has no such operand. */
INLINE uint64_t bits_of(const void *value, size_t size)
{
    uint64_t b8 = 0;
    uint32_t b4 = 0;
    if (value && size == 8)
        memcpy(&b8, value, 8);
    else if (value)
        memcpy(&b4, value, 4);
    return size == 8 ? b8 : b4;
}

INLINE void store_bits(void *to, uint64_t bits, size_t size)
{
    const uint32_t b4 = (uint32_t)bits;
    memcpy(to, size == 8 ? (const void *)&bits : (const void *)&b4, size);
}

/* One operation: dest at PE pe; value and cond are the bits of operands. */
struct request {
    enum amo op;
    size_t size;
    void *dest;
    uint64_t value, cond;
    void *old; /* receives the old value, or NULL */
    int pe;
    via how;
};

__attribute__((cold)) static void amo_far(const struct request *r, const char *routine)
{
    const place word = place_of(r->dest);
    if (!r->old)
        net_amo_post(net_of(r->how), r->op, r->pe, word, r->size, r->value);
    else if (mode_of(r->how) == NET_NBI)
        net_amo_nbi(net_of(r->how), r->op, r->old, r->pe, word, r->size, r->value, r->cond);
    else
        store_bits(r->old, net_amo(net_of(r->how), r->op, r->pe, word, r->size, r->value, r->cond, routine), r->size);
}

/* The operation, with all checks. */
__attribute__((cold, noinline)) static void amo_slowly(const struct request *r, const char *routine)
{
    const char *arg = r->op == AMO_FETCH ? "source" : "dest";
    if (UNLIKELY(virtual_on) && node_is_near(r->pe) && !net.adapter)
        virtual_access(r->op == AMO_FETCH ? VIRTUAL_LOAD : VIRTUAL_CHANGE, r->pe, place_of(r->dest), 0);
    void *word = reach_arg(arg, r->dest, r->size, r->pe, routine);
    if ((uintptr_t)r->dest % r->size != 0)
        job_fatal(routine, "argument %s is %p, allowed for an atomic operation is a multiple of %zu", arg, r->dest,
                  r->size);
    if (!word || net.adapter) {
        amo_far(r, routine);
        virtual_resume();
        return;
    }
    uint64_t before = amo_apply(r->op, word, r->size, r->value, r->cond);
    wake(r->pe, word, r->size);
    if (r->old)
        store_bits(r->old, before, r->size);
    virtual_resume();
}

/* The operation on dest at PE pe; value, cond and old are operands of size bytes or NULL. */
INLINE void amo(enum amo op, void *dest, size_t size, const void *value, const void *cond, void *old, int pe, via how,
                const char *routine)
{
    const uint64_t value_bits = bits_of(value, size), cond_bits = bits_of(cond, size);
    void *word;
    if (UNLIKELY(net.adapter || !reach_at_once(&word, dest, size, pe) || (uintptr_t)word % size != 0)) {
        amo_slowly(&(struct request){op, size, dest, value_bits, cond_bits, old, pe, how}, routine);
        return;
    }
    const uint64_t before = amo_apply(op, word, size, value_bits, cond_bits);
    if (op != AMO_FETCH)
        wake(pe, word, size);
    if (old)
        store_bits(old, before, size);
}

/* dest (value) -> nothing */
#define UPDATE(FORM, OP, T, NAME) FORM(void, NAME, (T *dest, T value, int pe), \
    amo(OP, dest, sizeof(T), &value, NULL, NULL, pe, how, ROUTINE))

/* dest (value) -> old value */
#define EXCHANGE(FORM, OP, T, NAME) FORM(T, NAME, (T *dest, T value, int pe), \
    T old; amo(OP, dest, sizeof(T), &value, NULL, &old, pe, how, ROUTINE); return old)
#define EXCHANGE_NBI(OP, T, NAME) API_NBI(void, NAME, (T *fetch, T *dest, T value, int pe), \
    amo(OP, dest, sizeof(T), &value, NULL, fetch, pe, how, ROUTINE))
#define EXCHANGES(OP, T, NAME) EXCHANGE(API_CTX, OP, T, NAME) EXCHANGE_NBI(OP, T, NAME)

/* shmem_int_atomic_set, shmem_ctx_int_atomic_set, shmem_int_atomic_add, shmem_ctx_int_atomic_add,
 * shmem_uint_atomic_and, shmem_ctx_uint_atomic_and, shmem_uint_atomic_or, shmem_ctx_uint_atomic_or,
 * shmem_uint_atomic_xor, shmem_ctx_uint_atomic_xor ... */
#define SET(T, N) UPDATE(API_CTX, AMO_SET, T, N##_atomic_set)
#define ADD(T, N) UPDATE(API_CTX, AMO_ADD, T, N##_atomic_add)
#define AND(T, N) UPDATE(API_CTX, AMO_AND, T, N##_atomic_and)
#define OR(T, N) UPDATE(API_CTX, AMO_OR, T, N##_atomic_or)
#define XOR(T, N) UPDATE(API_CTX, AMO_XOR, T, N##_atomic_xor)
COPAL_TYPES_AMO_EXT(SET)
COPAL_TYPES_AMO(ADD)
COPAL_TYPES_AMO_BIT(AND)
COPAL_TYPES_AMO_BIT(OR)
COPAL_TYPES_AMO_BIT(XOR)

/* shmem_int_atomic_swap, shmem_ctx_int_atomic_swap, shmem_int_atomic_swap_nbi, shmem_ctx_int_atomic_swap_nbi,
 * shmem_int_atomic_fetch_add, shmem_ctx_int_atomic_fetch_add, shmem_int_atomic_fetch_add_nbi,
 * shmem_ctx_int_atomic_fetch_add_nbi, shmem_uint_atomic_fetch_and, shmem_ctx_uint_atomic_fetch_and,
 * shmem_uint_atomic_fetch_and_nbi, shmem_ctx_uint_atomic_fetch_and_nbi, shmem_uint_atomic_fetch_or,
 * shmem_ctx_uint_atomic_fetch_or, shmem_uint_atomic_fetch_or_nbi, shmem_ctx_uint_atomic_fetch_or_nbi,
 * shmem_uint_atomic_fetch_xor, shmem_ctx_uint_atomic_fetch_xor, shmem_uint_atomic_fetch_xor_nbi,
 * shmem_ctx_uint_atomic_fetch_xor_nbi ... */
#define SWAP(T, N) EXCHANGES(AMO_SWAP, T, N##_atomic_swap)
#define FETCH_ADD(T, N) EXCHANGES(AMO_ADD, T, N##_atomic_fetch_add)
#define FETCH_AND(T, N) EXCHANGES(AMO_AND, T, N##_atomic_fetch_and)
#define FETCH_OR(T, N) EXCHANGES(AMO_OR, T, N##_atomic_fetch_or)
#define FETCH_XOR(T, N) EXCHANGES(AMO_XOR, T, N##_atomic_fetch_xor)
COPAL_TYPES_AMO_EXT(SWAP)
COPAL_TYPES_AMO(FETCH_ADD)
COPAL_TYPES_AMO_BIT(FETCH_AND)
COPAL_TYPES_AMO_BIT(FETCH_OR)
COPAL_TYPES_AMO_BIT(FETCH_XOR)

/* shmem_int_atomic_inc, shmem_ctx_int_atomic_inc, shmem_int_atomic_fetch_inc, shmem_ctx_int_atomic_fetch_inc,
 * shmem_int_atomic_fetch_inc_nbi, shmem_ctx_int_atomic_fetch_inc_nbi ... */
#define INCREMENT(FORM, T, NAME) FORM(void, NAME, (T *dest, int pe), \
    const T one = 1; amo(AMO_ADD, dest, sizeof(T), &one, NULL, NULL, pe, how, ROUTINE))
#define FETCH_INCREMENT(FORM, T, NAME) FORM(T, NAME, (T *dest, int pe), \
    const T one = 1; T old; amo(AMO_ADD, dest, sizeof(T), &one, NULL, &old, pe, how, ROUTINE); return old)
#define INC(T, N) INCREMENT(API_CTX, T, N##_atomic_inc)
#define FETCH_INC(T, N) FETCH_INCREMENT(API_CTX, T, N##_atomic_fetch_inc)
#define FETCH_INC_NBI(T, N) API_NBI(void, N##_atomic_fetch_inc, (T *fetch, T *dest, int pe), \
    const T one = 1; amo(AMO_ADD, dest, sizeof(T), &one, NULL, fetch, pe, how, ROUTINE))
COPAL_TYPES_AMO(INC)
COPAL_TYPES_AMO(FETCH_INC)
COPAL_TYPES_AMO(FETCH_INC_NBI)

/* shmem_int_atomic_fetch, shmem_ctx_int_atomic_fetch, shmem_int_atomic_fetch_nbi,
 * shmem_ctx_int_atomic_fetch_nbi ... */
#define READ(FORM, T, NAME) FORM(T, NAME, (const T *source, int pe), \
    T old; amo(AMO_FETCH, (T *)source, sizeof(T), NULL, NULL, &old, pe, how, ROUTINE); return old)
#define FETCH(T, N) READ(API_CTX, T, N##_atomic_fetch)
#define FETCH_NBI(T, N) API_NBI(void, N##_atomic_fetch, (T *fetch, const T *source, int pe), \
    amo(AMO_FETCH, (T *)source, sizeof(T), NULL, NULL, fetch, pe, how, ROUTINE))
COPAL_TYPES_AMO_EXT(FETCH)
COPAL_TYPES_AMO_EXT(FETCH_NBI)

/* shmem_int_atomic_compare_swap, shmem_ctx_int_atomic_compare_swap, shmem_int_atomic_compare_swap_nbi,
 * shmem_ctx_int_atomic_compare_swap_nbi ... */
#define COMPARE_SWAP(FORM, T, NAME) FORM(T, NAME, (T *dest, T cond, T value, int pe), \
    T old; amo(AMO_CSWAP, dest, sizeof(T), &value, &cond, &old, pe, how, ROUTINE); return old)
#define CSWAP(T, N) COMPARE_SWAP(API_CTX, T, N##_atomic_compare_swap)
#define CSWAP_NBI(T, N) API_NBI(void, N##_atomic_compare_swap, (T *fetch, T *dest, T cond, T value, int pe), \
    amo(AMO_CSWAP, dest, sizeof(T), &value, &cond, fetch, pe, how, ROUTINE))
COPAL_TYPES_AMO(CSWAP)
COPAL_TYPES_AMO(CSWAP_NBI)

/* The names before 1.4. */
/* shmem_int_fetch, shmem_int_set, shmem_int_swap, shmem_int_cswap, shmem_int_finc, shmem_int_inc, shmem_int_fadd,
 * shmem_int_add ... */
#define OLD_FETCH(T, N) READ(API_PE, T, N##_fetch)
#define OLD_SET(T, N) UPDATE(API_PE, AMO_SET, T, N##_set)
#define OLD_SWAP(T, N) EXCHANGE(API_PE, AMO_SWAP, T, N##_swap)
#define OLD_CSWAP(T, N) COMPARE_SWAP(API_PE, T, N##_cswap)
#define OLD_FINC(T, N) FETCH_INCREMENT(API_PE, T, N##_finc)
#define OLD_INC(T, N) INCREMENT(API_PE, T, N##_inc)
#define OLD_FADD(T, N) EXCHANGE(API_PE, AMO_ADD, T, N##_fadd)
#define OLD_ADD(T, N) UPDATE(API_PE, AMO_ADD, T, N##_add)
COPAL_TYPES_OLD_FETCH(OLD_FETCH)
COPAL_TYPES_OLD_FETCH(OLD_SET)
COPAL_TYPES_OLD_FETCH(OLD_SWAP)
COPAL_TYPES_OLD_ADD(OLD_CSWAP)
COPAL_TYPES_OLD_ADD(OLD_FINC)
COPAL_TYPES_OLD_ADD(OLD_INC)
COPAL_TYPES_OLD_ADD(OLD_FADD)
COPAL_TYPES_OLD_ADD(OLD_ADD)
