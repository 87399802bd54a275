/* Atomic memory operations (9.7): on one object at a symmetric address on PE pe, which must be aligned to its size.
 *
 * Each comes per type (shmem_long_atomic_add), and with a context (shmem_ctx_long_atomic_add).  The ones named fetch,
 * and both swaps, return the value from before the operation. */

/* atomic_fetch: the value at source (9.7.1.1).  atomic_set: store value at dest (9.7.1.2). */
#define COPAL_FETCH(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch, const T *source, int pe)
#define COPAL_SET(T, N) COPAL_DECL_CTX(void, N##_atomic_set, T *dest, T value, int pe)
COPAL_TYPES_AMO_EXT(COPAL_FETCH)
COPAL_TYPES_AMO_EXT(COPAL_SET)
#undef COPAL_FETCH
#undef COPAL_SET

/* atomic_compare_swap: store value at dest if cond is there (9.7.1.3).  atomic_swap: store value at dest (9.7.1.4). */
#define COPAL_COMPARE_SWAP(T, N) COPAL_DECL_CTX(T, N##_atomic_compare_swap, T *dest, T cond, T value, int pe)
#define COPAL_SWAP(T, N) COPAL_DECL_CTX(T, N##_atomic_swap, T *dest, T value, int pe)
COPAL_TYPES_AMO(COPAL_COMPARE_SWAP)
COPAL_TYPES_AMO_EXT(COPAL_SWAP)
#undef COPAL_COMPARE_SWAP
#undef COPAL_SWAP

/* atomic_inc, atomic_fetch_inc: add 1 to dest (9.7.1.6, 9.7.1.5). */
#define COPAL_INC(T, N) COPAL_DECL_CTX(void, N##_atomic_inc, T *dest, int pe)
#define COPAL_FETCH_INC(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_inc, T *dest, int pe)
COPAL_TYPES_AMO(COPAL_INC)
COPAL_TYPES_AMO(COPAL_FETCH_INC)
#undef COPAL_INC
#undef COPAL_FETCH_INC

/* atomic_add, atomic_fetch_add: add value to dest; integers wrap (9.7.1.8, 9.7.1.7). */
#define COPAL_ADD(T, N) COPAL_DECL_CTX(void, N##_atomic_add, T *dest, T value, int pe)
#define COPAL_FETCH_ADD(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_add, T *dest, T value, int pe)
COPAL_TYPES_AMO(COPAL_ADD)
COPAL_TYPES_AMO(COPAL_FETCH_ADD)
#undef COPAL_ADD
#undef COPAL_FETCH_ADD

/* atomic_and, _or, _xor, atomic_fetch_and, _or, _xor: combine dest with value bit by bit (9.7.1.9 to 9.7.1.14). */
#define COPAL_AND(T, N) COPAL_DECL_CTX(void, N##_atomic_and, T *dest, T value, int pe)
#define COPAL_OR(T, N) COPAL_DECL_CTX(void, N##_atomic_or, T *dest, T value, int pe)
#define COPAL_XOR(T, N) COPAL_DECL_CTX(void, N##_atomic_xor, T *dest, T value, int pe)
#define COPAL_FETCH_AND(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_and, T *dest, T value, int pe)
#define COPAL_FETCH_OR(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_or, T *dest, T value, int pe)
#define COPAL_FETCH_XOR(T, N) COPAL_DECL_CTX(T, N##_atomic_fetch_xor, T *dest, T value, int pe)
COPAL_TYPES_AMO_BIT(COPAL_AND)
COPAL_TYPES_AMO_BIT(COPAL_OR)
COPAL_TYPES_AMO_BIT(COPAL_XOR)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_AND)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_OR)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_XOR)
#undef COPAL_AND
#undef COPAL_OR
#undef COPAL_XOR
#undef COPAL_FETCH_AND
#undef COPAL_FETCH_OR
#undef COPAL_FETCH_XOR

