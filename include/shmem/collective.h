/* Collective routines (9.10).
 *
 * All PEs of the team, or of the active set, call the routine, in the same order and with the same sizes.  An active
 * set consists of PE_size PEs: PE_start, PE_start + 2^logPE_stride, PE_start + 2 * 2^logPE_stride and so on.  The
 * algorithms can be selected and measured: shcoll(3), copal-tune(1).
 *
 * dest: symmetric, the same on all PEs that take part; no other PE may still be using it
 * source: symmetric, the same on all PEs that take part; only the calling PE's source must be ready
 * nelems: number of elements, or in the ...mem routines bytes
 * dst: distance from one element of dest to the next, in elements, or in the ...mem routines bytes
 * sst: the same for source
 * PE_start: the first PE of the active set
 * logPE_stride: the set has every 2^logPE_stride-th PE
 * PE_size: number of PEs of the set
 * pSync: a symmetric array of SHMEM_..._SYNC_SIZE longs.  All PEs set them to SHMEM_SYNC_VALUE before the call, and
 * they have this value on return.  Before the next call, the PEs must synchronize, or the call needs another array;
 * shmem_barrier and shmem_sync on the same set are exceptions
 *
 * WIDTH: 4, 8 (bytes of an element), 32 or 64 (bits of an element)
 *
 * Errors: The team SHMEM_TEAM_INVALID ends the job, too.  With SHMEM_DEBUG, so do arguments that differ between the
 * PEs, and a dest and source that overlap.
 *
 * Fortran: Data are of any type and rank, sections without gaps; counts and strides are integers of any kind.  The
 * routines named ...mem take addresses, type(c_ptr).  Only shmem.fh has the forms on active sets. */

/* barrier_all, barrier: wait for all PEs, and complete their operations (9.10.1, 9.10.2).
 *
 * shmem_barrier_all is for all PEs of the job, shmem_barrier for those of an active set.
 *
 * On return: all these PEs have called.  Their earlier operations on SHMEM_CTX_DEFAULT are complete and visible to all;
 * those on other contexts need not be complete.
 *
 * Classic: shmem_barrier_all(); shmem_barrier(PE_start, logPE_stride, PE_size, pSync)
 *
 * Deprecated since 1.5: shmem_barrier.  Use shmem_quiet and shmem_team_sync. */
COPAL_DECL(void, barrier_all, (void))
COPAL_DECL(void, barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))

/* sync_all, team_sync, sync: wait for all PEs (9.10.4, 9.10.3).
 *
 * shmem_sync_all is for all PEs of the job, shmem_team_sync for those of a team, shmem_sync for those of an active
 * set, or in C11, C++ and Fortran also of a team.
 *
 * On return: all these PEs have called, and see each other's ordinary stores.  Puts and atomics need not be complete:
 * shmem_quiet before, or shmem_barrier_all, completes them.
 *
 * Returns: shmem_team_sync, 0.
 *
 * Deprecated since 1.5: shmem_sync on active sets. */
COPAL_DECL(void, sync_all, (void))
COPAL_DECL(int, team_sync, (shmem_team_t team))
COPAL_DECL(void, sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))

/* alltoall, alltoallmem: exchange a block between every two PEs (9.10.5).
 *
 * Block k of source is copied to PE k: it becomes block i of dest there, where i is the sender's number.  A block has
 * nelems elements; dest and source have as many blocks as there are PEs.
 *
 * nelems: elements, or in shmem_alltoallmem bytes, of one block
 *
 * On return: dest has the data, and source may be reused.
 *
 * Returns: the team routines, 0.
 *
 * Classic: shmem_alltoallWIDTH(dest, source, nelems, PE_start, logPE_stride, PE_size, pSync)
 *
 * Deprecated since 1.5: shmem_alltoall32, shmem_alltoall64. */
#define COPAL_ALLTOALL(T, N) COPAL_DECL(int, N##_alltoall, (shmem_team_t team, T *dest, const T *source, size_t nelems))
COPAL_TYPES_RMA(COPAL_ALLTOALL)
COPAL_DECL(int, alltoallmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
COPAL_DECL(void, alltoall32, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
COPAL_DECL(void, alltoall64, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
#undef COPAL_ALLTOALL

/* alltoalls, alltoallsmem: exchange strided elements between every two PEs (9.10.6).
 *
 * As shmem_alltoall, but the elements of a block are sst apart in source and dst apart in dest.  A block begins at
 * the next element position after the previous block.
 *
 * nelems: elements, or in shmem_alltoallsmem bytes, of one block
 *
 * On return: dest has the data, and source may be reused.
 *
 * Returns: the team routines, 0.
 *
 * Classic: shmem_alltoallsWIDTH(dest, source, dst, sst, nelems, PE_start, logPE_stride, PE_size, pSync)
 *
 * Deprecated since 1.5: shmem_alltoalls32, shmem_alltoalls64. */
#define COPAL_ALLTOALLS(T, N) COPAL_DECL(int, N##_alltoalls, \
    (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems))
COPAL_TYPES_RMA(COPAL_ALLTOALLS)
COPAL_DECL(int, alltoallsmem, (shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                               size_t nelems))
COPAL_DECL(void, alltoalls32, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                               int PE_start, int logPE_stride, int PE_size, long *pSync))
COPAL_DECL(void, alltoalls64, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                               int PE_start, int logPE_stride, int PE_size, long *pSync))
#undef COPAL_ALLTOALLS

