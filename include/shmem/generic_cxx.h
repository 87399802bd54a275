/* The type-generic names in C++: overloads, such as shmem_put(T *dest, const T *source, size_t nelems, int pe) for each
 * type T, each an inline call of the routine for that type.  The specification has them for C11 only. */
#ifndef COPAL_GENERIC_CXX_H
#define COPAL_GENERIC_CXX_H

/* So that tools see the caller's line. */
#define COPAL_INLINE __attribute__((always_inline)) inline

/* An overload of shmem_OP that calls shmem_NAME: its return type, parameters in brackets, arguments of the call.
 * COPAL_OVERLOAD_CTX also makes the overload with a context first, which calls shmem_ctx_NAME. */
#define COPAL_OVERLOAD(R, OP, NAME, PARAMS, ...) COPAL_INLINE R shmem_##OP PARAMS { return shmem_##NAME(__VA_ARGS__); }
#define COPAL_OVERLOAD_CTX(R, OP, NAME, PARAMS, ...) \
    COPAL_INLINE R shmem_##OP PARAMS { return shmem_##NAME(__VA_ARGS__); } \
    COPAL_INLINE R shmem_##OP(shmem_ctx_t ctx, COPAL_LIST PARAMS) { return shmem_ctx_##NAME(ctx, __VA_ARGS__); }
#define COPAL_LIST(...) __VA_ARGS__

/* Remote memory access (9.6) */
#define COPAL_PUT(T, N) COPAL_OVERLOAD_CTX(void, put, N##_put, \
    (T *dest, const T *source, size_t nelems, int pe), dest, source, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_PUT)
#undef COPAL_PUT
#define COPAL_P(T, N) COPAL_OVERLOAD_CTX(void, p, N##_p, (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_RMA(COPAL_P)
#undef COPAL_P
#define COPAL_IPUT(T, N) COPAL_OVERLOAD_CTX(void, iput, N##_iput, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), dest, source, dst, sst, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_IPUT)
#undef COPAL_IPUT
#define COPAL_IBPUT(T, N) COPAL_OVERLOAD_CTX(void, ibput, N##_ibput, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
    dest, source, dst, sst, bsize, nblocks, pe)
COPAL_DISTINCT_RMA(COPAL_IBPUT)
#undef COPAL_IBPUT
#define COPAL_GET(T, N) COPAL_OVERLOAD_CTX(void, get, N##_get, \
    (T *dest, const T *source, size_t nelems, int pe), dest, source, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_GET)
#undef COPAL_GET
#define COPAL_G(T, N) COPAL_OVERLOAD_CTX(T, g, N##_g, (const T *source, int pe), source, pe)
COPAL_DISTINCT_RMA(COPAL_G)
#undef COPAL_G
#define COPAL_IGET(T, N) COPAL_OVERLOAD_CTX(void, iget, N##_iget, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe), dest, source, dst, sst, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_IGET)
#undef COPAL_IGET
#define COPAL_IBGET(T, N) COPAL_OVERLOAD_CTX(void, ibget, N##_ibget, \
    (T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe), \
    dest, source, dst, sst, bsize, nblocks, pe)
COPAL_DISTINCT_RMA(COPAL_IBGET)
#undef COPAL_IBGET
#define COPAL_PUT_NBI(T, N) COPAL_OVERLOAD_CTX(void, put_nbi, N##_put_nbi, \
    (T *dest, const T *source, size_t nelems, int pe), dest, source, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_PUT_NBI)
#undef COPAL_PUT_NBI
#define COPAL_GET_NBI(T, N) COPAL_OVERLOAD_CTX(void, get_nbi, N##_get_nbi, \
    (T *dest, const T *source, size_t nelems, int pe), dest, source, nelems, pe)
COPAL_DISTINCT_RMA(COPAL_GET_NBI)
#undef COPAL_GET_NBI

/* Atomics (9.7) */
#define COPAL_FETCH(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch, N##_atomic_fetch, (const T *source, int pe), source, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_FETCH)
#undef COPAL_FETCH
#define COPAL_SET(T, N) COPAL_OVERLOAD_CTX(void, atomic_set, N##_atomic_set, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_SET)
#undef COPAL_SET
#define COPAL_COMPARE_SWAP(T, N) COPAL_OVERLOAD_CTX(T, atomic_compare_swap, N##_atomic_compare_swap, \
    (T *dest, T cond, T value, int pe), dest, cond, value, pe)
