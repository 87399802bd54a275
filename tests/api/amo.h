/* The atomics of OpenSHMEM as one table: what each does to a value, and how to call it, plain and on a context. */
#pragma once

#include "fill.h"

/* One call.  If the operation fetches, `fetch` gets the old value. */
struct amo {
    shmem_ctx_t ctx;
    void *fetch, *dest;
    const void *value, *cond;
    int pe;
};

enum amo_kind { FETCH, SET, SWAP, CSWAP, INC, ADD, AND, OR, XOR };

struct amo_row {
    struct elem elem;
    const char *name;
    enum amo_kind kind;
    bool fetches, nbi;
    void (*call)(const struct amo *);
    void (*ctx_call)(const struct amo *); /* null for the deprecated names, which have no form with a context */
};

/* The new value. It is computed in 64 bits; storing it in the type drops the upper bits. */
static inline uint64_t amo_result(enum amo_kind kind, uint64_t old, uint64_t value, uint64_t cond)
{
    switch (kind) {
    case FETCH: return old;
    case SET: return value;
    case SWAP: return value;
    case CSWAP: return old == cond ? value : old;
    case INC: return old + 1;
    case ADD: return old + value;
    case AND: return old & value;
    case OR: return old | value;
    case XOR: return old ^ value;
    }
    return 0;
}