/* broadcast, broadcastmem: copy data of one PE to all (9.10.7).
 *
 * Copies nelems elements from source of one PE, the root, to dest of all PEs, also of the root.  In the forms on active
 * sets, dest of the root is unchanged.
 *
 * source: symmetric, the same on all PEs that take part; the root's source is copied
 * PE_root: the root's number in the team, or its position in the active set, from 0
 *
 * On return: dest of the calling PE has the data, and source may be reused.
 *
 * Returns: the team routines, 0.
 *
 * Classic: shmem_broadcastWIDTH(dest, source, nelems, PE_root, PE_start, logPE_stride, PE_size, pSync)
 *
 * Deprecated since 1.5: shmem_broadcast32, shmem_broadcast64. */
#define COPAL_BROADCAST(T, N) COPAL_DECL(int, N##_broadcast, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root))
COPAL_TYPES_RMA(COPAL_BROADCAST)
COPAL_DECL(int, broadcastmem, (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root))
COPAL_DECL(void, broadcast32, (void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                               int logPE_stride, int PE_size, long *pSync))
COPAL_DECL(void, broadcast64, (void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                               int logPE_stride, int PE_size, long *pSync))
#undef COPAL_BROADCAST

/* collect, fcollect, collectmem, fcollectmem: concatenate the data of all PEs on all PEs (9.10.8).
 *
 * Copies the sources of all PEs to dest of each PE, one after the other in the order of the PEs.  For shmem_fcollect,
 * nelems is the same on all PEs; for shmem_collect, it may differ, and may be 0.
 *
 * dest: symmetric, the same on all PEs that take part, with space for all the data
 *
 * On return: dest has the data, and source may be reused.
 *
 * Returns: the team routines, 0.
 *
 * Classic: shmem_collectWIDTH, shmem_fcollectWIDTH(dest, source, nelems, PE_start, logPE_stride, PE_size, pSync)
 *
 * Deprecated since 1.5: shmem_collect32, shmem_collect64, shmem_fcollect32, shmem_fcollect64. */
#define COPAL_COLLECT(T, N) COPAL_DECL(int, N##_collect, (shmem_team_t team, T *dest, const T *source, size_t nelems))
#define COPAL_FCOLLECT(T, N) COPAL_DECL(int, N##_fcollect, (shmem_team_t team, T *dest, const T *source, size_t nelems))
COPAL_TYPES_RMA(COPAL_COLLECT)
COPAL_TYPES_RMA(COPAL_FCOLLECT)
COPAL_DECL(int, collectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
COPAL_DECL(int, fcollectmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
COPAL_DECL(void, collect32, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size,
                             long *pSync))
COPAL_DECL(void, collect64, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size,
                             long *pSync))