COPAL_DISTINCT_AMO(COPAL_COMPARE_SWAP)
#undef COPAL_COMPARE_SWAP
#define COPAL_SWAP(T, N) COPAL_OVERLOAD_CTX(T, atomic_swap, N##_atomic_swap, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_SWAP)
#undef COPAL_SWAP
#define COPAL_INC(T, N) COPAL_OVERLOAD_CTX(void, atomic_inc, N##_atomic_inc, (T *dest, int pe), dest, pe)
COPAL_DISTINCT_AMO(COPAL_INC)
#undef COPAL_INC
#define COPAL_FETCH_INC(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch_inc, N##_atomic_fetch_inc, (T *dest, int pe), dest, pe)
COPAL_DISTINCT_AMO(COPAL_FETCH_INC)
#undef COPAL_FETCH_INC
#define COPAL_ADD(T, N) COPAL_OVERLOAD_CTX(void, atomic_add, N##_atomic_add, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO(COPAL_ADD)
#undef COPAL_ADD
#define COPAL_FETCH_ADD(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch_add, N##_atomic_fetch_add, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO(COPAL_FETCH_ADD)
#undef COPAL_FETCH_ADD
#define COPAL_AND(T, N) COPAL_OVERLOAD_CTX(void, atomic_and, N##_atomic_and, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_AND)
#undef COPAL_AND
#define COPAL_OR(T, N) COPAL_OVERLOAD_CTX(void, atomic_or, N##_atomic_or, (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_OR)
#undef COPAL_OR
#define COPAL_XOR(T, N) COPAL_OVERLOAD_CTX(void, atomic_xor, N##_atomic_xor, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_XOR)
#undef COPAL_XOR
#define COPAL_FETCH_AND(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch_and, N##_atomic_fetch_and, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_AND)
#undef COPAL_FETCH_AND
#define COPAL_FETCH_OR(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch_or, N##_atomic_fetch_or, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_OR)
#undef COPAL_FETCH_OR
#define COPAL_FETCH_XOR(T, N) COPAL_OVERLOAD_CTX(T, atomic_fetch_xor, N##_atomic_fetch_xor, \
    (T *dest, T value, int pe), dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_XOR)
#undef COPAL_FETCH_XOR
#define COPAL_FETCH_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_nbi, N##_atomic_fetch_nbi, \
    (T *fetch, const T *source, int pe), fetch, source, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_FETCH_NBI)
#undef COPAL_FETCH_NBI
#define COPAL_COMPARE_SWAP_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_compare_swap_nbi, N##_atomic_compare_swap_nbi, \
    (T *fetch, T *dest, T cond, T value, int pe), fetch, dest, cond, value, pe)
COPAL_DISTINCT_AMO(COPAL_COMPARE_SWAP_NBI)
#undef COPAL_COMPARE_SWAP_NBI
#define COPAL_SWAP_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_swap_nbi, N##_atomic_swap_nbi, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO_EXT(COPAL_SWAP_NBI)
#undef COPAL_SWAP_NBI
#define COPAL_FETCH_INC_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_inc_nbi, N##_atomic_fetch_inc_nbi, \
    (T *fetch, T *dest, int pe), fetch, dest, pe)
COPAL_DISTINCT_AMO(COPAL_FETCH_INC_NBI)
#undef COPAL_FETCH_INC_NBI
#define COPAL_FETCH_ADD_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_add_nbi, N##_atomic_fetch_add_nbi, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO(COPAL_FETCH_ADD_NBI)
#undef COPAL_FETCH_ADD_NBI
#define COPAL_FETCH_AND_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_and_nbi, N##_atomic_fetch_and_nbi, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_AND_NBI)
#undef COPAL_FETCH_AND_NBI
#define COPAL_FETCH_OR_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_or_nbi, N##_atomic_fetch_or_nbi, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_OR_NBI)
#undef COPAL_FETCH_OR_NBI
#define COPAL_FETCH_XOR_NBI(T, N) COPAL_OVERLOAD_CTX(void, atomic_fetch_xor_nbi, N##_atomic_fetch_xor_nbi, \
    (T *fetch, T *dest, T value, int pe), fetch, dest, value, pe)
