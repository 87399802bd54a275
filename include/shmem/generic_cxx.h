/* The type-generic names in C++: overloads, such as shmem_put(T *dest, const T *source, size_t nelems, int pe) for each
 * type T, each an inline call of the routine for that type.  The specification has them for C11 only. */
#ifndef COPAL_GENERIC_CXX_H
#define COPAL_GENERIC_CXX_H

/* Inlined, so that tools see the caller's line. */
#define COPAL_INLINE __attribute__((always_inline)) inline

/* Defines an overload of shmem_OP that calls shmem_NAME.  R is the return type, PARAMS the parameters in parentheses;
 * the arguments of the call follow.
 * COPAL_OVERLOAD_CTX also makes the overload with a context first, which calls shmem_ctx_NAME.  OP and NAME begin with
 * _, so that a program's macros do not change them. */
#define COPAL_OVERLOAD(R, OP, NAME, PARAMS, ...) COPAL_INLINE R shmem##OP PARAMS { return shmem##NAME(__VA_ARGS__); }
#define COPAL_OVERLOAD_CTX(R, OP, NAME, PARAMS, ...) \
    COPAL_OVERLOAD(R, OP, NAME, PARAMS, __VA_ARGS__) \
    COPAL_INLINE R shmem##OP(shmem_ctx_t ctx, COPAL_LIST PARAMS) { return shmem_ctx##NAME(ctx, __VA_ARGS__); }
#define COPAL_LIST(...) __VA_ARGS__

/* Remote memory access (9.6) */
#define COPAL_MOVE(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *dest, const T *source, size_t nelems, int pe), dest, source, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_MOVE, _put) COPAL_DISTINCT_RMA(COPAL_MOVE, _get) COPAL_DISTINCT_RMA(COPAL_MOVE, _put_nbi)
COPAL_DISTINCT_RMA(COPAL_MOVE, _get_nbi)
#define COPAL_SET(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, (T *dest, T value, int pe), dest, value, pe)
#define COPAL_FETCH(T, N, OP) COPAL_OVERLOAD_CTX(T, OP, _##N##OP, (const T *source, int pe), source, pe)
COPAL_DISTINCT_RMA(COPAL_SET, _p) COPAL_DISTINCT_RMA(COPAL_FETCH, _g)
#define COPAL_STRIDED(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), dest, source, dst, sst, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_STRIDED, _iput) COPAL_DISTINCT_RMA(COPAL_STRIDED, _iget)
#define COPAL_BLOCKS(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
    dest, source, dst, sst, bsize, nblocks, pe)
COPAL_DISTINCT_RMA(COPAL_BLOCKS, _ibput) COPAL_DISTINCT_RMA(COPAL_BLOCKS, _ibget)

/* Atomics (9.7) */
COPAL_DISTINCT_AMO_EXT(COPAL_FETCH, _atomic_fetch) COPAL_DISTINCT_AMO_EXT(COPAL_SET, _atomic_set)
COPAL_DISTINCT_AMO(COPAL_SET, _atomic_add)
COPAL_DISTINCT_AMO_BIT(COPAL_SET, _atomic_and) COPAL_DISTINCT_AMO_BIT(COPAL_SET, _atomic_or)
COPAL_DISTINCT_AMO_BIT(COPAL_SET, _atomic_xor)
#define COPAL_SWAP(T, N, OP) COPAL_OVERLOAD_CTX(T, OP, _##N##OP, (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_SWAP, _atomic_swap) COPAL_DISTINCT_AMO(COPAL_SWAP, _atomic_fetch_add)
COPAL_DISTINCT_AMO_BIT(COPAL_SWAP, _atomic_fetch_and) COPAL_DISTINCT_AMO_BIT(COPAL_SWAP, _atomic_fetch_or)
COPAL_DISTINCT_AMO_BIT(COPAL_SWAP, _atomic_fetch_xor)
#define COPAL_COMPARE(T, N, OP) COPAL_OVERLOAD_CTX(T, OP, _##N##OP, \
    (T *dest, T cond, T value, int pe), dest, cond, value, pe)
