/* Collectives on active sets (9.10), deprecated since 1.5. The algorithms are the same as for teams; members signal
 * each other in the user's pSync (src/shcoll/group/flags.h), and pWrk is not used. */
#include "shmem/groups.h"

struct active_set {
    int start, log_stride, size;
    long *pSync;
};
#define SET (struct active_set){PE_start, logPE_stride, PE_size, pSync}

static struct shcoll_group group_of(struct active_set set, enum pSync_use use, const char *routine)
{
    check_initialized(routine);
    if (set.log_stride < 0 || set.log_stride > 30)
        job_fatal(routine, "argument logPE_stride is %d, allowed are 0 to 30", set.log_stride);
    const int stride = 1 << set.log_stride;
    if (set.start < 0 || set.start >= node.n_pes)
        job_fatal(routine, "argument PE_start is %d, allowed are 0 to %d%s", set.start, node.n_pes - 1, node_alone());
    const int most = (node.n_pes - 1 - set.start) / stride + 1;
    if (set.size < 1 || set.size > most)
        job_fatal(routine, "argument PE_size is %d, allowed with PE_start %d and a stride of %d are 1 to %d%s",
                  set.size, set.start, stride, most, node_alone());
    const int distance = node.me - set.start;
    if (distance < 0 || distance % stride != 0 || distance / stride >= set.size)
        job_fatal(routine, "called by PE %d, allowed are the members of the active set (%d, %d, %d)", node.me,
                  set.start, stride, set.size);
    reach_arg("pSync", set.pSync, SHMEM_REDUCE_SYNC_SIZE * sizeof *set.pSync, node.me, routine);
    if (UNLIKELY(node.debug))
        debug_pSync(set.pSync, use, routine);
    enter(routine);
    return (struct shcoll_group){.start = set.start, .stride = stride, .size = set.size, .me = distance / stride,
                                 .work = (uint64_t *)set.pSync, .is_pSync = true};
}

API(void, sync, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
    struct shcoll_group g = group_of(SET, PSYNC_SYNC, ROUTINE);
    group_sync(&g, ROUTINE);
}

API(void, barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync))
{
    check_initialized(ROUTINE);
    quiet(VIA_DEFAULT); /* completes the user's operations before the collective begins */
    struct shcoll_group g = group_of(SET, PSYNC_SYNC, ROUTINE);
    group_sync(&g, ROUTINE);
}

static void broadcast(void *dest, const void *source, size_t nelems, size_t size, int root, struct active_set set,
                      const char *routine)
{
    struct shcoll_group g = group_of(set, PSYNC_BROADCAST, routine);
    group_broadcast(&g, dest, source, nelems, size, root, routine);
}

static void gather(enum gather what, void *dest, const void *source, size_t nelems, size_t size, struct active_set set,
                   const char *routine)
{
    struct shcoll_group g = group_of(set, PSYNC_OTHER, routine);
    group_gather(what, &g, dest, source, nelems, size, routine);
}

static void alltoalls(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t size,
                      struct active_set set, const char *routine)
{
    struct shcoll_group g = group_of(set, PSYNC_OTHER, routine);
    group_alltoalls(&g, dest, source, dst, sst, nelems, size, routine);
}

static void reduce(void *dest, const void *source, int nreduce, const struct shcoll_op *op, struct active_set set,
                   const char *routine)
{
    if (nreduce < 0)
        job_fatal(routine, "argument nreduce is %d, allowed are 0 and more", nreduce);
    struct shcoll_group g = group_of(set, PSYNC_OTHER, routine);
    group_reduce(&g, dest, source, (size_t)nreduce, op, REDUCE_ALL, routine);
}

#define ACTIVE_SET int PE_start, int logPE_stride, int PE_size
/* shmem_broadcast64, shmem_collect64, shmem_fcollect64, shmem_alltoall64, shmem_alltoalls64 ... */
#define BROADCAST(BITS) API(void, broadcast##BITS, \
        (void *dest, const void *source, size_t nelems, int PE_root, ACTIVE_SET, long *pSync)) \
    { broadcast(dest, source, nelems, BITS / 8, PE_root, SET, ROUTINE); }
#define GATHER(KIND, NAME, BITS) \
    API(void, NAME##BITS, (void *dest, const void *source, size_t nelems, ACTIVE_SET, long *pSync)) \
    { gather(KIND, dest, source, nelems, BITS / 8, SET, ROUTINE); }
#define ALLTOALLS(BITS) API(void, alltoalls##BITS, \
        (void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, ACTIVE_SET, long *pSync)) \
    { alltoalls(dest, source, dst, sst, nelems, BITS / 8, SET, ROUTINE); }
BROADCAST(32) BROADCAST(64)
GATHER(COLLECT, collect, 32) GATHER(COLLECT, collect, 64)
GATHER(FCOLLECT, fcollect, 32) GATHER(FCOLLECT, fcollect, 64)
GATHER(ALLTOALL, alltoall, 32) GATHER(ALLTOALL, alltoall, 64)
ALLTOALLS(32) ALLTOALLS(64)

/* shmem_int_and_to_all, shmem_int_or_to_all, shmem_int_xor_to_all, shmem_int_max_to_all, shmem_int_min_to_all,
 * shmem_int_sum_to_all, shmem_int_prod_to_all ... */
#define TO_ALL(OP, NAME, T, N) API(void, N##_##OP##_to_all, \
        (T *dest, const T *source, int nreduce, ACTIVE_SET, T *pWrk, long *pSync)) \
    { (void)pWrk; reduce(dest, source, nreduce, SHCOLL_OP(NAME, T), SET, ROUTINE); }
#define TO_ALL_BIT(T, N) TO_ALL(and, AND, T, N) TO_ALL(or, OR, T, N) TO_ALL(xor, XOR, T, N)
#define TO_ALL_ORD(T, N) TO_ALL(max, MAX, T, N) TO_ALL(min, MIN, T, N)
#define TO_ALL_ARITH(T, N) TO_ALL(sum, SUM, T, N) TO_ALL(prod, PROD, T, N)
COPAL_TYPES_TO_ALL_BIT(TO_ALL_BIT)
COPAL_TYPES_TO_ALL_ORD(TO_ALL_ORD)
COPAL_TYPES_TO_ALL_ARITH(TO_ALL_ARITH)
