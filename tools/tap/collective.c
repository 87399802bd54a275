/* Collectives (9.10), on teams and on active sets. count is the number of elements that each PE contributes (in
 * alltoall, for each PE). */
#include "tap/wrap.h"

/* A team's PEs; none if the team does not exist, which the library reports. */
#define OF_TEAM .team = team, .start = tap_team(team).start, .stride = tap_team(team).stride, \
    .size = tap_team(team).size
#define OF_WORLD .team = SHMEM_TEAM_WORLD, .stride = 1, .size = tap_team(SHMEM_TEAM_WORLD).size
#define OF_SET .start = PE_start, .stride = 1 << logPE_stride, .size = PE_size

#define SET_A int PE_start, int logPE_stride, int PE_size, long *pSync
#define SET_ON PE_start, logPE_stride, PE_size, pSync

/* shmem_barrier_all, shmem_barrier, shmem_sync_all, shmem_team_sync, shmem_sync */
TAP(barrier_all, (void), (), .kind = TAP_BARRIER, NO_PE, OF_WORLD)
TAP(barrier, (SET_A), (SET_ON), .kind = TAP_BARRIER, NO_PE, OF_SET)
TAP(sync_all, (void), (), .kind = TAP_SYNC, NO_PE, OF_WORLD)
TAP_RETURN(int, team_sync, (shmem_team_t team), (team), FOUND, .kind = TAP_SYNC, NO_PE, OF_TEAM)
TAP(sync, (SET_A), (SET_ON), .kind = TAP_SYNC, NO_PE, OF_SET)

/* A collective on a team, and its old form on an active set. */
#define TEAM(N, KIND, T, SIZE) TAP_RETURN(int, N, (shmem_team_t team, T *dest, const T *source, size_t nelems), \
    (team, dest, source, nelems), FOUND, .kind = KIND, NO_PE, OF_TEAM, MOVES(SIZE))
#define SET(N, KIND, SIZE) TAP(N, (void *dest, const void *source, size_t nelems, SET_A), \
    (dest, source, nelems, SET_ON), .kind = KIND, NO_PE, OF_SET, MOVES(SIZE))

/* shmem_int_alltoall, shmem_int_collect, shmem_int_fcollect; shmem_alltoallmem ...; shmem_alltoall32 ... */
#define GATHERS(T, N) TEAM(N##_alltoall, TAP_ALLTOALL, T, sizeof(T)) TEAM(N##_collect, TAP_COLLECT, T, sizeof(T)) \
    TEAM(N##_fcollect, TAP_FCOLLECT, T, sizeof(T))
COPAL_TYPES_RMA(GATHERS)
TEAM(alltoallmem, TAP_ALLTOALL, void, 1)
TEAM(collectmem, TAP_COLLECT, void, 1)
TEAM(fcollectmem, TAP_FCOLLECT, void, 1)
SET(alltoall32, TAP_ALLTOALL, 4)
SET(alltoall64, TAP_ALLTOALL, 8)
SET(collect32, TAP_COLLECT, 4)
SET(collect64, TAP_COLLECT, 8)
SET(fcollect32, TAP_FCOLLECT, 4)
SET(fcollect64, TAP_FCOLLECT, 8)

/* shmem_int_alltoalls, shmem_alltoallsmem, shmem_alltoalls32 ... */
#define TEAM_APART(N, T, SIZE) TAP_RETURN(int, N, (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, \
    ptrdiff_t sst, size_t nelems), (team, dest, source, dst, sst, nelems), FOUND, \
    .kind = TAP_ALLTOALL, NO_PE, OF_TEAM, STRIDES(SIZE))
#define SET_APART(N, SIZE) \
    TAP(N, (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, SET_A), \
    (dest, source, dst, sst, nelems, SET_ON), .kind = TAP_ALLTOALL, NO_PE, OF_SET, STRIDES(SIZE))
#define ALLTOALLS(T, N) TEAM_APART(N##_alltoalls, T, sizeof(T))
COPAL_TYPES_RMA(ALLTOALLS)
TEAM_APART(alltoallsmem, void, 1)
SET_APART(alltoalls32, 4)
SET_APART(alltoalls64, 8)

/* shmem_int_broadcast, shmem_broadcastmem, shmem_broadcast32, shmem_broadcast64 */
#define FROM_ROOT .kind = TAP_BROADCAST, NO_PE, .root = PE_root
#define TEAM_ROOT(N, T, SIZE) \
    TAP_RETURN(int, N, (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root), \
    (team, dest, source, nelems, PE_root), FOUND, FROM_ROOT, OF_TEAM, MOVES(SIZE))
#define SET_ROOT(N, SIZE) TAP(N, (void *dest, const void *source, size_t nelems, int PE_root, SET_A), \
    (dest, source, nelems, PE_root, SET_ON), FROM_ROOT, OF_SET, MOVES(SIZE))
#define BROADCAST(T, N) TEAM_ROOT(N##_broadcast, T, sizeof(T))
COPAL_TYPES_RMA(BROADCAST)
TEAM_ROOT(broadcastmem, void, 1)
SET_ROOT(broadcast32, 4)
SET_ROOT(broadcast64, 8)

/* shmem_int_sum_reduce, shmem_int_prod_reduce, shmem_int_sum_inscan, shmem_int_sum_exscan; shmem_int_max_reduce,
 * shmem_int_min_reduce; shmem_uint_and_reduce, shmem_uint_or_reduce, shmem_uint_xor_reduce */
#define REDUCE(T, N) TEAM(N##_reduce, TAP_REDUCE, T, sizeof(T))
#define ARITH(T, N) REDUCE(T, N##_sum) REDUCE(T, N##_prod) TEAM(N##_sum_inscan, TAP_SCAN, T, sizeof(T)) \
    TEAM(N##_sum_exscan, TAP_SCAN, T, sizeof(T))
#define ORD(T, N) REDUCE(T, N##_max) REDUCE(T, N##_min)
#define BIT(T, N) REDUCE(T, N##_and) REDUCE(T, N##_or) REDUCE(T, N##_xor)
COPAL_TYPES_REDUCE_ARITH(ARITH)
COPAL_TYPES_REDUCE_ORD(ORD)
COPAL_TYPES_REDUCE_BIT(BIT)

/* shmem_int_sum_to_all, shmem_int_prod_to_all, shmem_int_max_to_all, shmem_int_min_to_all, shmem_int_and_to_all,
 * shmem_int_or_to_all, shmem_int_xor_to_all */
#define TO_ALL(T, N) \
    TAP(N##_to_all, (T *dest, const T *source, int nreduce, int PE_start, int logPE_stride, int PE_size, T *pWrk, \
    long *pSync), (dest, source, nreduce, PE_start, logPE_stride, PE_size, pWrk, pSync), .kind = TAP_REDUCE, NO_PE, \
    OF_SET, .dest = dest, .source = source, .bytes = sizeof(T), .count = (size_t)nreduce, STEPS(1, 1, sizeof(T)))
#define OLD_ARITH(T, N) TO_ALL(T, N##_sum) TO_ALL(T, N##_prod)
#define OLD_ORD(T, N) TO_ALL(T, N##_max) TO_ALL(T, N##_min)
#define OLD_BIT(T, N) TO_ALL(T, N##_and) TO_ALL(T, N##_or) TO_ALL(T, N##_xor)
COPAL_TYPES_TO_ALL_ARITH(OLD_ARITH)
COPAL_TYPES_TO_ALL_ORD(OLD_ORD)
COPAL_TYPES_TO_ALL_BIT(OLD_BIT)
