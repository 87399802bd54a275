/* Locks. */
/* pes: 3 */
#include "rules.h"

/* 9.13, set_lock: accesses under one lock do not race.
 * wrong: race: put put */
RULE(lock)
{
    static long lock, word;

    if (me == 2 || right)
        shmem_set_lock(&lock);
    if (me != 2)
        shmem_long_p(&word, 1 + me, 2); /* put */
    if (me == 2 || right)
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    look(word != 0, me == 2);
}

/* 9.13, set_lock: each PE must acquire the lock. */
RULE(lock_of_one)
{
    static long lock, word;

    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&word, 1, 2); /* put */
        shmem_clear_lock(&lock);
    }
    if (me == 1) {
        if (right)
            shmem_set_lock(&lock);
        shmem_long_g(&word, 2); /* get */
        if (right)
            shmem_clear_lock(&lock);
    }
}

/* 9.13, set_lock: all PEs must use the same lock.
 * wrong: race: put put */
RULE(two_locks)
{
    static long locks[2], word;
    long *lock = &locks[right ? 0 : me & 1];

    if (me == 2)
        return;
    shmem_set_lock(lock);
    shmem_long_p(&word, 1, 2); /* put */
    shmem_clear_lock(lock);
}

/* 9.13, clear_lock: it completes puts before it, but not puts after it. */
RULE(put_after_lock)
{
    static long lock, word;

    if (me == 0) {
        shmem_set_lock(&lock);
        if (right)
            shmem_long_p(&word, 1, 2);
        shmem_clear_lock(&lock);
        if (!right)
            shmem_long_p(&word, 1, 2); /* put */
    }
    if (me == 1) {
        shmem_set_lock(&lock);
        if (right)
            shmem_long_g(&word, 2);
        shmem_clear_lock(&lock);
        if (!right)
            shmem_long_g(&word, 2); /* get */
    }
}

/* 9.13, set_lock: the PE's own loads and stores need the lock, too. */
RULE(lock_and_store)
{
    static long lock, word;

    if (me == 1) {
        if (right)
            shmem_set_lock(&lock);
        word = 1; /* store */
        if (right)
            shmem_clear_lock(&lock);
    }
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&word, 5, 1); /* put */
        shmem_clear_lock(&lock);
    }
}

/* 9.13, test_lock: if it returns 0, the PE has acquired the lock.
 * wrong: race: put put */
RULE(test_lock)
{
    static long lock, word;

    if (me == 2)
        return;
    if (right)
        while (shmem_test_lock(&lock))
            ;
    shmem_long_p(&word, shmem_my_pe(), 2); /* put */
    if (right)
        shmem_clear_lock(&lock);
}

/* 9.13, test_lock: if it returns 1, the PE has not acquired the lock. */
RULE(test_lock_failed)
{
    static long lock, word;

    bool taken = false;

    if (me == 0)
        shmem_set_lock(&lock);
    shmem_sync_all();
    if (me == 1)
        taken = shmem_test_lock(&lock) == 0;
    shmem_sync_all();
    if (me == 0) {
        shmem_long_p(&word, 1, 2); /* owner */
        shmem_clear_lock(&lock);
    }
    if (me == 1) {
        while (right && !taken)
            taken = shmem_test_lock(&lock) == 0;
        shmem_long_p(&word, 2, 2); /* other */
        if (taken)
            shmem_clear_lock(&lock);
    }
}