COPAL_DECL(void, fcollect32, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
COPAL_DECL(void, fcollect64, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
#undef COPAL_COLLECT
#undef COPAL_FCOLLECT

/* sum_reduce, prod_reduce, max_reduce, min_reduce, and_reduce, or_reduce, xor_reduce: combine data of all PEs of a
 * team (9.10.9; since 1.5).
 *
 * Element j of dest of each PE gets the sum, product, maximum, minimum, or the bits combined by AND, OR or XOR, of
 * element j of the sources of all PEs.  All PEs get results of the same bits, also for floating-point sums.
 *
 * dest: symmetric, the same on all PEs that take part; it may be source, but must not overlap it otherwise
 * nreduce: number of elements
 *
 * On return: dest has the results, and source may be reused.
 *
 * Returns: 0. */
#define COPAL_AND(T, N) COPAL_DECL(int, N##_and_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_OR(T, N) COPAL_DECL(int, N##_or_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_XOR(T, N) COPAL_DECL(int, N##_xor_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_MAX(T, N) COPAL_DECL(int, N##_max_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_MIN(T, N) COPAL_DECL(int, N##_min_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_SUM(T, N) COPAL_DECL(int, N##_sum_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
#define COPAL_PROD(T, N) COPAL_DECL(int, N##_prod_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce))
COPAL_TYPES_REDUCE_BIT(COPAL_AND)
COPAL_TYPES_REDUCE_BIT(COPAL_OR)
COPAL_TYPES_REDUCE_BIT(COPAL_XOR)
COPAL_TYPES_REDUCE_ORD(COPAL_MAX)
COPAL_TYPES_REDUCE_ORD(COPAL_MIN)
COPAL_TYPES_REDUCE_ARITH(COPAL_SUM)
COPAL_TYPES_REDUCE_ARITH(COPAL_PROD)
#undef COPAL_AND
#undef COPAL_OR
#undef COPAL_XOR
#undef COPAL_MAX
#undef COPAL_MIN
#undef COPAL_SUM
#undef COPAL_PROD

/* sum_inscan, sum_exscan: sum the data of all PEs up to this PE (9.10.10; since 1.6).
 *
 * Element j of dest of PE i gets the sum of element j of the sources of PEs 0 to i (inscan) or 0 to i - 1 (exscan).  On
 * PE 0, the exscan is 0.
 *
 * dest: symmetric, the same on all PEs that take part; it may be source, but must not overlap it otherwise
 *
 * On return: dest has the sums, and source may be reused.
 *
 * Returns: 0. */
#define COPAL_INSCAN(T, N) COPAL_DECL(int, N##_sum_inscan, (shmem_team_t team, T *dest, const T *source, size_t nelems))
#define COPAL_EXSCAN(T, N) COPAL_DECL(int, N##_sum_exscan, (shmem_team_t team, T *dest, const T *source, size_t nelems))
COPAL_TYPES_REDUCE_ARITH(COPAL_INSCAN)
COPAL_TYPES_REDUCE_ARITH(COPAL_EXSCAN)
#undef COPAL_INSCAN
#undef COPAL_EXSCAN

/* to_all: combine data of all PEs of an active set (9.10.9).
 *
 * Element j of dest of each PE gets the sum, product, maximum, minimum, or the bits combined by AND, OR or XOR, of
 * element j of the sources of all PEs.
 *
 * dest: symmetric, the same on all PEs that take part; it may be source, but must not overlap it otherwise
 * nreduce: number of elements
 * pWrk: a symmetric array of at least nreduce / 2 + 1 and at least SHMEM_REDUCE_MIN_WRKDATA_SIZE elements
 * INTEGER: int2, int4 or int8
 * BITS: int2, int4, int8, comp4 or comp8
 * NUMBER: int2, int4, int8, real4, real8 or real16
 * ANY: int2, int4, int8, real4, real8, real16, comp4 or comp8
 *
 * On return: dest has the results, and source may be reused.
 *
 * Fortran: The module shmem has shmem_sum_reduce and the other reductions of teams.
 *
 * Classic: shmem_INTEGER_and_to_all, shmem_INTEGER_or_to_all, shmem_BITS_xor_to_all, shmem_NUMBER_max_to_all,
 * shmem_NUMBER_min_to_all, shmem_ANY_sum_to_all, shmem_ANY_prod_to_all(dest, source, nreduce, PE_start, logPE_stride,
 * PE_size, pWrk, pSync)
 *
 * Deprecated since 1.5.  Use shmem_sum_reduce and the other team reductions. */
#define COPAL_TO_ALL(T, NAME) COPAL_DECL(void, NAME##_to_all, \
    (T *dest, const T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, T *pWrk, long *pSync))
#define COPAL_AND(T, N) COPAL_TO_ALL(T, N##_and)
#define COPAL_OR(T, N) COPAL_TO_ALL(T, N##_or)
#define COPAL_XOR(T, N) COPAL_TO_ALL(T, N##_xor)
#define COPAL_MAX(T, N) COPAL_TO_ALL(T, N##_max)
#define COPAL_MIN(T, N) COPAL_TO_ALL(T, N##_min)
#define COPAL_SUM(T, N) COPAL_TO_ALL(T, N##_sum)
#define COPAL_PROD(T, N) COPAL_TO_ALL(T, N##_prod)
COPAL_TYPES_TO_ALL_BIT(COPAL_AND)
COPAL_TYPES_TO_ALL_BIT(COPAL_OR)
COPAL_TYPES_TO_ALL_BIT(COPAL_XOR)
COPAL_TYPES_TO_ALL_ORD(COPAL_MAX)
COPAL_TYPES_TO_ALL_ORD(COPAL_MIN)
COPAL_TYPES_TO_ALL_ARITH(COPAL_SUM)
COPAL_TYPES_TO_ALL_ARITH(COPAL_PROD)
#undef COPAL_TO_ALL
#undef COPAL_AND
#undef COPAL_OR
#undef COPAL_XOR
#undef COPAL_MAX
#undef COPAL_MIN
#undef COPAL_SUM
#undef COPAL_PROD