COPAL_DISTINCT_AMO(COPAL_COMPARE, _atomic_compare_swap)
#define COPAL_INC(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, (T *dest, int pe), dest, pe)
#define COPAL_FETCH_INC(T, N, OP) COPAL_OVERLOAD_CTX(T, OP, _##N##OP, (T *dest, int pe), dest, pe)
COPAL_DISTINCT_AMO(COPAL_INC, _atomic_inc) COPAL_DISTINCT_AMO(COPAL_FETCH_INC, _atomic_fetch_inc)
#define COPAL_FETCH_NBI(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *fetch, const T *source, int pe), fetch, source, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_FETCH_NBI, _atomic_fetch_nbi)
#define COPAL_COMPARE_NBI(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *fetch, T *dest, T cond, T value, int pe), fetch, dest, cond, value, pe)
COPAL_DISTINCT_AMO(COPAL_COMPARE_NBI, _atomic_compare_swap_nbi)
#define COPAL_INC_NBI(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, (T *fetch, T *dest, int pe), fetch, dest, pe)
COPAL_DISTINCT_AMO(COPAL_INC_NBI, _atomic_fetch_inc_nbi)
#define COPAL_SWAP_NBI(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_SWAP_NBI, _atomic_swap_nbi) COPAL_DISTINCT_AMO(COPAL_SWAP_NBI, _atomic_fetch_add_nbi)
COPAL_DISTINCT_AMO_BIT(COPAL_SWAP_NBI, _atomic_fetch_and_nbi)
COPAL_DISTINCT_AMO_BIT(COPAL_SWAP_NBI, _atomic_fetch_or_nbi)
COPAL_DISTINCT_AMO_BIT(COPAL_SWAP_NBI, _atomic_fetch_xor_nbi)

/* Deprecated names of atomics (9.7) */
#define COPAL_OLD_FETCH(T, N, OP) COPAL_OVERLOAD(T, OP, _##N##OP, (const T *source, int pe), source, pe)
#define COPAL_OLD_SET(T, N, OP) COPAL_OVERLOAD(void, OP, _##N##OP, (T *dest, T value, int pe), dest, value, pe)
#define COPAL_OLD_SWAP(T, N, OP) COPAL_OVERLOAD(T, OP, _##N##OP, (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_OLD_FETCH(COPAL_OLD_FETCH, _fetch) COPAL_DISTINCT_OLD_FETCH(COPAL_OLD_SET, _set)
COPAL_DISTINCT_OLD_FETCH(COPAL_OLD_SWAP, _swap) COPAL_DISTINCT_OLD_ADD(COPAL_OLD_SWAP, _fadd)
#define COPAL_OLD_COMPARE(T, N, OP) COPAL_OVERLOAD(T, OP, _##N##OP, \
    (T *dest, T cond, T value, int pe), dest, cond, value, pe)
COPAL_DISTINCT_OLD_ADD(COPAL_OLD_COMPARE, _cswap) COPAL_DISTINCT_OLD_ADD(COPAL_OLD_SET, _add)
#define COPAL_OLD_INC(T, N, OP) COPAL_OVERLOAD(void, OP, _##N##OP, (T *dest, int pe), dest, pe)
#define COPAL_OLD_FINC(T, N, OP) COPAL_OVERLOAD(T, OP, _##N##OP, (T *dest, int pe), dest, pe)
COPAL_DISTINCT_OLD_ADD(COPAL_OLD_INC, _inc) COPAL_DISTINCT_OLD_ADD(COPAL_OLD_FINC, _finc)

/* Signals (9.8) */
#define COPAL_PUT_SIGNAL(T, N, OP) COPAL_OVERLOAD_CTX(void, OP, _##N##OP, \
    (T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
    dest, source, nelems, sig_addr, signal, sig_op, pe)