/* atomic_..._nbi: the same operations (9.7.2.1 to 9.7.2.8).  What they return goes to *fetch, here, and may be read
 * after shmem_quiet. */
#define COPAL_FETCH_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_nbi, T *fetch, const T *source, int pe)
#define COPAL_COMPARE_SWAP_NBI(T, N) \
    COPAL_DECL_CTX(void, N##_atomic_compare_swap_nbi, T *fetch, T *dest, T cond, T value, int pe)
#define COPAL_SWAP_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_swap_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_INC_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_inc_nbi, T *fetch, T *dest, int pe)
#define COPAL_FETCH_ADD_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_add_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_AND_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_and_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_OR_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_or_nbi, T *fetch, T *dest, T value, int pe)
#define COPAL_FETCH_XOR_NBI(T, N) COPAL_DECL_CTX(void, N##_atomic_fetch_xor_nbi, T *fetch, T *dest, T value, int pe)
COPAL_TYPES_AMO_EXT(COPAL_FETCH_NBI)
COPAL_TYPES_AMO(COPAL_COMPARE_SWAP_NBI)
COPAL_TYPES_AMO_EXT(COPAL_SWAP_NBI)
COPAL_TYPES_AMO(COPAL_FETCH_INC_NBI)
COPAL_TYPES_AMO(COPAL_FETCH_ADD_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_AND_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_OR_NBI)
COPAL_TYPES_AMO_BIT(COPAL_FETCH_XOR_NBI)
#undef COPAL_FETCH_NBI
#undef COPAL_COMPARE_SWAP_NBI
#undef COPAL_SWAP_NBI
#undef COPAL_FETCH_INC_NBI
#undef COPAL_FETCH_ADD_NBI
#undef COPAL_FETCH_AND_NBI
#undef COPAL_FETCH_OR_NBI
#undef COPAL_FETCH_XOR_NBI

/* Deprecated since 1.4: the old names of atomic_fetch, _set, _swap, _compare_swap, _inc, _fetch_inc, _add,
 * _fetch_add. */
#define COPAL_OLD_FETCH(T, N) COPAL_DECL(T, N##_fetch, (const T *source, int pe))
#define COPAL_OLD_SET(T, N) COPAL_DECL(void, N##_set, (T *dest, T value, int pe))
#define COPAL_OLD_SWAP(T, N) COPAL_DECL(T, N##_swap, (T *dest, T value, int pe))
#define COPAL_OLD_CSWAP(T, N) COPAL_DECL(T, N##_cswap, (T *dest, T cond, T value, int pe))
#define COPAL_OLD_INC(T, N) COPAL_DECL(void, N##_inc, (T *dest, int pe))
#define COPAL_OLD_FINC(T, N) COPAL_DECL(T, N##_finc, (T *dest, int pe))
#define COPAL_OLD_ADD(T, N) COPAL_DECL(void, N##_add, (T *dest, T value, int pe))
#define COPAL_OLD_FADD(T, N) COPAL_DECL(T, N##_fadd, (T *dest, T value, int pe))
COPAL_TYPES_OLD_FETCH(COPAL_OLD_FETCH)
COPAL_TYPES_OLD_FETCH(COPAL_OLD_SET)
COPAL_TYPES_OLD_FETCH(COPAL_OLD_SWAP)
COPAL_TYPES_OLD_ADD(COPAL_OLD_CSWAP)
COPAL_TYPES_OLD_ADD(COPAL_OLD_INC)
COPAL_TYPES_OLD_ADD(COPAL_OLD_FINC)
COPAL_TYPES_OLD_ADD(COPAL_OLD_ADD)
COPAL_TYPES_OLD_ADD(COPAL_OLD_FADD)
#undef COPAL_OLD_FETCH
#undef COPAL_OLD_SET
#undef COPAL_OLD_SWAP
#undef COPAL_OLD_CSWAP
#undef COPAL_OLD_INC
#undef COPAL_OLD_FINC
#undef COPAL_OLD_ADD
#undef COPAL_OLD_FADD
