/* Buffers of nonblocking operations. */
/* pes: 3 */
#include "rules.h"

/* 9.6.2.1, put_nbi: its source may be changed only after quiet. */
RULE(source_changed)
{
    static long word;
    long source = 1;

    if (me == 0) {
        shmem_long_put_nbi(&word, &source, 1, 1); /* put */
        if (right)
            shmem_quiet();
        source = 2; /* store */
        look(source, 2);
    }
    shmem_barrier_all();
    look(word, me == 1 ? 1 : 0);
}

/* 9.6.2.1, put_nbi: its source may be read before quiet. */
RULE(source_read)
{
    static long word, source = 1;

    if (me != 0)
        return;
    shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    if (right)
        look(source, 1);
    else
        source += 1; /* store */
    shmem_quiet();
}

/* 9.6.2.1, put_nbi: several pending puts may have the same source; a get may not write to this source. */
RULE(source_shared)
{
    static long word, other = 1;
    long source = 1;

    if (me != 0)
        return;
    shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    if (right)
        shmem_long_put_nbi(&word, &source, 1, 2);
    else
        shmem_long_get(&source, &other, 1, 1); /* get */
    shmem_quiet();
}

/* 9.6.2.2, get_nbi: its dest may be read only after quiet. */
RULE(dest_read)
{
    static long word = 1;
    long dest = 0;

    if (me != 0)
        return;
    shmem_long_get_nbi(&dest, &word, 1, 1); /* get */
    if (right)
        shmem_quiet();
    look(dest, 1); /* load */
    shmem_quiet();
}

/* 9.6.2.2, get_nbi: its dest may be changed only after quiet. */
RULE(dest_changed)
{
    static long word = 1, dest;

    if (me != 0)
        return;
    shmem_long_get_nbi(&dest, &word, 1, 1); /* get */
    if (right)
        shmem_quiet();
    dest = 2; /* store */
    shmem_quiet();
    look(dest, 2);
}

/* 9.6.2.2, get_nbi: two pending gets may not have the same dest. */
RULE(dest_twice)
{
    static long word = 1;
    long dest[2] = {0};

    if (me != 0)
        return;
    shmem_long_get_nbi(&dest[0], &word, 1, 1); /* first */
    shmem_long_get_nbi(&dest[right ? 1 : 0], &word, 1, 2); /* second */
    shmem_quiet();
    look(dest[0] + dest[1], 2);
}

/* 9.6.2.2, get_nbi: the data in its dest may be put to another PE only after quiet. */
RULE(dest_put)
{
    static long word = 1, copy;
    long buffer = 0;

    if (me == 0) {
        shmem_long_get_nbi(&buffer, &word, 1, 1); /* get */
        if (right)
            shmem_quiet();
        shmem_long_put(&copy, &buffer, 1, 2); /* put */
    }
    shmem_barrier_all();
    look(copy, me == 2 ? 1 : 0);
}

/* 9.12.1, fence: it does not complete a nonblocking put. */
RULE(fence_completes_nothing)
{
    static long word;
    long source = 1;

    if (me != 0)
        return;
    shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    if (right)
        shmem_quiet();
    else
        shmem_fence();
    source = 2; /* store */
    look(source, 2);
    shmem_quiet();
}

/* 9.10.4, sync_all: it does not complete a nonblocking put; shmem_barrier_all does. */
RULE(sync_completes_nothing)
{
    static long word;
    long source = 1;

    if (me == 0)
        shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    else
        shmem_sync_all();
    if (me == 0)
        source = 2; /* store */
    look(source, me == 0 ? 2 : 1);
}

/* 9.6.2.2, get_nbi: the target may change the source after a quiet and a synchronization. */
RULE(source_of_get)
{
    static long word = 1;
    long dest = 0;

    if (me == 0)
        shmem_long_get_nbi(&dest, &word, 1, 1); /* get */
    if (me == 0 && right)
        shmem_quiet();
    shmem_sync_all();
    if (me == 1)
        word = 2; /* store */
    shmem_quiet();
    if (me == 0)
        look(dest, 1);
}

/* 9.6.2.1, put_nbi: elements outside its source may be changed at any time. */
RULE(beside_the_source)
{
    static long words[4];
    long source[8] = {1, 1, 1, 1, 1, 1, 1, 1};

    if (me != 0)
        return;
    shmem_long_put_nbi(words, source, 4, 1); /* put */
    source[right ? 4 : 3] = 2; /* store */
    look(source[4], 2);
    shmem_quiet();
}

/* 9.7.2.1, atomic_fetch_nbi: its result may be read only after quiet. */
RULE(fetch_nbi)
{
    static long word = 1;
    long value = 0;

    if (me != 0)
        return;
    shmem_long_atomic_fetch_nbi(&value, &word, 1); /* fetch */
    if (right)
        shmem_quiet();
    look(value, 1); /* load */
    shmem_quiet();
}

/* 9.7.2.4, atomic_fetch_inc_nbi: two pending operations need two variables for their results. */
RULE(fetch_inc_nbi)
{
    static long word = 1;
    long values[2] = {0};

    if (me != 0)
        return;
    shmem_long_atomic_fetch_inc_nbi(&values[0], &word, 1); /* first */
    shmem_long_atomic_fetch_inc_nbi(&values[right ? 1 : 0], &word, 1); /* second */
    shmem_quiet();
    look(values[0] + values[1], 3);
}

/* 9.8.4, put_signal_nbi: its source may be changed only after quiet. */
RULE(put_signal_nbi_source)
{
    static long word;
    static uint64_t signal;
    long source = 1;

    if (me == 0) {
        shmem_long_put_signal_nbi(&word, &source, 1, &signal, 1, SHMEM_SIGNAL_SET, 1); /* put */
        if (right)
            shmem_quiet();
        source = 2; /* store */
        look(source, 2);
    }
    if (me == 1) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        look(word, 1);
    }
}

/* 9.12.3, pe_quiet: it completes operations on the given PEs only. */
RULE(pe_quiet)
{
    static long word;
    long source = 1;
    int target = right ? 1 : 2;

    if (me != 0)
        return;
    shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    shmem_pe_quiet(&target, 1);
    source = 2; /* store */
    look(source, 2);
    shmem_quiet();
}

/* 9.6.2.1, put_nbi: the target sees the data after a quiet and a synchronization. */
RULE(put_nbi_and_load)
{
    static long word, source = 1;

    if (me == 0)
        shmem_long_put_nbi(&word, &source, 1, 1); /* put */
    if (me == 0 && right)
        shmem_quiet();
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
}