COPAL_DISTINCT_RMA(COPAL_PUT_SIGNAL, _put_signal) COPAL_DISTINCT_RMA(COPAL_PUT_SIGNAL, _put_signal_nbi)
COPAL_OVERLOAD(void, _signal_add, _ctx_signal_add, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
    ctx, sig_addr, signal, pe)
COPAL_OVERLOAD(void, _signal_set, _ctx_signal_set, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
    ctx, sig_addr, signal, pe)

/* Collective routines (9.10) */
COPAL_OVERLOAD(int, _sync, _team_sync, (shmem_team_t team), team)
#define COPAL_TEAM(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_RMA(COPAL_TEAM, _alltoall) COPAL_DISTINCT_RMA(COPAL_TEAM, _collect)
COPAL_DISTINCT_RMA(COPAL_TEAM, _fcollect) COPAL_DISTINCT_RMA(COPAL_TEAM, _max_reduce)
COPAL_DISTINCT_RMA(COPAL_TEAM, _min_reduce)
COPAL_DISTINCT_REDUCE_BIT(COPAL_TEAM, _and_reduce) COPAL_DISTINCT_REDUCE_BIT(COPAL_TEAM, _or_reduce)
COPAL_DISTINCT_REDUCE_BIT(COPAL_TEAM, _xor_reduce)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_TEAM, _sum_reduce) COPAL_DISTINCT_REDUCE_ARITH(COPAL_TEAM, _prod_reduce)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_TEAM, _sum_inscan) COPAL_DISTINCT_REDUCE_ARITH(COPAL_TEAM, _sum_exscan)
#define COPAL_ALLTOALLS(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, \
    (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
    team, dest, source, dst, sst, nelems)
COPAL_DISTINCT_RMA(COPAL_ALLTOALLS, _alltoalls)
#define COPAL_BROADCAST(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root), team, dest, source, nelems, PE_root)
COPAL_DISTINCT_RMA(COPAL_BROADCAST, _broadcast)

/* C's own complex types, if the compiler has them in C++, in addition to std::complex: both have the same layout. */
#ifdef __GNUC__
__extension__ typedef double _Complex copal_c_complexd;
__extension__ typedef float _Complex copal_c_complexf;
#define COPAL_C_REDUCE(T, N, OP, NAME) COPAL_OVERLOAD(int, NAME, _##N##OP, \
    (shmem_team_t team, copal_c_##N *dest, const copal_c_##N *source, size_t nelems), \
    team, reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nelems)
#define COPAL_C_TO_ALL(T, N, OP) COPAL_OVERLOAD(void, _##N##OP, _##N##OP, \
    (copal_c_##N *dest, const copal_c_##N *source, int nreduce, int PE_start, int logPE_stride, int PE_size, \
     copal_c_##N *pWrk, long *pSync), reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nreduce, \
    PE_start, logPE_stride, PE_size, reinterpret_cast<T *>(pWrk), pSync)
#define COPAL_C_BOTH(T, N, OP) COPAL_C_REDUCE(T, N, OP, OP) COPAL_C_REDUCE(T, N, OP, _##N##OP)
COPAL_DISTINCT_COMPLEX(COPAL_C_BOTH, _sum_reduce) COPAL_DISTINCT_COMPLEX(COPAL_C_BOTH, _prod_reduce)
COPAL_DISTINCT_COMPLEX(COPAL_C_BOTH, _sum_inscan) COPAL_DISTINCT_COMPLEX(COPAL_C_BOTH, _sum_exscan)
COPAL_DISTINCT_COMPLEX(COPAL_C_TO_ALL, _sum_to_all) COPAL_DISTINCT_COMPLEX(COPAL_C_TO_ALL, _prod_to_all)
#undef COPAL_C_REDUCE
#undef COPAL_C_TO_ALL
#undef COPAL_C_BOTH
#endif

