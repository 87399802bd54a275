/* Collectives on teams (9.10). This file names types; groups.c checks arguments, and the algorithms are in
 * src/shcoll. */
#include "shmem/groups.h"

static struct shcoll_group *group_of(shmem_team_t team, const char *routine)
{
    struct shcoll_group *g = &team_find(team, routine)->group;
    enter(routine);
    return g;
}

void shmemx_tell_algorithms(shmemx_algorithm_handler handler)
{
    shcoll_tell(handler);
}

void shmemx_begin_collective(const char *name)
{
    check_initialized(ROUTINE);
    outer_routine = name;
}

void shmemx_end_collective(void)
{
    outer_routine = NULL;
}

/* --- synchronization ---------------------------------------------------------------------------------------------- */

void barrier_all(const char *routine)
{
    struct shcoll_group *world = group_of(SHMEM_TEAM_WORLD, routine);
    quiet_before_sync();
    group_sync(world, routine);
}

API(void, barrier_all, (void))
{
    barrier_all(ROUTINE);
}

API(void, sync_all, (void))
{
    group_sync(group_of(SHMEM_TEAM_WORLD, ROUTINE), ROUTINE);
}

API(int, team_sync, (shmem_team_t team))
{
    group_sync(group_of(team, ROUTINE), ROUTINE);
    return 0;
}

/* --- data --------------------------------------------------------------------------------------------------------- */

static int broadcast(shmem_team_t team, void *dest, const void *source, size_t nelems, size_t size, int root,
                     const char *routine)
{
    group_broadcast(group_of(team, routine), dest, source, nelems, size, root, routine);
    return 0;
}

static int gather(enum gather what, shmem_team_t team, void *dest, const void *source, size_t nelems, size_t size,
                  const char *routine)
{
    group_gather(what, group_of(team, routine), dest, source, nelems, size, routine);
    return 0;
}

static int alltoalls(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems,
                     size_t size, const char *routine)
{
    group_alltoalls(group_of(team, routine), dest, source, dst, sst, nelems, size, routine);
    return 0;
}

/* shmem_int_broadcast, shmem_int_collect, shmem_int_fcollect, shmem_int_alltoall, shmem_int_alltoalls ... */
#define BROADCAST(T, SIZE, NAME) \
    API(int, NAME, (shmem_team_t team, T *dest, const T *source, size_t nelems, int PE_root)) \
    { return broadcast(team, dest, source, nelems, SIZE, PE_root, ROUTINE); }
#define GATHER(KIND, T, SIZE, NAME) API(int, NAME, (shmem_team_t team, T *dest, const T *source, size_t nelems)) \
    { return gather(KIND, team, dest, source, nelems, SIZE, ROUTINE); }
#define ALLTOALLS(T, SIZE, NAME) API(int, NAME, \
        (shmem_team_t team, T *dest, const T *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems)) \
    { return alltoalls(team, dest, source, dst, sst, nelems, SIZE, ROUTINE); }
#define TYPED(T, N) BROADCAST(T, sizeof(T), N##_broadcast) GATHER(COLLECT, T, sizeof(T), N##_collect) \
    GATHER(FCOLLECT, T, sizeof(T), N##_fcollect) GATHER(ALLTOALL, T, sizeof(T), N##_alltoall) \
    ALLTOALLS(T, sizeof(T), N##_alltoalls)
COPAL_TYPES_RMA(TYPED)
BROADCAST(void, 1, broadcastmem)
GATHER(COLLECT, void, 1, collectmem)
GATHER(FCOLLECT, void, 1, fcollectmem)
GATHER(ALLTOALL, void, 1, alltoallmem)
ALLTOALLS(void, 1, alltoallsmem)

/* --- reductions and scans ----------------------------------------------------------------------------------------- */

static int reduce(shmem_team_t team, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                  enum reduction kind, const char *routine)
{
    group_reduce(group_of(team, routine), dest, source, n, op, kind, routine);
    return 0;
}

/* shmem_uint_and_reduce, shmem_uint_or_reduce, shmem_uint_xor_reduce, shmem_int_max_reduce, shmem_int_min_reduce,
 * shmem_int_sum_reduce, shmem_int_prod_reduce, shmem_int_sum_inscan, shmem_int_sum_exscan ... */
#define REDUCE(OP, NAME, T, N) \
    API(int, N##_##OP##_reduce, (shmem_team_t team, T *dest, const T *source, size_t nreduce)) \
    { return reduce(team, dest, source, nreduce, SHCOLL_OP(NAME, T), REDUCE_ALL, ROUTINE); }
#define SCAN(KIND, NAME, T, N) API(int, N##_sum_##KIND, (shmem_team_t team, T *dest, const T *source, size_t nelems)) \
    { return reduce(team, dest, source, nelems, SHCOLL_OP(SUM, T), NAME, ROUTINE); }
#define REDUCE_BIT(T, N) REDUCE(and, AND, T, N) REDUCE(or, OR, T, N) REDUCE(xor, XOR, T, N)
#define REDUCE_ORD(T, N) REDUCE(max, MAX, T, N) REDUCE(min, MIN, T, N)
#define REDUCE_ARITH(T, N) REDUCE(sum, SUM, T, N) REDUCE(prod, PROD, T, N)
#define SCANS(T, N) SCAN(inscan, INSCAN, T, N) SCAN(exscan, EXSCAN, T, N)
COPAL_TYPES_REDUCE_BIT(REDUCE_BIT)
COPAL_TYPES_REDUCE_ORD(REDUCE_ORD)
COPAL_TYPES_REDUCE_ARITH(REDUCE_ARITH)
COPAL_TYPES_REDUCE_ARITH(SCANS)
