/* Atomics (9.7), with their old names. */
#include "tap/wrap.h"

#define FETCH_ONLY TAP_READS
#define UPDATE TAP_WRITES
#define BOTH (TAP_READS | TAP_WRITES)
#define ATOMIC(T, FLAGS) .kind = TAP_ATOMIC, .flags = FLAGS, .dest = dest, .bytes = sizeof(T), .count = 1, \
    STEPS(1, 0, sizeof(T))
#define LOAD(T, FLAGS) .kind = TAP_ATOMIC, .flags = FLAGS, .dest = (void *)source, .bytes = sizeof(T), .count = 1, \
    STEPS(1, 0, sizeof(T))

/* One atomic of a type, with its parameters, its arguments, its flags and its value. */
#define SET(N, T) TAP_CTX(N, (T *dest, T value, int pe), (dest, value, pe), ATOMIC(T, UPDATE), VALUE)
#define BUMP(N, T) TAP_CTX(N, (T *dest, int pe), (dest, pe), ATOMIC(T, UPDATE), .value = 1)
#define FETCH(N, T) TAP_RETURN_CTX(T, N, (const T *source, int pe), (source, pe), NOTHING, LOAD(T, FETCH_ONLY))
#define FETCH_BUMP(N, T) TAP_RETURN_CTX(T, N, (T *dest, int pe), (dest, pe), NOTHING, ATOMIC(T, BOTH), .value = 1)
#define FETCH_SET(N, T) \
    TAP_RETURN_CTX(T, N, (T *dest, T value, int pe), (dest, value, pe), NOTHING, ATOMIC(T, BOTH), VALUE)
#define SWAP_IF(N, T) TAP_RETURN_CTX(T, N, (T *dest, T cond, T value, int pe), (dest, cond, value, pe), NOTHING, \
    ATOMIC(T, BOTH), VALUE)

/* Nonblocking: the fetched value arrives in fetch. */
#define LATER(FLAGS) (FLAGS) | TAP_NONBLOCKING
#define FETCH_NBI(N, T) TAP_CTX(N, (T *fetch, const T *source, int pe), (fetch, source, pe), \
    LOAD(T, LATER(FETCH_ONLY)), .fetch = fetch)
#define FETCH_BUMP_NBI(N, T) TAP_CTX(N, (T *fetch, T *dest, int pe), (fetch, dest, pe), \
    ATOMIC(T, LATER(BOTH)), .fetch = fetch, .value = 1)
#define FETCH_SET_NBI(N, T) TAP_CTX(N, (T *fetch, T *dest, T value, int pe), (fetch, dest, value, pe), \
    ATOMIC(T, LATER(BOTH)), .fetch = fetch, VALUE)
#define SWAP_IF_NBI(N, T) TAP_CTX(N, (T *fetch, T *dest, T cond, T value, int pe), (fetch, dest, cond, value, pe), \
    ATOMIC(T, LATER(BOTH)), .fetch = fetch, VALUE)

/* shmem_int_atomic_fetch, shmem_int_atomic_set, shmem_int_atomic_swap, shmem_int_atomic_fetch_nbi,
 * shmem_int_atomic_swap_nbi */
#define EXTENDED(T, N) FETCH(N##_atomic_fetch, T) SET(N##_atomic_set, T) FETCH_SET(N##_atomic_swap, T) \
    FETCH_NBI(N##_atomic_fetch_nbi, T) FETCH_SET_NBI(N##_atomic_swap_nbi, T)
COPAL_TYPES_AMO_EXT(EXTENDED)

/* shmem_int_atomic_compare_swap, shmem_int_atomic_inc, shmem_int_atomic_add, shmem_int_atomic_fetch_inc,
 * shmem_int_atomic_fetch_add, and those with _nbi */
#define STANDARD(T, N) SWAP_IF(N##_atomic_compare_swap, T) BUMP(N##_atomic_inc, T) SET(N##_atomic_add, T) \
    FETCH_BUMP(N##_atomic_fetch_inc, T) FETCH_SET(N##_atomic_fetch_add, T)
#define STANDARD_NBI(T, N) SWAP_IF_NBI(N##_atomic_compare_swap_nbi, T) \
    FETCH_BUMP_NBI(N##_atomic_fetch_inc_nbi, T) FETCH_SET_NBI(N##_atomic_fetch_add_nbi, T)
COPAL_TYPES_AMO(STANDARD)
COPAL_TYPES_AMO(STANDARD_NBI)

/* shmem_uint_atomic_and, shmem_uint_atomic_or, shmem_uint_atomic_xor, shmem_uint_atomic_fetch_and,
 * shmem_uint_atomic_fetch_or, shmem_uint_atomic_fetch_xor, and the latter with _nbi */
#define BITS(T, N) SET(N##_atomic_and, T) SET(N##_atomic_or, T) SET(N##_atomic_xor, T) \
    FETCH_SET(N##_atomic_fetch_and, T) FETCH_SET(N##_atomic_fetch_or, T) FETCH_SET(N##_atomic_fetch_xor, T)
#define BITS_NBI(T, N) FETCH_SET_NBI(N##_atomic_fetch_and_nbi, T) FETCH_SET_NBI(N##_atomic_fetch_or_nbi, T) \
    FETCH_SET_NBI(N##_atomic_fetch_xor_nbi, T)
COPAL_TYPES_AMO_BIT(BITS)
COPAL_TYPES_AMO_BIT(BITS_NBI)

/* The old names have no form with a context. */
#undef TAP_CTX
#undef TAP_RETURN_CTX
#define TAP_CTX(N, A, C, ...) TAP(N, A, C, .ctx = SHMEM_CTX_DEFAULT, .pe = pe, __VA_ARGS__)
#define TAP_RETURN_CTX(R, N, A, C, KEEP, ...) \
    TAP_RETURN(R, N, A, C, KEEP, .ctx = SHMEM_CTX_DEFAULT, .pe = pe, __VA_ARGS__)

/* shmem_int_fetch, shmem_int_set, shmem_int_swap, shmem_int_cswap, shmem_int_inc, shmem_int_finc, shmem_int_add,
 * shmem_int_fadd */
#define OLD_FETCH(T, N) FETCH(N##_fetch, T) SET(N##_set, T) FETCH_SET(N##_swap, T)
#define OLD_ADD(T, N) SWAP_IF(N##_cswap, T) BUMP(N##_inc, T) FETCH_BUMP(N##_finc, T) SET(N##_add, T) \
    FETCH_SET(N##_fadd, T)
COPAL_TYPES_OLD_FETCH(OLD_FETCH)
COPAL_TYPES_OLD_ADD(OLD_ADD)