/* Point-to-point synchronization (9.11).  For long, shmem_wait_until is the plain function of that name. */
#define COPAL_WAIT(T, N, OP) COPAL_OVERLOAD(void, OP, _##N##OP, (T *ivar, int cmp, T cmp_value), ivar, cmp, cmp_value)
COPAL_WAIT(int, int, _wait_until) COPAL_WAIT(long long, longlong, _wait_until)
COPAL_WAIT(short, short, _wait_until) COPAL_WAIT(unsigned short, ushort, _wait_until)
COPAL_DISTINCT_UINT(COPAL_WAIT, _wait_until)
#define COPAL_TEST(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, (T *ivar, int cmp, T cmp_value), ivar, cmp, cmp_value)
COPAL_DISTINCT_WAIT(COPAL_TEST, _test)
#define COPAL_WAIT_ALL(T, N, OP) COPAL_OVERLOAD(void, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_WAIT_ALL, _wait_until_all)
#define COPAL_TEST_ALL(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_TEST_ALL, _test_all)
#define COPAL_ANY(T, N, OP) COPAL_OVERLOAD(size_t, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_ANY, _wait_until_any) COPAL_DISTINCT_AMO(COPAL_ANY, _test_any)
#define COPAL_WAIT_ALL_VECTOR(T, N, OP) COPAL_OVERLOAD(void, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_WAIT_ALL_VECTOR, _wait_until_all_vector)
#define COPAL_TEST_ALL_VECTOR(T, N, OP) COPAL_OVERLOAD(int, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_TEST_ALL_VECTOR, _test_all_vector)
#define COPAL_ANY_VECTOR(T, N, OP) COPAL_OVERLOAD(size_t, OP, _##N##OP, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_ANY_VECTOR, _wait_until_any_vector) COPAL_DISTINCT_AMO(COPAL_ANY_VECTOR, _test_any_vector)
#define COPAL_SOME(T, N, OP) COPAL_OVERLOAD(size_t, OP, _##N##OP, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value), \
    ivars, nelems, indices, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_SOME, _wait_until_some) COPAL_DISTINCT_AMO(COPAL_SOME, _test_some)
#define COPAL_SOME_VECTOR(T, N, OP) COPAL_OVERLOAD(size_t, OP, _##N##OP, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values), \
    ivars, nelems, indices, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_SOME_VECTOR, _wait_until_some_vector) COPAL_DISTINCT_AMO(COPAL_SOME_VECTOR, _test_some_vector)

#undef COPAL_INLINE
#undef COPAL_OVERLOAD
#undef COPAL_OVERLOAD_CTX
#undef COPAL_LIST
#undef COPAL_MOVE
#undef COPAL_SET
#undef COPAL_FETCH
#undef COPAL_STRIDED
#undef COPAL_BLOCKS
#undef COPAL_SWAP
#undef COPAL_COMPARE
#undef COPAL_INC
#undef COPAL_FETCH_INC
#undef COPAL_FETCH_NBI
#undef COPAL_COMPARE_NBI
#undef COPAL_INC_NBI
#undef COPAL_SWAP_NBI
#undef COPAL_OLD_FETCH
#undef COPAL_OLD_SET
#undef COPAL_OLD_SWAP
#undef COPAL_OLD_COMPARE
#undef COPAL_OLD_INC
#undef COPAL_OLD_FINC
#undef COPAL_PUT_SIGNAL
#undef COPAL_TEAM
#undef COPAL_ALLTOALLS
#undef COPAL_BROADCAST
#undef COPAL_WAIT
#undef COPAL_TEST
#undef COPAL_WAIT_ALL
#undef COPAL_TEST_ALL
#undef COPAL_ANY
#undef COPAL_WAIT_ALL_VECTOR
#undef COPAL_TEST_ALL_VECTOR
#undef COPAL_ANY_VECTOR
#undef COPAL_SOME
#undef COPAL_SOME_VECTOR

#endif