COPAL_DISTINCT_AMO_BIT(COPAL_FETCH_XOR_NBI)
#undef COPAL_FETCH_XOR_NBI

/* Their deprecated names */
#define COPAL_FETCH(T, N) COPAL_OVERLOAD(T, fetch, N##_fetch, (const T *source, int pe), source, pe)
COPAL_TYPES_OLD_FETCH(COPAL_FETCH)
#undef COPAL_FETCH
#define COPAL_SET(T, N) COPAL_OVERLOAD(void, set, N##_set, (T *dest, T value, int pe), dest, value, pe)
COPAL_TYPES_OLD_FETCH(COPAL_SET)
#undef COPAL_SET
#define COPAL_SWAP(T, N) COPAL_OVERLOAD(T, swap, N##_swap, (T *dest, T value, int pe), dest, value, pe)
COPAL_TYPES_OLD_FETCH(COPAL_SWAP)
#undef COPAL_SWAP
#define COPAL_CSWAP(T, N) COPAL_OVERLOAD(T, cswap, N##_cswap, (T *dest, T cond, T value, int pe), dest, cond, value, pe)
COPAL_TYPES_OLD_ADD(COPAL_CSWAP)
#undef COPAL_CSWAP
#define COPAL_INC(T, N) COPAL_OVERLOAD(void, inc, N##_inc, (T *dest, int pe), dest, pe)
COPAL_TYPES_OLD_ADD(COPAL_INC)
#undef COPAL_INC
#define COPAL_FINC(T, N) COPAL_OVERLOAD(T, finc, N##_finc, (T *dest, int pe), dest, pe)
COPAL_TYPES_OLD_ADD(COPAL_FINC)
#undef COPAL_FINC
#define COPAL_ADD(T, N) COPAL_OVERLOAD(void, add, N##_add, (T *dest, T value, int pe), dest, value, pe)
COPAL_TYPES_OLD_ADD(COPAL_ADD)
#undef COPAL_ADD
#define COPAL_FADD(T, N) COPAL_OVERLOAD(T, fadd, N##_fadd, (T *dest, T value, int pe), dest, value, pe)
COPAL_TYPES_OLD_ADD(COPAL_FADD)
#undef COPAL_FADD

/* Signals (9.8) */
#define COPAL_PUT_SIGNAL(T, N) COPAL_OVERLOAD_CTX(void, put_signal, N##_put_signal, \
    (T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
    dest, source, nelems, sig_addr, signal, sig_op, pe)
COPAL_DISTINCT_RMA(COPAL_PUT_SIGNAL)
#undef COPAL_PUT_SIGNAL
#define COPAL_PUT_SIGNAL_NBI(T, N) COPAL_OVERLOAD_CTX(void, put_signal_nbi, N##_put_signal_nbi, \
    (T *dest, const T *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe), \
    dest, source, nelems, sig_addr, signal, sig_op, pe)
COPAL_DISTINCT_RMA(COPAL_PUT_SIGNAL_NBI)
#undef COPAL_PUT_SIGNAL_NBI
COPAL_OVERLOAD(void, signal_add, ctx_signal_add, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
    ctx, sig_addr, signal, pe)
COPAL_OVERLOAD(void, signal_set, ctx_signal_set, (shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe),
    ctx, sig_addr, signal, pe)

/* Collective routines (9.10) */
COPAL_OVERLOAD(int, sync, team_sync, (shmem_team_t team), team)
#define COPAL_ALLTOALL(T, N) COPAL_OVERLOAD(int, alltoall, N##_alltoall, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_RMA(COPAL_ALLTOALL)
#undef COPAL_ALLTOALL
#define COPAL_ALLTOALLS(T, N) COPAL_OVERLOAD(int, alltoalls, N##_alltoalls, \
    (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems), \
    team, dest, source, dst, sst, nelems)
