/* Barriers and synchronizations of all PEs, and of active sets. */
/* pes: 3 */
#include "rules.h"

static long sync_array[SHMEM_BARRIER_SYNC_SIZE] = {[0 ... SHMEM_BARRIER_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE};

/* 9.10.1, barrier_all: it completes puts, also for a third PE that reads the data. */
RULE(barrier_completes)
{
    static long word;

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    else
        shmem_sync_all();
    if (me == 2)
        look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.10.4, sync_all: it orders loads and stores; it does not complete puts. */
RULE(sync_and_put)
{
    static long word;

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (me == 0 && right)
        shmem_quiet();
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.10.4, sync_all: after it, another PE may get what was stored before it. */
RULE(sync_and_store)
{
    static long word;

    if (me == 1 && right)
        word = 1;
    shmem_sync_all();
    if (me == 1 && !right)
        word = 1; /* store */
    if (me == 0)
        look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.10.4, sync_all: after it, another PE may overwrite what was loaded before it. */
RULE(sync_and_load)
{
    static long word;

    if (me == 1)
        look(word, 0); /* load */
    if (right)
        shmem_sync_all();
    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
}

/* 9.10.1, barrier_all: each barrier orders only what is before it with what is after it. */
RULE(second_barrier)
{
    static long word;

    if (me == 0)
        shmem_long_p(&word, 1, 1);
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&word, 2, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(word, 2); /* load */
}

/* 9.10.2, barrier: it orders the PEs of the active set (deprecated). */
RULE(barrier_of_a_set)
{
    static long word;

    if (me == 0 && right)
        shmem_long_p(&word, 1, 2);
    if (me != 1)
        shmem_barrier(0, 1, 2, sync_array);
    if (me == 0 && !right)
        shmem_long_p(&word, 1, 2); /* put */
    if (me == 2)
        look(word, 1); /* load */
}

/* 9.10.2, barrier: it does not order PEs outside the set. */
RULE(barrier_of_others)
{
    static long word;

    if (me == 0)
        shmem_long_p(&word, 1, 2); /* put */
    if (right)
        shmem_barrier(0, 0, 3, sync_array);
    else if (me < 2)
        shmem_barrier(0, 0, 2, sync_array);
    if (me == 2)
        look(word, 1); /* load */
}

/* 9.10.3, sync: on an active set it orders loads and stores, and completes no puts (deprecated). */
RULE(sync_of_a_set)
{
    static long word;

    if (me == 1)
        return;
    if (me == 0)
        shmem_long_p(&word, 1, 2); /* put */
    if (me == 0 && right)
        shmem_quiet();
    shmem_sync(0, 1, 2, sync_array);
    if (me == 2)
        look(word, 1); /* load */
}

/* 9.10.1, barrier_all: a barrier must follow each step that reads and each step that writes. */
RULE(steps)
{
    static long word = 0;
    long sum = 0;

    for (int step = 1; step <= 4; step++) {
        word = step; /* store */
        shmem_barrier_all();
        sum += shmem_long_g(&word, (me + 1) % pes); /* get */
        if (right)
            shmem_barrier_all();
    }
    look(sum, 10);
}

/* 9.1.1, init: when it returns, static variables have their initial values on all PEs. */
RULE(initial_values)
{
    static long word = 3;

    if (!right)
        word = 3; /* store */
    look(shmem_long_g(&word, (me + 1) % pes), 3); /* get */
}

/* 9.1.4, finalize: if the program has initialized the library twice, the first call is a barrier, and the library goes
 * on. */
RULE(first_finalize)
{
    static long word;

    shmem_init();
    if (!right)
        shmem_finalize();
    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_finalize();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.1.4, finalize: the last call completes all operations; the program may initialize the library again. */
RULE(last_finalize)
{
    static long word;

    if (!right) {
        shmem_finalize();
        shmem_init();
    }
    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right) {
        shmem_finalize();
        shmem_init();
    }
    if (me == 1)
        look(word, 1); /* load */
}
