/* What SHMEM_DEBUG finds: mistakes whose detection costs too much to be always on.
 *
 *     bad_debug --list     prints the names of the cases
 *     bad_debug CASE       makes the mistake */
#include "bad.h"

static void put_overlap(void)
{
    expect("shmem_long_put", "source|dest", "-");
    if (errs())
        shmem_long_put(dest + 1, dest, 4, me);
}

static void get_overlap(void)
{
    expect("shmem_long_get", "source|dest", "-");
    if (errs())
        shmem_long_get(dest, dest + 3, 4, me);
}

static void reduce_overlap(void)
{
    expect("shmem_long_sum_reduce", "source|dest", "-");
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, dest + 2, 4);
}

static void broadcast_overlap(void)
{
    expect("shmem_long_broadcast", "source|dest", "-");
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, dest + 2, 4, 0);
}

static void fcollect_overlap(void)
{
    expect("shmem_long_fcollect", "source|dest", "-");
    shmem_long_fcollect(SHMEM_TEAM_WORLD, more, more + 2, 4);
}

static void alltoall_overlap(void)
{
    expect("shmem_long_alltoall", "source|dest", "-");
    shmem_long_alltoall(SHMEM_TEAM_WORLD, more, more + 2, 2);
}

static void heap_overlap(void)
{
    long *p = shmem_malloc(N * sizeof *p);
    expect("shmem_long_put", "source|dest", "-");
    if (errs())
        shmem_long_put(p, p + 1, 4, me);
}

static void psync_again(void)
{
    expect("shmem_fcollect64", "pSync", "-");
    shmem_fcollect64(more, source, 4, 0, 0, n_pes, psync);
    shmem_fcollect64(more, source, 4, 0, 0, n_pes, psync); /* nothing has synchronized in between */
}

static void different_strides(void)
{
    expect("shmem_long_alltoalls", "sst", "-");
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, more, source, 1, errs() ? 2 : 1, 2);
}

static void different_set_roots(void)
{
    expect("shmem_broadcast64", "PE_root", "-");
    shmem_broadcast64(dest, source, 4, errs() ? 1 : 0, 0, 0, n_pes, psync);
}

static void different_set_lengths(void)
{
    expect("shmem_long_sum_to_all", "nreduce", "-");
    shmem_long_sum_to_all(dest, source, errs() ? 4 : 5, 0, 0, n_pes, work, psync);
}

static void psync_garbage(void)
{
    psync[0] = SHMEM_SYNC_VALUE + 77;
    shmem_barrier_all();
    expect("shmem_broadcast64", "pSync", "-");
    shmem_broadcast64(dest, source, 4, 0, 0, 0, n_pes, psync);
}

static void psync_garbage_last(void)
{
    psync[SHMEM_REDUCE_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE - 5;
    shmem_barrier_all();
    expect("shmem_long_sum_to_all", "pSync", "-");
    shmem_long_sum_to_all(dest, source, 4, 0, 0, n_pes, work, psync);
}

static void different_roots(void)
{
    expect("shmem_long_broadcast", "PE_root", "-");
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 4, me == 0 ? 0 : 1);
}

static void different_lengths_broadcast(void)
{
    expect("shmem_long_broadcast", "nelems", "-");
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, errs() ? 4 : 5, 0);
}

static void different_lengths_fcollect(void)
{
    expect("shmem_long_fcollect", "nelems", "-");
    shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, errs() ? 2 : 3);
}

static void different_lengths_alltoall(void)
{
    expect("shmem_long_alltoall", "nelems", "-");
    shmem_long_alltoall(SHMEM_TEAM_WORLD, more, source, errs() ? 2 : 3);
}

static void different_lengths_reduce(void)
{
    expect("shmem_long_sum_reduce", "nreduce|nelems", "-");
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, errs() ? 2 : 3);
}

static void different_lengths_scan(void)
{
    expect("shmem_long_sum_exscan", "nelems", "-");
    shmem_long_sum_exscan(SHMEM_TEAM_WORLD, dest, source, errs() ? 2 : 3);
}

static void different_dests(void)
{
    expect("shmem_long_sum_reduce", "dest", "-");
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest + (errs() ? 8 : 0), source, 2);
}

static void different_routines(void)
{
    expect("shmem_long_sum_reduce|shmem_long_max_reduce", "-", "-");
    if (errs())
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 2);
    else
        shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 2);
}

static void different_collectives(void)
{
    expect("shmem_long_broadcast|shmem_long_fcollect", "-", "-");
    if (errs())
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 2, 0);
    else
        shmem_long_fcollect(SHMEM_TEAM_WORLD, more, source, 2);
}

static void different_frees(void)
{
    char *a = shmem_malloc(100), *b = shmem_malloc(100);
    expect("shmem_free", "ptr", "-");
    shmem_free(errs() ? a : b);
}

static void different_splits(void)
{
    shmem_team_t team;
    expect("shmem_team_split_strided", "size|start|stride", "-");
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, errs() ? 1 : 2, NULL, 0, &team);
}

/* Each PE writes past its own block, or the last one past a neighbour's. */
static void red_zone_after(void)
{
    char *p = shmem_malloc(100);
    volatile char *past = p + 100;
    *past = 1;
    expect("shmem_free", "ptr|block", "%p", (void *)p);
    shmem_free(p);
}

static void red_zone_by_peer(void)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    if (errs())
        memset(shmem_ptr(p, 0), 7, 120);
    shmem_barrier_all();
    expect("shmem_free", "ptr|block", "%p", (void *)p);
    shmem_free(p);
    shmem_free(q);
}

static void put_past_block(void)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    expect("shmem_putmem|shmem_free", "dest|block", "%p", (void *)p);
    if (errs())
        shmem_putmem(p, source, 101, 0);
    shmem_barrier_all();
    shmem_free(p);
    shmem_free(q);
}

/* A freed block below one that lives. */
static void put_freed_below(void)
{
    char *p = shmem_malloc(100), *q = shmem_malloc(100);
    shmem_free(p);
    expect("shmem_putmem", "dest", "%p", (void *)p);
    if (errs())
        shmem_putmem(p, source, 10, 0);
    shmem_barrier_all();
    shmem_free(q);
}

static const struct bad_case cases[] = {
    CASE(put_overlap), CASE(get_overlap), CASE(reduce_overlap), CASE(broadcast_overlap), CASE(fcollect_overlap),
    CASE(alltoall_overlap), CASE(heap_overlap), CASE(psync_again), CASE(different_strides), CASE(different_set_roots),
    CASE(different_set_lengths), CASE(psync_garbage),
    CASE(psync_garbage_last), CASE(different_roots), CASE(different_lengths_broadcast),
    CASE(different_lengths_fcollect), CASE(different_lengths_alltoall), CASE(different_lengths_reduce),
    CASE(different_lengths_scan), CASE(different_dests), CASE(different_routines), CASE(different_collectives),
    CASE(different_frees), CASE(different_splits), CASE(red_zone_after),
    CASE(red_zone_by_peer), CASE(put_past_block), CASE(put_freed_below),
};

int main(int argc, char **argv)
{
    return bad_main(cases, sizeof cases / sizeof cases[0], argc, argv);
}
