/* The type-generic names of C11, such as shmem_put(dest, source, nelems, pe): the type of what the first pointer points
 * to chooses the routine, and a context as the first argument chooses its shmem_ctx_ form.  A type that the routine
 * does not have is a compile error.  The name chosen may differ from the type written, where a type has several names:
 * for an int32_t it is shmem_int_put.
 *
 * For each name there is one _Generic association per type (COPAL_CASE_...) and the macro that puts them together.
 * These are function-like macros: &shmem_sync, and (shmem_sync)(...), are still the plain C functions. */
#ifndef COPAL_GENERIC_C11_H
#define COPAL_GENERIC_C11_H

/* Selecting on the value pointed to, not on the pointer, lets const arguments match: *p loses its qualifiers here, and
 * where const does not fit, the prototype of the routine says so. */
#define COPAL_BY_FIRST(TYPES, OP, ...) _Generic(*COPAL_FIRST(__VA_ARGS__, 0) TYPES(COPAL_CASE_##OP))(__VA_ARGS__)
#define COPAL_BY_SECOND(TYPES, OP, ...) _Generic(*COPAL_SECOND(__VA_ARGS__, 0, 0) TYPES(COPAL_CASE_##OP))(__VA_ARGS__)
#define COPAL_FIRST(A, ...) (A)
#define COPAL_SECOND(A, B, ...) (B)

/* With a context first, the second argument decides.  The compiler checks both branches even though it takes one, so
 * both select on the same pointer. */