COPAL_DISTINCT_RMA(COPAL_ALLTOALLS)
#undef COPAL_ALLTOALLS
#define COPAL_BROADCAST(T, N) COPAL_OVERLOAD(int, broadcast, N##_broadcast, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root), team, dest, source, nelems, PE_root)
COPAL_DISTINCT_RMA(COPAL_BROADCAST)
#undef COPAL_BROADCAST
#define COPAL_COLLECT(T, N) COPAL_OVERLOAD(int, collect, N##_collect, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_RMA(COPAL_COLLECT)
#undef COPAL_COLLECT
#define COPAL_FCOLLECT(T, N) COPAL_OVERLOAD(int, fcollect, N##_fcollect, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_RMA(COPAL_FCOLLECT)
#undef COPAL_FCOLLECT
#define COPAL_AND(T, N) COPAL_OVERLOAD(int, and_reduce, N##_and_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_BIT(COPAL_AND)
#undef COPAL_AND
#define COPAL_OR(T, N) COPAL_OVERLOAD(int, or_reduce, N##_or_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_BIT(COPAL_OR)
#undef COPAL_OR
#define COPAL_XOR(T, N) COPAL_OVERLOAD(int, xor_reduce, N##_xor_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_BIT(COPAL_XOR)
#undef COPAL_XOR
#define COPAL_MAX(T, N) COPAL_OVERLOAD(int, max_reduce, N##_max_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_ORD(COPAL_MAX)
#undef COPAL_MAX
#define COPAL_MIN(T, N) COPAL_OVERLOAD(int, min_reduce, N##_min_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_ORD(COPAL_MIN)
#undef COPAL_MIN
#define COPAL_SUM(T, N) COPAL_OVERLOAD(int, sum_reduce, N##_sum_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_SUM)
#undef COPAL_SUM
#define COPAL_PROD(T, N) COPAL_OVERLOAD(int, prod_reduce, N##_prod_reduce, \
    (shmem_team_t team, T *dest, const T *source, size_t nreduce), team, dest, source, nreduce)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_PROD)
#undef COPAL_PROD
#define COPAL_INSCAN(T, N) COPAL_OVERLOAD(int, sum_inscan, N##_sum_inscan, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_INSCAN)
#undef COPAL_INSCAN
#define COPAL_EXSCAN(T, N) COPAL_OVERLOAD(int, sum_exscan, N##_sum_exscan, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems), team, dest, source, nelems)
COPAL_DISTINCT_REDUCE_ARITH(COPAL_EXSCAN)
#undef COPAL_EXSCAN

/* C's own complex numbers, where the compiler has them in C++ too, beside std::complex: both are laid out alike. */
#ifdef __GNUC__
__extension__ typedef double _Complex copal_c_complexd;
__extension__ typedef float _Complex copal_c_complexf;
#define COPAL_C_REDUCE(T, N, OP, NAME) COPAL_OVERLOAD(int, NAME, N##_##OP, \
    (shmem_team_t team, copal_c_##N *dest, const copal_c_##N *source, size_t nelems), \
    team, reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nelems)
#define COPAL_C_TO_ALL(T, N, OP) COPAL_OVERLOAD(void, N##_##OP##_to_all, N##_##OP##_to_all, \
    (copal_c_##N *dest, const copal_c_##N *source, int nreduce, int PE_start, int logPE_stride, int PE_size, \
     copal_c_##N *pWrk, long *pSync), reinterpret_cast<T *>(dest), reinterpret_cast<const T *>(source), nreduce, \
    PE_start, logPE_stride, PE_size, reinterpret_cast<T *>(pWrk), pSync)
#define COPAL_C_BOTH(T, N, OP) COPAL_C_REDUCE(T, N, OP, OP) COPAL_C_REDUCE(T, N, OP, N##_##OP)
#define COPAL_C_COMPLEX(T, N) \
    COPAL_C_BOTH(T, N, sum_reduce) COPAL_C_BOTH(T, N, prod_reduce) COPAL_C_BOTH(T, N, sum_inscan) \
    COPAL_C_BOTH(T, N, sum_exscan) COPAL_C_TO_ALL(T, N, sum) COPAL_C_TO_ALL(T, N, prod)
COPAL_TYPES_COMPLEX(COPAL_C_COMPLEX)
#undef COPAL_C_REDUCE
#undef COPAL_C_TO_ALL
#undef COPAL_C_BOTH
#undef COPAL_C_COMPLEX
#endif

