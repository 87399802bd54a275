/* Collective routines (9.10): called by all PEs of a team, or of an active set, in the same order.
 *
 * dest and source are symmetric addresses, the same on all of these PEs.  Team routines return 0, or nonzero on
 * failure; nelems and nreduce count elements, in the ...mem routines bytes.
 *
 * The routines on active sets are deprecated since 1.5, but for shmem_barrier_all and shmem_sync_all.  Their active set
 * is the PE_size PEs PE_start, PE_start + 2^logPE_stride, ...  pSync is a symmetric array of SHMEM_..._SYNC_SIZE longs,
 * set to SHMEM_SYNC_VALUE on all PEs beforehand, and again so on return.  barrier and sync may reuse it at once on the
 * same set; the others need another one for the next call, or a synchronisation in between. */

/* Wait for all PEs of the world, or of an active set; what they had sent on the default context is complete and visible
 * then (9.10.1, 9.10.2). */
COPAL_DECL(void, barrier_all, (void))
COPAL_DECL(void, barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))

/* Wait for all PEs of the world, of a team, of an active set.  Ordinary stores are visible then; communication need not
 * be complete (9.10.4, 9.10.3). */
COPAL_DECL(void, sync_all, (void))
COPAL_DECL(int, team_sync, (shmem_team_t team))
COPAL_DECL(void, sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))

/* Block k of source goes to PE k, into the block of dest that is numbered after the sender; a block is nelems
 * elements (9.10.5). */
#define COPAL_ALLTOALL(T, N) COPAL_DECL(int, N##_alltoall, (shmem_team_t team, T *dest, const T *source, size_t nelems))
COPAL_TYPES_RMA(COPAL_ALLTOALL)
COPAL_DECL(int, alltoallmem, (shmem_team_t team, void *dest, const void *source, size_t nelems))
COPAL_DECL(void, alltoall32, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
COPAL_DECL(void, alltoall64, (void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride,
                              int PE_size, long *pSync))
#undef COPAL_ALLTOALL

/* The same, with strides: elements are dst apart in dest and sst in source (bytes, in alltoallsmem) (9.10.6). */
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

/* source of PE PE_root goes to dest of all; in the active-set forms PE_root is a number in the set, and dest of the
 * root stays as it is (9.10.7). */
#define COPAL_BROADCAST(T, N) COPAL_DECL(int, N##_broadcast, \
    (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root))
COPAL_TYPES_RMA(COPAL_BROADCAST)
COPAL_DECL(int, broadcastmem, (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root))
COPAL_DECL(void, broadcast32, (void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                               int logPE_stride, int PE_size, long *pSync))
COPAL_DECL(void, broadcast64, (void *dest, const void *source, size_t nelems, int PE_root, int PE_start,
                               int logPE_stride, int PE_size, long *pSync))
#undef COPAL_BROADCAST

/* The sources of all PEs, one after the other in the order of the PEs, go to dest of all.  collect: nelems may differ
 * from PE to PE; fcollect: it is the same everywhere (9.10.8). */
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

/* Reductions: dest[j] of all PEs gets source[j] of all PEs combined.  dest may be source (9.10.9). */
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

/* Prefix sums: dest[j] of PE i gets the sum of source[j] of PEs 0 to i (inscan), or 0 to i - 1, which is 0 for PE 0
 * (exscan).  dest may be source (9.10.10). */
#define COPAL_INSCAN(T, N) COPAL_DECL(int, N##_sum_inscan, (shmem_team_t team, T *dest, const T *source, size_t nelems))
#define COPAL_EXSCAN(T, N) COPAL_DECL(int, N##_sum_exscan, (shmem_team_t team, T *dest, const T *source, size_t nelems))
COPAL_TYPES_REDUCE_ARITH(COPAL_INSCAN)
COPAL_TYPES_REDUCE_ARITH(COPAL_EXSCAN)
#undef COPAL_INSCAN
#undef COPAL_EXSCAN

/* Reductions on active sets, deprecated (9.10.9).  pWrk is a symmetric array of at least nreduce / 2 + 1 and at least
 * SHMEM_REDUCE_MIN_WRKDATA_SIZE elements. */
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