#define COPAL_BY_CTX(TYPES, OP, ...) _Generic(COPAL_FIRST(__VA_ARGS__, 0), \
    shmem_ctx_t: COPAL_SELECT(TYPES, COPAL_CASE_ctx_##OP, __VA_ARGS__), \
    default: COPAL_SELECT(TYPES, COPAL_CASE_##OP, __VA_ARGS__))(__VA_ARGS__)
#define COPAL_SELECT(TYPES, CASE, ...) _Generic(*COPAL_POINTER(__VA_ARGS__, 0, 0) TYPES(CASE))
#define COPAL_POINTER(A, B, ...) _Generic((A), shmem_ctx_t: (B), default: (A))

/* Remote memory access (9.6) */
#define COPAL_CASE_put(T, N) , T: shmem_##N##_put
#define COPAL_CASE_ctx_put(T, N) , T: shmem_ctx_##N##_put
#define shmem_put(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put, __VA_ARGS__)
#define COPAL_CASE_p(T, N) , T: shmem_##N##_p
#define COPAL_CASE_ctx_p(T, N) , T: shmem_ctx_##N##_p
#define shmem_p(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, p, __VA_ARGS__)
#define COPAL_CASE_iput(T, N) , T: shmem_##N##_iput
#define COPAL_CASE_ctx_iput(T, N) , T: shmem_ctx_##N##_iput
#define shmem_iput(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, iput, __VA_ARGS__)
#define COPAL_CASE_ibput(T, N) , T: shmem_##N##_ibput
#define COPAL_CASE_ctx_ibput(T, N) , T: shmem_ctx_##N##_ibput
#define shmem_ibput(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, ibput, __VA_ARGS__)
#define COPAL_CASE_get(T, N) , T: shmem_##N##_get
#define COPAL_CASE_ctx_get(T, N) , T: shmem_ctx_##N##_get
#define shmem_get(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, get, __VA_ARGS__)
#define COPAL_CASE_g(T, N) , T: shmem_##N##_g
#define COPAL_CASE_ctx_g(T, N) , T: shmem_ctx_##N##_g
#define shmem_g(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, g, __VA_ARGS__)
#define COPAL_CASE_iget(T, N) , T: shmem_##N##_iget
#define COPAL_CASE_ctx_iget(T, N) , T: shmem_ctx_##N##_iget
#define shmem_iget(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, iget, __VA_ARGS__)
#define COPAL_CASE_ibget(T, N) , T: shmem_##N##_ibget
#define COPAL_CASE_ctx_ibget(T, N) , T: shmem_ctx_##N##_ibget
#define shmem_ibget(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, ibget, __VA_ARGS__)
#define COPAL_CASE_put_nbi(T, N) , T: shmem_##N##_put_nbi
#define COPAL_CASE_ctx_put_nbi(T, N) , T: shmem_ctx_##N##_put_nbi
#define shmem_put_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_nbi, __VA_ARGS__)
#define COPAL_CASE_get_nbi(T, N) , T: shmem_##N##_get_nbi
#define COPAL_CASE_ctx_get_nbi(T, N) , T: shmem_ctx_##N##_get_nbi
#define shmem_get_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, get_nbi, __VA_ARGS__)

/* Atomics (9.7): extended, standard and bitwise types */
#define COPAL_CASE_atomic_fetch(T, N) , T: shmem_##N##_atomic_fetch
#define COPAL_CASE_ctx_atomic_fetch(T, N) , T: shmem_ctx_##N##_atomic_fetch
#define shmem_atomic_fetch(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_fetch, __VA_ARGS__)
#define COPAL_CASE_atomic_set(T, N) , T: shmem_##N##_atomic_set
#define COPAL_CASE_ctx_atomic_set(T, N) , T: shmem_ctx_##N##_atomic_set
#define shmem_atomic_set(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_set, __VA_ARGS__)
#define COPAL_CASE_atomic_swap(T, N) , T: shmem_##N##_atomic_swap
#define COPAL_CASE_ctx_atomic_swap(T, N) , T: shmem_ctx_##N##_atomic_swap
#define shmem_atomic_swap(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_swap, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_nbi(T, N) , T: shmem_##N##_atomic_fetch_nbi
#define COPAL_CASE_ctx_atomic_fetch_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_nbi
#define shmem_atomic_fetch_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_fetch_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_swap_nbi(T, N) , T: shmem_##N##_atomic_swap_nbi
#define COPAL_CASE_ctx_atomic_swap_nbi(T, N) , T: shmem_ctx_##N##_atomic_swap_nbi
#define shmem_atomic_swap_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_EXT, atomic_swap_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_compare_swap(T, N) , T: shmem_##N##_atomic_compare_swap
#define COPAL_CASE_ctx_atomic_compare_swap(T, N) , T: shmem_ctx_##N##_atomic_compare_swap
#define shmem_atomic_compare_swap(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_compare_swap, __VA_ARGS__)
#define COPAL_CASE_atomic_inc(T, N) , T: shmem_##N##_atomic_inc
#define COPAL_CASE_ctx_atomic_inc(T, N) , T: shmem_ctx_##N##_atomic_inc
#define shmem_atomic_inc(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_inc, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_inc(T, N) , T: shmem_##N##_atomic_fetch_inc
#define COPAL_CASE_ctx_atomic_fetch_inc(T, N) , T: shmem_ctx_##N##_atomic_fetch_inc
#define shmem_atomic_fetch_inc(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_inc, __VA_ARGS__)
#define COPAL_CASE_atomic_add(T, N) , T: shmem_##N##_atomic_add
#define COPAL_CASE_ctx_atomic_add(T, N) , T: shmem_ctx_##N##_atomic_add
#define shmem_atomic_add(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_add, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_add(T, N) , T: shmem_##N##_atomic_fetch_add
#define COPAL_CASE_ctx_atomic_fetch_add(T, N) , T: shmem_ctx_##N##_atomic_fetch_add
#define shmem_atomic_fetch_add(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_add, __VA_ARGS__)
#define COPAL_CASE_atomic_compare_swap_nbi(T, N) , T: shmem_##N##_atomic_compare_swap_nbi
#define COPAL_CASE_ctx_atomic_compare_swap_nbi(T, N) , T: shmem_ctx_##N##_atomic_compare_swap_nbi
#define shmem_atomic_compare_swap_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_compare_swap_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_inc_nbi(T, N) , T: shmem_##N##_atomic_fetch_inc_nbi
#define COPAL_CASE_ctx_atomic_fetch_inc_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_inc_nbi
#define shmem_atomic_fetch_inc_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_inc_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_add_nbi(T, N) , T: shmem_##N##_atomic_fetch_add_nbi
#define COPAL_CASE_ctx_atomic_fetch_add_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_add_nbi
#define shmem_atomic_fetch_add_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO, atomic_fetch_add_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_and(T, N) , T: shmem_##N##_atomic_and
#define COPAL_CASE_ctx_atomic_and(T, N) , T: shmem_ctx_##N##_atomic_and
#define shmem_atomic_and(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_and, __VA_ARGS__)
#define COPAL_CASE_atomic_or(T, N) , T: shmem_##N##_atomic_or
#define COPAL_CASE_ctx_atomic_or(T, N) , T: shmem_ctx_##N##_atomic_or
#define shmem_atomic_or(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_or, __VA_ARGS__)
#define COPAL_CASE_atomic_xor(T, N) , T: shmem_##N##_atomic_xor
#define COPAL_CASE_ctx_atomic_xor(T, N) , T: shmem_ctx_##N##_atomic_xor
#define shmem_atomic_xor(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_xor, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_and(T, N) , T: shmem_##N##_atomic_fetch_and
#define COPAL_CASE_ctx_atomic_fetch_and(T, N) , T: shmem_ctx_##N##_atomic_fetch_and
#define shmem_atomic_fetch_and(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_and, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_or(T, N) , T: shmem_##N##_atomic_fetch_or
#define COPAL_CASE_ctx_atomic_fetch_or(T, N) , T: shmem_ctx_##N##_atomic_fetch_or
#define shmem_atomic_fetch_or(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_or, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_xor(T, N) , T: shmem_##N##_atomic_fetch_xor
#define COPAL_CASE_ctx_atomic_fetch_xor(T, N) , T: shmem_ctx_##N##_atomic_fetch_xor
#define shmem_atomic_fetch_xor(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_xor, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_and_nbi(T, N) , T: shmem_##N##_atomic_fetch_and_nbi
#define COPAL_CASE_ctx_atomic_fetch_and_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_and_nbi
#define shmem_atomic_fetch_and_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_and_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_or_nbi(T, N) , T: shmem_##N##_atomic_fetch_or_nbi
#define COPAL_CASE_ctx_atomic_fetch_or_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_or_nbi
#define shmem_atomic_fetch_or_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_or_nbi, __VA_ARGS__)
#define COPAL_CASE_atomic_fetch_xor_nbi(T, N) , T: shmem_##N##_atomic_fetch_xor_nbi
#define COPAL_CASE_ctx_atomic_fetch_xor_nbi(T, N) , T: shmem_ctx_##N##_atomic_fetch_xor_nbi
#define shmem_atomic_fetch_xor_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_AMO_BIT, atomic_fetch_xor_nbi, __VA_ARGS__)

/* Their deprecated names */
#define COPAL_CASE_fetch(T, N) , T: shmem_##N##_fetch
#define shmem_fetch(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_FETCH, fetch, __VA_ARGS__)
#define COPAL_CASE_set(T, N) , T: shmem_##N##_set
#define shmem_set(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_FETCH, set, __VA_ARGS__)
#define COPAL_CASE_swap(T, N) , T: shmem_##N##_swap
#define shmem_swap(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_FETCH, swap, __VA_ARGS__)
#define COPAL_CASE_cswap(T, N) , T: shmem_##N##_cswap
#define shmem_cswap(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_ADD, cswap, __VA_ARGS__)
#define COPAL_CASE_inc(T, N) , T: shmem_##N##_inc
#define shmem_inc(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_ADD, inc, __VA_ARGS__)
#define COPAL_CASE_finc(T, N) , T: shmem_##N##_finc
#define shmem_finc(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_ADD, finc, __VA_ARGS__)
#define COPAL_CASE_add(T, N) , T: shmem_##N##_add
#define shmem_add(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_ADD, add, __VA_ARGS__)
#define COPAL_CASE_fadd(T, N) , T: shmem_##N##_fadd
#define shmem_fadd(...) COPAL_BY_FIRST(COPAL_TYPES_OLD_ADD, fadd, __VA_ARGS__)

/* Signals (9.8); the C functions of the names signal_add and signal_set are those without a context */
#define COPAL_CASE_put_signal(T, N) , T: shmem_##N##_put_signal
#define COPAL_CASE_ctx_put_signal(T, N) , T: shmem_ctx_##N##_put_signal
#define shmem_put_signal(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_signal, __VA_ARGS__)
#define COPAL_CASE_put_signal_nbi(T, N) , T: shmem_##N##_put_signal_nbi
#define COPAL_CASE_ctx_put_signal_nbi(T, N) , T: shmem_ctx_##N##_put_signal_nbi
#define shmem_put_signal_nbi(...) COPAL_BY_CTX(COPAL_DISTINCT_RMA, put_signal_nbi, __VA_ARGS__)
#define shmem_signal_add(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_add, default: shmem_signal_add)(__VA_ARGS__)
#define shmem_signal_set(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_ctx_t: shmem_ctx_signal_set, default: shmem_signal_set)(__VA_ARGS__)

/* Collective routines (9.10); the C function of the name sync is the one on active sets */
#define shmem_sync(...) \
    _Generic(COPAL_FIRST(__VA_ARGS__, 0), shmem_team_t: shmem_team_sync, default: shmem_sync)(__VA_ARGS__)
#define COPAL_CASE_alltoall(T, N) , T: shmem_##N##_alltoall
#define shmem_alltoall(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, alltoall, __VA_ARGS__)
#define COPAL_CASE_alltoalls(T, N) , T: shmem_##N##_alltoalls
#define shmem_alltoalls(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, alltoalls, __VA_ARGS__)
#define COPAL_CASE_broadcast(T, N) , T: shmem_##N##_broadcast
#define shmem_broadcast(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, broadcast, __VA_ARGS__)
#define COPAL_CASE_collect(T, N) , T: shmem_##N##_collect
#define shmem_collect(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, collect, __VA_ARGS__)
#define COPAL_CASE_fcollect(T, N) , T: shmem_##N##_fcollect
#define shmem_fcollect(...) COPAL_BY_SECOND(COPAL_DISTINCT_RMA, fcollect, __VA_ARGS__)
#define COPAL_CASE_and_reduce(T, N) , T: shmem_##N##_and_reduce
#define shmem_and_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, and_reduce, __VA_ARGS__)
#define COPAL_CASE_or_reduce(T, N) , T: shmem_##N##_or_reduce
#define shmem_or_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, or_reduce, __VA_ARGS__)
#define COPAL_CASE_xor_reduce(T, N) , T: shmem_##N##_xor_reduce
#define shmem_xor_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_BIT, xor_reduce, __VA_ARGS__)
#define COPAL_CASE_max_reduce(T, N) , T: shmem_##N##_max_reduce
#define shmem_max_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ORD, max_reduce, __VA_ARGS__)
#define COPAL_CASE_min_reduce(T, N) , T: shmem_##N##_min_reduce
#define shmem_min_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ORD, min_reduce, __VA_ARGS__)
#define COPAL_CASE_sum_reduce(T, N) , T: shmem_##N##_sum_reduce
#define shmem_sum_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_reduce, __VA_ARGS__)
#define COPAL_CASE_prod_reduce(T, N) , T: shmem_##N##_prod_reduce
#define shmem_prod_reduce(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, prod_reduce, __VA_ARGS__)
#define COPAL_CASE_sum_inscan(T, N) , T: shmem_##N##_sum_inscan
#define shmem_sum_inscan(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_inscan, __VA_ARGS__)
#define COPAL_CASE_sum_exscan(T, N) , T: shmem_##N##_sum_exscan
#define shmem_sum_exscan(...) COPAL_BY_SECOND(COPAL_DISTINCT_REDUCE_ARITH, sum_exscan, __VA_ARGS__)

/* Point-to-point synchronisation (9.11) */
#define COPAL_CASE_wait_until(T, N) , T: shmem_##N##_wait_until
#define shmem_wait_until(...) COPAL_BY_FIRST(COPAL_DISTINCT_WAIT, wait_until, __VA_ARGS__)
#define COPAL_CASE_test(T, N) , T: shmem_##N##_test
#define shmem_test(...) COPAL_BY_FIRST(COPAL_DISTINCT_WAIT, test, __VA_ARGS__)
#define COPAL_CASE_wait_until_all(T, N) , T: shmem_##N##_wait_until_all
#define shmem_wait_until_all(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_all, __VA_ARGS__)
#define COPAL_CASE_wait_until_any(T, N) , T: shmem_##N##_wait_until_any
#define shmem_wait_until_any(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_any, __VA_ARGS__)
#define COPAL_CASE_wait_until_some(T, N) , T: shmem_##N##_wait_until_some
#define shmem_wait_until_some(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_some, __VA_ARGS__)
#define COPAL_CASE_wait_until_all_vector(T, N) , T: shmem_##N##_wait_until_all_vector
#define shmem_wait_until_all_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_all_vector, __VA_ARGS__)
#define COPAL_CASE_wait_until_any_vector(T, N) , T: shmem_##N##_wait_until_any_vector
#define shmem_wait_until_any_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_any_vector, __VA_ARGS__)
#define COPAL_CASE_wait_until_some_vector(T, N) , T: shmem_##N##_wait_until_some_vector
#define shmem_wait_until_some_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, wait_until_some_vector, __VA_ARGS__)
#define COPAL_CASE_test_all(T, N) , T: shmem_##N##_test_all
#define shmem_test_all(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_all, __VA_ARGS__)
#define COPAL_CASE_test_any(T, N) , T: shmem_##N##_test_any
#define shmem_test_any(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_any, __VA_ARGS__)
#define COPAL_CASE_test_some(T, N) , T: shmem_##N##_test_some
#define shmem_test_some(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_some, __VA_ARGS__)
#define COPAL_CASE_test_all_vector(T, N) , T: shmem_##N##_test_all_vector
#define shmem_test_all_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_all_vector, __VA_ARGS__)
#define COPAL_CASE_test_any_vector(T, N) , T: shmem_##N##_test_any_vector
#define shmem_test_any_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_any_vector, __VA_ARGS__)
#define COPAL_CASE_test_some_vector(T, N) , T: shmem_##N##_test_some_vector
#define shmem_test_some_vector(...) COPAL_BY_FIRST(COPAL_DISTINCT_AMO, test_some_vector, __VA_ARGS__)

#endif