/* Point-to-point synchronisation (9.11).  For long, shmem_wait_until is the plain function of that name. */
#define COPAL_WAIT_UNTIL(T, N) COPAL_OVERLOAD(void, wait_until, N##_wait_until, \
    (T *ivar, int cmp, T cmp_value), ivar, cmp, cmp_value)
COPAL_WAIT_UNTIL(int, int) COPAL_WAIT_UNTIL(long long, longlong) COPAL_DISTINCT_UINT(COPAL_WAIT_UNTIL)
COPAL_WAIT_UNTIL(short, short) COPAL_WAIT_UNTIL(unsigned short, ushort)
#undef COPAL_WAIT_UNTIL
#define COPAL_TEST(T, N) COPAL_OVERLOAD(int, test, N##_test, (T *ivar, int cmp, T cmp_value), ivar, cmp, cmp_value)
COPAL_DISTINCT_WAIT(COPAL_TEST)
#undef COPAL_TEST
#define COPAL_WAIT_ALL(T, N) COPAL_OVERLOAD(void, wait_until_all, N##_wait_until_all, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_WAIT_ALL)
#undef COPAL_WAIT_ALL
#define COPAL_WAIT_ANY(T, N) COPAL_OVERLOAD(size_t, wait_until_any, N##_wait_until_any, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_WAIT_ANY)
#undef COPAL_WAIT_ANY
#define COPAL_WAIT_SOME(T, N) COPAL_OVERLOAD(size_t, wait_until_some, N##_wait_until_some, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value), \
    ivars, nelems, indices, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_WAIT_SOME)
#undef COPAL_WAIT_SOME
#define COPAL_WAIT_ALL_VECTOR(T, N) COPAL_OVERLOAD(void, wait_until_all_vector, N##_wait_until_all_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_WAIT_ALL_VECTOR)
#undef COPAL_WAIT_ALL_VECTOR
#define COPAL_WAIT_ANY_VECTOR(T, N) COPAL_OVERLOAD(size_t, wait_until_any_vector, N##_wait_until_any_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_WAIT_ANY_VECTOR)
#undef COPAL_WAIT_ANY_VECTOR
#define COPAL_WAIT_SOME_VECTOR(T, N) COPAL_OVERLOAD(size_t, wait_until_some_vector, N##_wait_until_some_vector, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values), \
    ivars, nelems, indices, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_WAIT_SOME_VECTOR)
#undef COPAL_WAIT_SOME_VECTOR
#define COPAL_TEST_ALL(T, N) COPAL_OVERLOAD(int, test_all, N##_test_all, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_TEST_ALL)
#undef COPAL_TEST_ALL
#define COPAL_TEST_ANY(T, N) COPAL_OVERLOAD(size_t, test_any, N##_test_any, \
    (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value), ivars, nelems, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_TEST_ANY)
#undef COPAL_TEST_ANY
#define COPAL_TEST_SOME(T, N) COPAL_OVERLOAD(size_t, test_some, N##_test_some, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value), \
    ivars, nelems, indices, status, cmp, cmp_value)
COPAL_DISTINCT_AMO(COPAL_TEST_SOME)
#undef COPAL_TEST_SOME
#define COPAL_TEST_ALL_VECTOR(T, N) COPAL_OVERLOAD(int, test_all_vector, N##_test_all_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_TEST_ALL_VECTOR)
#undef COPAL_TEST_ALL_VECTOR
#define COPAL_TEST_ANY_VECTOR(T, N) COPAL_OVERLOAD(size_t, test_any_vector, N##_test_any_vector, \
    (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values), ivars, nelems, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_TEST_ANY_VECTOR)
#undef COPAL_TEST_ANY_VECTOR
#define COPAL_TEST_SOME_VECTOR(T, N) COPAL_OVERLOAD(size_t, test_some_vector, N##_test_some_vector, \
    (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values), \
    ivars, nelems, indices, status, cmp, cmp_values)
COPAL_DISTINCT_AMO(COPAL_TEST_SOME_VECTOR)
#undef COPAL_TEST_SOME_VECTOR

#undef COPAL_INLINE
#undef COPAL_OVERLOAD
#undef COPAL_OVERLOAD_CTX
#undef COPAL_LIST

#endif
