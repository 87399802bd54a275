/* The type-generic names of C11, such as shmem_put(dest, source, nelems, pe): the type to which the first pointer
 * points chooses the routine, and a context as the first argument chooses its shmem_ctx_ form.  A type that the routine
 * does not have is a compile error.  If a type has several names, the routine may have another of these: for an int32_t
 * it is shmem_int_put.
 *
 * For each name there is a macro of one _Generic association per type.  These are function-like macros:
 * &shmem_sync, and (shmem_sync)(...), are still the plain C functions. */
#ifndef COPAL_GENERIC_C11_H
#define COPAL_GENERIC_C11_H

/* Selecting on the value pointed to, not on the pointer, lets const arguments match: *p loses its qualifiers here, and
 * if const is wrong, the compiler reports it by the routine's prototype. */
#define COPAL_BY_FIRST(TYPES, OP, ...) _Generic(*COPAL_FIRST(__VA_ARGS__, 0) TYPES(COPAL_CASE, _##OP))(__VA_ARGS__)
#define COPAL_BY_SECOND(TYPES, OP, ...) _Generic(*COPAL_SECOND(__VA_ARGS__, 0, 0) TYPES(COPAL_CASE, _##OP))(__VA_ARGS__)
#define COPAL_CASE(T, N, OP) , T: shmem_##N##OP
#define COPAL_CASE_CTX(T, N, OP) , T: shmem_ctx_##N##OP
#define COPAL_FIRST(A, ...) (A)
#define COPAL_SECOND(A, B, ...) (B)

/* With a context first, the second argument decides.  The compiler checks both branches even though it takes one, so
 * both select on the same pointer. */
#define COPAL_BY_CTX(TYPES, OP, ...) _Generic(COPAL_FIRST(__VA_ARGS__, 0), \
    shmem_ctx_t: COPAL_SELECT(TYPES, COPAL_CASE_CTX, _##OP, __VA_ARGS__), \
    default: COPAL_SELECT(TYPES, COPAL_CASE, _##OP, __VA_ARGS__))(__VA_ARGS__)
#define COPAL_SELECT(TYPES, CASE, OP, ...) _Generic(*COPAL_POINTER(__VA_ARGS__, 0, 0) TYPES(CASE, OP))
#define COPAL_POINTER(A, B, ...) _Generic((A), shmem_ctx_t: (B), default: (A))

/* Remote memory access (9.6) */
#define shmem_put(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put, __VA_ARGS__)
#define shmem_p(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, p, __VA_ARGS__)
#define shmem_iput(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, iput, __VA_ARGS__)
#define shmem_ibput(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, ibput, __VA_ARGS__)
#define shmem_get(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, get, __VA_ARGS__)
#define shmem_g(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, g, __VA_ARGS__)
#define shmem_iget(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, iget, __VA_ARGS__)
#define shmem_ibget(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, ibget, __VA_ARGS__)
#define shmem_put_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, get_nbi, __VA_ARGS__)

/* Atomics (9.7): extended, standard and bitwise types */
#define shmem_atomic_fetch(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_swap, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_inc(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_add(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_and(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_and, __VA_ARGS__)
#define shmem_atomic_or(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_or, __VA_ARGS__)
#define shmem_atomic_xor(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_xor_nbi, __VA_ARGS__)

/* Their deprecated names */
#define shmem_fetch(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_FETCH, fetch, __VA_ARGS__)
#define shmem_set(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_FETCH, set, __VA_ARGS__)
#define shmem_swap(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_FETCH, swap, __VA_ARGS__)
#define shmem_cswap(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_ADD, cswap, __VA_ARGS__)
#define shmem_inc(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_ADD, inc, __VA_ARGS__)
#define shmem_finc(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_ADD, finc, __VA_ARGS__)
#define shmem_add(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_ADD, add, __VA_ARGS__)
#define shmem_fadd(...) COPAL_BY_FIRST(COPAL_DISTINCT_OLD_ADD, fadd, __VA_ARGS__)

/* Signals (9.8); the C functions of the names signal_add and signal_set are those without a context */
#define shmem_put_signal(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_signal_nbi, __VA_ARGS__)
#define shmem_signal_add(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)

/* Collective routines (9.10); the C function of the name sync is the one on active sets */
#define shmem_sync(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)
#define shmem_alltoall(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, alltoalls, __VA_ARGS__)
#define shmem_broadcast(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, broadcast, __VA_ARGS__)
#define shmem_collect(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, collect, __VA_ARGS__)
#define shmem_fcollect(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, fcollect, __VA_ARGS__)
#define shmem_and_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_exscan, __VA_ARGS__)

/* Point-to-point synchronization (9.11) */
#define shmem_wait_until(...) COPAL_BY_FIRST(COPAL_DISTINCT_WAIT, wait_until, __VA_ARGS__)
#define shmem_test(...) COPAL_BY_FIRST(COPAL_DISTINCT_WAIT, test, __VA_ARGS__)
#define shmem_wait_until_all(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_some_vector, __VA_ARGS__)
#define shmem_test_all(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_all, __VA_ARGS__)
#define shmem_test_any(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_any, __VA_ARGS__)
#define shmem_test_some(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_some_vector, __VA_ARGS__)

#endif
