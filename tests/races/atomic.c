/* Atomics beside other accesses. */
/* pes: 3 */
#include "rules.h"

/* 3.2, atomicity: atomics of several PEs on one object do not race; an atomic and a put do. */
RULE(atomic_and_put)
{
    static long word;

    if (me == 0)
        shmem_long_atomic_inc(&word, 2); /* atomic */
    if (me == 1 && right)
        shmem_long_atomic_inc(&word, 2);
    else if (me == 1)
        shmem_long_p(&word, 1, 2); /* put */
    shmem_barrier_all();
    look(word, me == 2 ? 2 : 0);
}

/* 3.2, atomicity: while other PEs add to an object, its owner reads it by an atomic and not by a load. */
RULE(atomic_and_load)
{
    static long word;

    if (me == 0)
        shmem_long_atomic_add(&word, 2, 1); /* atomic */
    if (me == 1 && right)
        shmem_long_atomic_fetch(&word, 1);
    else if (me == 1)
        look(word, 0); /* load */
}

/* 3.2, atomicity: while other PEs add to an object, its owner changes it by an atomic and not by a store. */
RULE(atomic_and_store)
{
    static long word;

    if (me == 0)
        shmem_long_atomic_add(&word, 2, 1); /* atomic */
    if (me == 1 && right)
        shmem_long_atomic_set(&word, 1, 1);
    else if (me == 1)
        word = 1; /* store */
}

/* 3.2, atomicity: while one PE swaps an object, another PE reads it by an atomic and not by a get. */
RULE(atomic_and_get)
{
    static long word;

    if (me == 0)
        shmem_long_atomic_swap(&word, 2, 2); /* atomic */
    if (me == 1 && right)
        shmem_long_atomic_fetch(&word, 2);
    else if (me == 1)
        look(shmem_long_g(&word, 2), 0); /* get */
}

/* 3.2, atomicity: atomics on data of one size do not race; atomics on data of two sizes race. */
RULE(atomics_of_two_sizes)
{
    static union {
        long wide;
        int narrow[2];
    } word;

    if (me == 0)
        shmem_long_atomic_inc(&word.wide, 2); /* wide */
    if (me == 1 && right)
        shmem_long_atomic_add(&word.wide, 1L << 32, 2);
    else if (me == 1)
        shmem_int_atomic_inc(&word.narrow[1], 2); /* narrow */
    shmem_barrier_all();
    look(word.narrow[0] + word.narrow[1], me == 2 ? 2 : 0);
}

/* 3.2, atomicity: atomics on data of one type do not race; atomics on data of two types race. */
RULE(atomics_of_two_types)
{
    static union {
        double real;
        int64_t integer;
    } word;

    if (me == 0)
        shmem_double_atomic_set(&word.real, 1.0, 2); /* real */
    if (me == 1 && right)
        shmem_double_atomic_set(&word.real, 1.0, 2);
    else if (me == 1)
        shmem_int64_atomic_inc(&word.integer, 2); /* integer */
    shmem_barrier_all();
    look(word.real, me == 2 ? 1 : 0);
}

/* 9.7.1.1, atomic_fetch: it only reads, and so does not race with loads. */
RULE(fetch_and_load)
{
    static long word;

    if (me == 0 && right)
        shmem_long_atomic_fetch(&word, 1);
    else if (me == 0)
        shmem_long_atomic_swap(&word, 1, 1); /* atomic */
    if (me == 1)
        look(word, 0); /* load */
}

/* 9.7.1.1, atomic_fetch: it races with a store of the target at the same time. */
RULE(fetch_and_store)
{
    static long word;

    if (me == 0)
        shmem_long_atomic_fetch(&word, 1); /* atomic */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        word = 1; /* store */
}

/* 9.7, atomics: an atomic that fetches is complete when it returns; an atomic without a result need not be. */
RULE(fetching_is_complete)
{
    static long word;

    if (me == 0 && right)
        shmem_long_atomic_fetch_add(&word, 1, 1);
    else if (me == 0)
        shmem_long_atomic_add(&word, 1, 1); /* atomic */
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.7, atomics: a barrier completes atomics. */
RULE(atomic_and_barrier)
{
    static long word;

    shmem_long_atomic_inc(&word, 0); /* atomic */
    if (right)
        shmem_barrier_all();
    if (me == 0)
        look(word, pes); /* load */
}

/* 3.2, atomicity: a reduction reads its source as loads do, so atomics on the source must be complete before. */
RULE(atomic_and_reduce)
{
    static long word, sum;

    if (me != 0)
        shmem_long_atomic_inc(&word, 0); /* atomic */
    if (right)
        shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &word, 1); /* reduce */
    look(sum, pes - 1);
}

