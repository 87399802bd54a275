/* Collectives: what each reads and writes, and that none is a barrier. */
/* pes: 3 */
#include "rules.h"

#define WORLD SHMEM_TEAM_WORLD

/* 9.10.7, broadcast: dest must be ready on all PEs before any PE calls it. */
RULE(broadcast_dest)
{
    static long dest, source = 5;

    if (me == 1)
        look(dest, 0); /* load */
    if (right)
        shmem_sync_all();
    shmem_long_broadcast(WORLD, &dest, &source, 1, 0); /* call */
    look(dest, 5);
}

/* 9.10.7, broadcast: only the root's source is read; the root may change it after the call, another PE only after a
 * synchronization. */
RULE(broadcast_source)
{
    static long dest, source = 5;

    if (me == 1)
        source = 6;
    shmem_long_broadcast(WORLD, &dest, &source, 1, 0); /* call */
    look(dest, 5);
    if (right)
        source = 7;
    else if (me == 1)
        shmem_long_p(&source, 7, 0); /* put */
}

/* 9.10.7, broadcast: it is not a barrier: the root does not wait for the others. */
RULE(broadcast_is_no_barrier)
{
    static long dest, source = 5, word;

    if (me == 1)
        word = 1; /* store */
    shmem_long_broadcast(WORLD, &dest, &source, 1, 0);
    if (right)
        shmem_barrier_all();
    if (me == 0)
        look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.10.7, broadcast: it completes no puts. */
RULE(broadcast_and_put)
{
    static long dest, source = 5, word;

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    shmem_long_broadcast(WORLD, &dest, &source, 1, 0);
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.10.9, reduce: dest must be ready on all PEs before any PE calls it. */
RULE(reduce_dest)
{
    static long dest, source = 1;

    if (me == 1)
        dest = 7; /* store */
    if (right)
        shmem_sync_all();
    shmem_long_sum_reduce(WORLD, &dest, &source, 1); /* call */
    look(dest, pes);
}

/* 9.10.9, reduce: after the call, the PE may change its source; another PE may do so only after a synchronization. */
RULE(reduce_source)
{
    static long dest, source = 1;

    shmem_long_max_reduce(WORLD, &dest, &source, 1); /* call */
    if (right)
        source = 2;
    else if (me == 2)
        shmem_long_p(&source, 2, 1); /* put */
    look(dest, 1);
}

/* 9.10.9, reduce: dest is ready on a PE that has returned; other PEs need not have returned. */
RULE(reduce_and_put)
{
    static long dest, source = 1;

    shmem_long_sum_reduce(WORLD, &dest, &source, 1); /* call */
    if (right)
        shmem_sync_all();
    if (me == 0)
        shmem_long_p(&dest, 7, 1); /* put */
    if (me == 0)
        look(dest, pes);
}

/* 9.10.9, reduce: it completes no puts. */
RULE(reduce_completes_nothing)
{
    static long dest, source = 1, word;

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (me == 0 && right)
        shmem_quiet();
    if (right)
        shmem_sync_all();
    shmem_long_sum_reduce(WORLD, &dest, &source, 1);
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.10.9, reduce: in place, a PE may store to its own data before the call; another PE may change the data only if a
 * synchronization follows. */
RULE(reduce_in_place)
{
    static long word;

    if (right)
        word = 1;
    else if (me == 2)
        shmem_long_atomic_set(&word, 1, 1); /* atomic */
    shmem_long_sum_reduce(WORLD, &word, &word, 1); /* call */
    if (right)
        look(word, pes);
}

/* 9.10.9, to_all: on an active set (deprecated), the rules for source, dest and pWrk are those of teams. */
RULE(to_all)
{
    static long sync[SHMEM_REDUCE_SYNC_SIZE] = {[0 ... SHMEM_REDUCE_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE};
    static long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], dest, source = 2;

    if (me == 1)
        dest = 7; /* store */
    if (right)
        shmem_sync_all();
    shmem_long_prod_to_all(&dest, &source, 1, 0, 0, pes, work, sync); /* call */
    look(dest, 8);
}

/* 9.10.8, fcollect: dest must be ready on all PEs before any PE calls it. */
RULE(fcollect_dest)
{
    static long dest[3], source;

    if (me == 1)
        dest[0] = 7; /* store */
    source = me;
    if (right)
        shmem_sync_all();
    shmem_long_fcollect(WORLD, dest, &source, 1); /* call */
    look(dest[2], 2);
}

/* 9.10.8, fcollect: memory after dest is not accessed. */
RULE(fcollect_extent)
{
    static long dest[4], source;

    source = me;
    if (me == 1)
        dest[right ? 3 : 2] = 7; /* store */
    shmem_long_fcollect(WORLD, dest, &source, 1); /* call */
    look(dest[1], 1);
}

/* 9.10.8, collect: dest must be ready on all PEs before any PE calls it. */
RULE(collect_dest)
{
    static long dest[6], source[3] = {1, 2, 3};

    if (me == 1)
        look(dest[0], 0); /* load */
    if (right)
        shmem_sync_all();
    shmem_long_collect(WORLD, dest, source, me + 1); /* call */
    look(dest[5], 3);
}

/* 9.10.5, alltoall: dest must be ready on all PEs before any PE calls it. */
RULE(alltoall_dest)
{
    static long dest[3], source[3] = {1, 2, 3};

    if (me == 1)
        dest[2] = 7; /* store */
    if (right)
        shmem_barrier_all();
    shmem_long_alltoall(WORLD, dest, source, 1); /* call */
    look(dest[2], me + 1);
}

/* 9.10.5, alltoall: another PE may get dest only after a barrier. */
RULE(alltoall_and_get)
{
    static long dest[3], source[3] = {1, 2, 3};

    shmem_long_alltoall(WORLD, dest, source, 1); /* call */
    if (right)
        shmem_barrier_all();
    if (me == 0)
        look(shmem_long_g(&dest[2], 1), 2); /* get */
}

/* 9.10.6, alltoalls: memory between the elements of dest is not accessed. */
RULE(alltoalls_gaps)
{
    static long dest[6], source[3] = {1, 2, 3};

    if (me == 1)
        dest[right ? 3 : 2] = 7; /* store */
    shmem_long_alltoalls(WORLD, dest, source, 2, 1, 1); /* call */
    look(dest[4], me + 1);
}

/* 9.10.10, sum_inscan: dest must be ready on all PEs before any PE calls it. */
RULE(inscan_dest)
{
    static long dest, source = 1;

    if (me == 2)
        dest = 7; /* store */
    if (right)
        shmem_sync_all();
    shmem_long_sum_inscan(WORLD, &dest, &source, 1); /* call */
    look(dest, me + 1);
}

/* 9.10.10, sum_exscan: other PEs read source, also after this PE has returned. */
RULE(exscan_source)
{
    static long dest, source = 1;

    shmem_long_sum_exscan(WORLD, &dest, &source, 1); /* call */
    if (right)
        shmem_sync_all();
    if (me == 0)
        shmem_long_p(&source, 2, 1); /* put */
    look(dest, me);
}
