/* Mistakes that only SHMEM_DEBUG detects, because the checks cost time.
 *
 *     bad_debug --list     prints the names of the cases
 *     bad_debug CASE       makes the mistake */
#include "bad.h"

ONE_ERRS(put_overlap, ("shmem_long_put", "source|dest", "-"), shmem_long_put(dest + 1, dest, 4, me))
ONE_ERRS(get_overlap, ("shmem_long_get", "source|dest", "-"), shmem_long_get(dest, dest + 3, 4, me))
ALL_ERR(reduce_overlap, ("shmem_long_sum_reduce", "source|dest", "-"),
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, dest + 2, 4))
ALL_ERR(broadcast_overlap, ("shmem_long_broadcast", "source|dest", "-"),
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, dest + 2, 4, 0))
ALL_ERR(fcollect_overlap, ("shmem_long_fcollect", "source|dest", "-"),
        shmem_long_fcollect(SHMEM_TEAM_WORLD, more, more + 2, 4))
ALL_ERR(collect_overlap, ("shmem_long_collect", "source|dest", "-"),
        shmem_long_collect(SHMEM_TEAM_WORLD, more, more + 4, 3))
ALL_ERR(collect_set_overlap, ("shmem_collect64", "source|dest", "-"),
        shmem_collect64(more, more + 4, 3, 0, 0, n_pes, psync))
ALL_ERR(alltoall_overlap, ("shmem_long_alltoall", "source|dest", "-"),
        shmem_long_alltoall(SHMEM_TEAM_WORLD, more, more + 2, 2))

ALL_ERR(alltoalls_overlap, ("shmem_long_alltoalls", "source|dest", "-"),
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, more, more + 3, 2, 3, 2))

CASE(heap_overlap)
{
    long *p = shmem_malloc(N * sizeof *p);
    expect("shmem_long_put", "source|dest", "-");
    if (errs())
        shmem_long_put(p, p + 1, 4, me);
}

CASE(psync_again)
{
    expect("shmem_fcollect64", "pSync", "-");
    shmem_fcollect64(more, source, 4, 0, 0, n_pes, psync);
    shmem_fcollect64(more, source, 4, 0, 0, n_pes, psync); /* nothing has synchronized in between */
}

ALL_ERR(different_strides, ("shmem_long_alltoalls", "sst", "-"),
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, more, source, 1, errs() ? 2 : 1, 2))
ALL_ERR(different_set_roots, ("shmem_broadcast64", "PE_root", "-"),
        shmem_broadcast64(dest, source, 4, errs() ? 1 : 0, 0, 0, n_pes, psync))
ALL_ERR(different_set_lengths, ("shmem_long_sum_to_all", "nreduce", "-"),
        shmem_long_sum_to_all(dest, source, errs() ? 4 : 5, 0, 0, n_pes, work, psync))

CASE(psync_garbage)
{
    psync[0] = SHMEM_SYNC_VALUE + 77;
    shmem_barrier_all();
    expect("shmem_broadcast64", "pSync", "-");
    shmem_broadcast64(dest, source, 4, 0, 0, 0, n_pes, psync);
}

CASE(psync_garbage_last)
{
    psync[SHMEM_REDUCE_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE - 5;
    shmem_barrier_all();
    expect("shmem_long_sum_to_all", "pSync", "-");
    shmem_long_sum_to_all(dest, source, 4, 0, 0, n_pes, work, psync);
}

ALL_ERR(different_roots, ("shmem_long_broadcast", "PE_root", "-"),
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 4, me == 0 ? 0 : 1))
ALL_ERR(different_lengths_broadcast, ("shmem_long_broadcast", "nelems", "-"),
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, errs() ? 4 : 5, 0))
ALL_ERR(different_lengths_fcollect, ("shmem_long_fcollect", "nelems", "-"),
        shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, errs() ? 2 : 3))
ALL_ERR(different_lengths_alltoall, ("shmem_long_alltoall", "nelems", "-"),
        shmem_long_alltoall(SHMEM_TEAM_WORLD, more, source, errs() ? 2 : 3))
ALL_ERR(different_lengths_reduce, ("shmem_long_sum_reduce", "nreduce|nelems", "-"),
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, errs() ? 2 : 3))
ALL_ERR(different_lengths_scan, ("shmem_long_sum_exscan", "nelems", "-"),
        shmem_long_sum_exscan(SHMEM_TEAM_WORLD, dest, source, errs() ? 2 : 3))
ALL_ERR(different_dests, ("shmem_long_sum_reduce", "dest", "-"),
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest + (errs() ? 8 : 0), source, 2))

CASE(different_routines)
{
    expect("shmem_long_sum_reduce|shmem_long_max_reduce", "-", "-");
    if (errs())
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 2);
    else
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 2);
}

CASE(different_collectives)
{
    expect("shmem_long_broadcast|shmem_long_fcollect", "-", "-");
    if (errs())
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 2, 0);
    else
        shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, 2);
}

CASE(different_frees)
{
    char *a = shmem_malloc(100), *b = shmem_malloc(100);
    expect("shmem_free", "ptr", "-");
    shmem_free(errs() ? a : b);
}

CASE(different_splits)
{
    shmem_team_t team;
    expect("shmem_team_split_strided", "size|start|stride", "-");
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, errs() ? 1 : 2, NULL, 0, &team);
}

/* Each PE writes past the end of its own block, or the last PE past the end of a neighbour's. */
CASE(red_zone_after)
{
    char *p = shmem_malloc(100);
    volatile char *past = p + 100;
    *past = 1;
    expect("shmem_free", "ptr|block", "%p", (void *)p);
    shmem_free(p);
}

CASE(red_zone_by_peer)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    if (errs())
        memset(shmem_ptr(p, 0), 7, 120);
    shmem_barrier_all();
    expect("shmem_free", "ptr|block", "%p", (void *)p);
    shmem_free(p);
    shmem_free(q);
}

CASE(put_past_block)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    expect("shmem_putmem|shmem_free", "dest|block", "%p", (void *)p);
    if (errs())
        shmem_putmem(p, source, 101, 0);
    shmem_barrier_all();
    shmem_free(p);
    shmem_free(q);
}

/* Uses a freed block; the block after it is in use. */
CASE(put_freed_below)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    shmem_free(p);
    expect("shmem_putmem", "dest", "%p", (void *)p);
    if (errs())
        shmem_putmem(p, source, 10, 0);
    shmem_barrier_all();
    shmem_free(q);
}

int main(int argc, char **argv)
{
    return bad_main(argc, argv);
}