/* 9.12.2, quiet: if an atomic sets a flag after it, and another PE fetches the flag by an atomic, the flag shows that
 * the data has arrived. */
RULE(quiet_and_atomic_flag)
{
    static long data, flag;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        if (right)
            shmem_quiet();
        shmem_long_atomic_set(&flag, 1, 1);
    }
    if (me == 1) {
        while (shmem_long_atomic_fetch(&flag, 1) == 0)
            ;
        look(data, 1); /* load */
    }
}

/* 9.12.1, fence: it orders atomics, too. */
RULE(fence_and_atomic_flag)
{
    static long data, flag;

    if (me == 0) {
        shmem_long_p(&data, 1, 1); /* put */
        if (right)
            shmem_fence();
        shmem_long_atomic_inc(&flag, 1);
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        look(data, 1); /* load */
    }
}

/* 9.7.1.3, atomic_compare_swap: it may implement a lock; a PE completes its operations under the lock before it
 * releases the lock.
 * wrong: race: put put */
RULE(lock_of_compare_swap)
{
    static long lock, word;

    if (me == 2)
        return;
    while (shmem_long_atomic_compare_swap(&lock, 0, 1, 2) != 0)
        ;
    shmem_long_p(&word, 1 + me, 2); /* put */
    if (right)
        shmem_quiet();
    shmem_long_atomic_set(&lock, 0, 2);
}

/* 9.7.1.12, atomic_or: if several PEs set bits of one word, all of them need atomics. */
RULE(bits)
{
    static uint64_t mask;

    if (me == 0)
        shmem_uint64_atomic_or(&mask, 1, 2); /* atomic */
    if (me == 1 && right)
        shmem_uint64_atomic_or(&mask, 2, 2);
    else if (me == 1)
        shmem_uint64_p(&mask, 2, 2); /* put */
    shmem_barrier_all();
    look(mask, me == 2 ? 3 : 0);
}

/* 9.7.1.2, atomic_set: elements of one array are separate objects. */
RULE(atomic_beside_store)
{
    static int words[2];

    if (me == 0)
        shmem_int_atomic_set(&words[0], 1, 1); /* atomic */
    if (me == 1)
        words[right ? 1 : 0] = 2; /* store */
    shmem_barrier_all();
    look(words[0], me == 1 ? 1 : 0);
}

/* 3.2, atomicity: pending atomics of different types on one object race, even if one PE has called them. */
RULE(types_of_one_pe)
{
    static long word;

    if (me == 0) {
        shmem_int_atomic_add((int *)&word, 1, 1); /* first */
        if (right)
            shmem_int_atomic_add((int *)&word, 1, 1);
        else
            shmem_float_atomic_set((float *)&word, 1, 1); /* second */
    }
}

/* 3.2, atomicity: atomics on one object race if their contexts belong to teams that descend from different predefined
 * teams. */
RULE(domains)
{
    static long word;
    shmem_team_t team = SHMEM_TEAM_INVALID;
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;

    shmem_team_split_strided(right ? SHMEM_TEAM_WORLD : SHMEM_TEAM_SHARED, 0, 1, 3, NULL, 0, &team);
    if (shmem_team_create_ctx(team, 0, &ctx) != 0)
        shmem_global_exit(5);
    if (me == 0)
        shmem_ctx_long_atomic_inc(ctx, &word, 2); /* first */
    if (me == 1)
        shmem_long_atomic_inc(&word, 2); /* second */
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    look(word, me == 2 ? 2 : 0);
    shmem_team_destroy(team);
}

/* 9.7.2, nonblocking atomics: they are pending until a quiet; the target may store to the object only after this quiet
 * and a synchronization. */
RULE(store_after_nonblocking)
{
    static long word, was;

    if (me == 0) {
        shmem_long_atomic_compare_swap_nbi(&was, &word, 0, 2, 1); /* atomic */
        if (right)
            shmem_quiet();
    }
    shmem_sync_all();
    if (me == 1)
        word = 1; /* store */
}