/* Wrappers that call each atomic with the arguments in a struct amo; there is one for each list of arguments. */
#define AMO_VALUE(OP, T, N) static void do_##OP##_##N(const struct amo *a) \
    { shmem_##N##_atomic_##OP(a->dest, *(const T *)a->value, a->pe); }
#define AMO_CTX_VALUE(OP, T, N) static void do_ctx_##OP##_##N(const struct amo *a) \
    { shmem_ctx_##N##_atomic_##OP(a->ctx, a->dest, *(const T *)a->value, a->pe); }
#define AMO_FETCH(OP, T, N) static void do_##OP##_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_atomic_##OP(a->dest, a->pe); }
#define AMO_CTX_FETCH(OP, T, N) static void do_ctx_##OP##_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_ctx_##N##_atomic_##OP(a->ctx, a->dest, a->pe); }
#define AMO_FETCH_VALUE(OP, T, N) static void do_##OP##_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_atomic_##OP(a->dest, *(const T *)a->value, a->pe); }
#define AMO_CTX_FETCH_VALUE(OP, T, N) static void do_ctx_##OP##_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_ctx_##N##_atomic_##OP(a->ctx, a->dest, *(const T *)a->value, a->pe); }
#define AMO_NBI(OP, T, N) static void do_##OP##_##N(const struct amo *a) \
    { shmem_##N##_atomic_##OP(a->fetch, a->dest, a->pe); }
#define AMO_CTX_NBI(OP, T, N) static void do_ctx_##OP##_##N(const struct amo *a) \
    { shmem_ctx_##N##_atomic_##OP(a->ctx, a->fetch, a->dest, a->pe); }
#define AMO_NBI_VALUE(OP, T, N) static void do_##OP##_##N(const struct amo *a) \
    { shmem_##N##_atomic_##OP(a->fetch, a->dest, *(const T *)a->value, a->pe); }
#define AMO_CTX_NBI_VALUE(OP, T, N) static void do_ctx_##OP##_##N(const struct amo *a) \
    { shmem_ctx_##N##_atomic_##OP(a->ctx, a->fetch, a->dest, *(const T *)a->value, a->pe); }

#define DEFINE_SET(T, N) AMO_VALUE(set, T, N) AMO_CTX_VALUE(set, T, N)
#define DEFINE_ADD(T, N) AMO_VALUE(add, T, N) AMO_CTX_VALUE(add, T, N)
#define DEFINE_AND(T, N) AMO_VALUE(and, T, N) AMO_CTX_VALUE(and, T, N)
#define DEFINE_OR(T, N) AMO_VALUE(or, T, N) AMO_CTX_VALUE(or, T, N)
#define DEFINE_XOR(T, N) AMO_VALUE(xor, T, N) AMO_CTX_VALUE(xor, T, N)
#define DEFINE_FETCH(T, N) AMO_FETCH(fetch, T, N) AMO_CTX_FETCH(fetch, T, N)
#define DEFINE_FETCH_INC(T, N) AMO_FETCH(fetch_inc, T, N) AMO_CTX_FETCH(fetch_inc, T, N)
#define DEFINE_SWAP(T, N) AMO_FETCH_VALUE(swap, T, N) AMO_CTX_FETCH_VALUE(swap, T, N)
#define DEFINE_FETCH_ADD(T, N) AMO_FETCH_VALUE(fetch_add, T, N) AMO_CTX_FETCH_VALUE(fetch_add, T, N)
#define DEFINE_FETCH_AND(T, N) AMO_FETCH_VALUE(fetch_and, T, N) AMO_CTX_FETCH_VALUE(fetch_and, T, N)
#define DEFINE_FETCH_OR(T, N) AMO_FETCH_VALUE(fetch_or, T, N) AMO_CTX_FETCH_VALUE(fetch_or, T, N)
#define DEFINE_FETCH_XOR(T, N) AMO_FETCH_VALUE(fetch_xor, T, N) AMO_CTX_FETCH_VALUE(fetch_xor, T, N)
#define DEFINE_FETCH_NBI(T, N) AMO_NBI(fetch_nbi, T, N) AMO_CTX_NBI(fetch_nbi, T, N)
#define DEFINE_FETCH_INC_NBI(T, N) AMO_NBI(fetch_inc_nbi, T, N) AMO_CTX_NBI(fetch_inc_nbi, T, N)
#define DEFINE_SWAP_NBI(T, N) AMO_NBI_VALUE(swap_nbi, T, N) AMO_CTX_NBI_VALUE(swap_nbi, T, N)
#define DEFINE_FETCH_ADD_NBI(T, N) AMO_NBI_VALUE(fetch_add_nbi, T, N) AMO_CTX_NBI_VALUE(fetch_add_nbi, T, N)
#define DEFINE_FETCH_AND_NBI(T, N) AMO_NBI_VALUE(fetch_and_nbi, T, N) AMO_CTX_NBI_VALUE(fetch_and_nbi, T, N)
#define DEFINE_FETCH_OR_NBI(T, N) AMO_NBI_VALUE(fetch_or_nbi, T, N) AMO_CTX_NBI_VALUE(fetch_or_nbi, T, N)
#define DEFINE_FETCH_XOR_NBI(T, N) AMO_NBI_VALUE(fetch_xor_nbi, T, N) AMO_CTX_NBI_VALUE(fetch_xor_nbi, T, N)
COPAL_TYPES_AMO_EXT(DEFINE_SET)
COPAL_TYPES_AMO_EXT(DEFINE_FETCH)
COPAL_TYPES_AMO_EXT(DEFINE_SWAP)
COPAL_TYPES_AMO_EXT(DEFINE_FETCH_NBI)
COPAL_TYPES_AMO_EXT(DEFINE_SWAP_NBI)
COPAL_TYPES_AMO(DEFINE_ADD)
COPAL_TYPES_AMO(DEFINE_FETCH_INC)
COPAL_TYPES_AMO(DEFINE_FETCH_ADD)
COPAL_TYPES_AMO(DEFINE_FETCH_INC_NBI)
COPAL_TYPES_AMO(DEFINE_FETCH_ADD_NBI)
COPAL_TYPES_AMO_BIT(DEFINE_AND)
COPAL_TYPES_AMO_BIT(DEFINE_OR)
COPAL_TYPES_AMO_BIT(DEFINE_XOR)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_AND)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_OR)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_XOR)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_AND_NBI)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_OR_NBI)
COPAL_TYPES_AMO_BIT(DEFINE_FETCH_XOR_NBI)

/* The two atomics with unusual arguments. */
#define DEFINE_INC(T, N) static void do_inc_##N(const struct amo *a) { shmem_##N##_atomic_inc(a->dest, a->pe); } \
    static void do_ctx_inc_##N(const struct amo *a) { shmem_ctx_##N##_atomic_inc(a->ctx, a->dest, a->pe); }
#define CSWAP_ARGS(T) a->dest, *(const T *)a->cond, *(const T *)a->value, a->pe
#define DEFINE_CSWAP(T, N) static void do_compare_swap_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_atomic_compare_swap(CSWAP_ARGS(T)); }
#define DEFINE_CTX_CSWAP(T, N) static void do_ctx_compare_swap_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_ctx_##N##_atomic_compare_swap(a->ctx, CSWAP_ARGS(T)); }
#define DEFINE_CSWAP_NBI(T, N) static void do_compare_swap_nbi_##N(const struct amo *a) \
    { shmem_##N##_atomic_compare_swap_nbi(a->fetch, CSWAP_ARGS(T)); }
#define DEFINE_CTX_CSWAP_NBI(T, N) static void do_ctx_compare_swap_nbi_##N(const struct amo *a) \
    { shmem_ctx_##N##_atomic_compare_swap_nbi(a->ctx, a->fetch, CSWAP_ARGS(T)); }
COPAL_TYPES_AMO(DEFINE_INC)
COPAL_TYPES_AMO(DEFINE_CSWAP)
COPAL_TYPES_AMO(DEFINE_CTX_CSWAP)
COPAL_TYPES_AMO(DEFINE_CSWAP_NBI)
COPAL_TYPES_AMO(DEFINE_CTX_CSWAP_NBI)

#define AMO_ROW(OP, KIND, FETCHES, NBI, T, N) {ELEM(T, N), #OP, KIND, FETCHES, NBI, do_##OP##_##N, do_ctx_##OP##_##N},
#define ROW_SET(T, N) AMO_ROW(set, SET, false, false, T, N)
#define ROW_FETCH(T, N) AMO_ROW(fetch, FETCH, true, false, T, N) AMO_ROW(fetch_nbi, FETCH, true, true, T, N)
#define ROW_SWAP(T, N) AMO_ROW(swap, SWAP, true, false, T, N) AMO_ROW(swap_nbi, SWAP, true, true, T, N)
#define ROW_CSWAP(T, N) AMO_ROW(compare_swap, CSWAP, true, false, T, N) \
    AMO_ROW(compare_swap_nbi, CSWAP, true, true, T, N)
#define ROW_INC(T, N) AMO_ROW(inc, INC, false, false, T, N) AMO_ROW(fetch_inc, INC, true, false, T, N) \
    AMO_ROW(fetch_inc_nbi, INC, true, true, T, N)
#define ROW_ADD(T, N) AMO_ROW(add, ADD, false, false, T, N) AMO_ROW(fetch_add, ADD, true, false, T, N) \
    AMO_ROW(fetch_add_nbi, ADD, true, true, T, N)
#define ROW_AND(T, N) AMO_ROW(and, AND, false, false, T, N) AMO_ROW(fetch_and, AND, true, false, T, N) \
    AMO_ROW(fetch_and_nbi, AND, true, true, T, N)
#define ROW_OR(T, N) AMO_ROW(or, OR, false, false, T, N) AMO_ROW(fetch_or, OR, true, false, T, N) \
    AMO_ROW(fetch_or_nbi, OR, true, true, T, N)
#define ROW_XOR(T, N) AMO_ROW(xor, XOR, false, false, T, N) AMO_ROW(fetch_xor, XOR, true, false, T, N) \
    AMO_ROW(fetch_xor_nbi, XOR, true, true, T, N)

static const struct amo_row amo_rows[] = {
    COPAL_TYPES_AMO_EXT(ROW_SET)
    COPAL_TYPES_AMO_EXT(ROW_FETCH)
    COPAL_TYPES_AMO_EXT(ROW_SWAP)
    COPAL_TYPES_AMO(ROW_CSWAP)
    COPAL_TYPES_AMO(ROW_INC)
    COPAL_TYPES_AMO(ROW_ADD)
    COPAL_TYPES_AMO_BIT(ROW_AND)
    COPAL_TYPES_AMO_BIT(ROW_OR)
    COPAL_TYPES_AMO_BIT(ROW_XOR)
};
enum { AMO_ROWS = sizeof amo_rows / sizeof amo_rows[0] };
