/* Loads and stores by shmem_ptr. */
/* pes: 3 */
#include "rules.h"

static long *at(long *object, int pe)
{
    return shmem_ptr(object, pe);
}

/* 9.1.9, ptr: stores by its pointer race with the target's loads, unless a barrier is between them. */
RULE(store_and_load)
{
    static long word;

    if (me == 0)
        *at(&word, 1) = 1; /* store */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.1.9, ptr: loads by its pointer race with the target's stores, but not with the target's loads. */
RULE(load_and_store)
{
    static long word;

    if (me == 0)
        look(*at(&word, 1), 0); /* load */
    if (me == 1 && right)
        look(word, 0);
    else if (me == 1)
        word = 1; /* store */
}

/* 9.10.4, sync_all: it orders stores by a pointer of shmem_ptr; it does not complete puts. */
RULE(sync_and_pointer)
{
    static long word;

    if (me == 0 && right)
        *at(&word, 1) = 1;
    else if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    shmem_sync_all();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.12.1, fence: it orders stores by a pointer of shmem_ptr before a flag that is put. */
RULE(store_and_flag)
{
    static long word, flag;

    if (me == 0) {
        *at(&word, 1) = 1; /* store */
        if (right)
            shmem_fence();
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        look(word, 1); /* load */
    }
}

/* 9.1.9, ptr: a store by its pointer races with another PE's put to the same object. */
RULE(store_and_put)
{
    static long words[2];

    if (me == 0)
        *at(&words[0], 2) = 1; /* store */
    if (me == 1)
        shmem_long_p(&words[right ? 1 : 0], 1, 2); /* put */
    shmem_barrier_all();
    look(words[0], me == 2 ? 1 : 0);
}

/* 9.1.9, ptr: a PE's loads and stores by its pointer are in program order; a put is not ordered with them. */
RULE(store_and_load_own)
{
    static long word;
    long *other = at(&word, 1);

    if (me != 0)
        return;
    if (right)
        *other = 1;
    else
        shmem_long_p(&word, 1, 1); /* put */
    look(*other, 1); /* load */
}

/* 9.1.9, ptr: the pointer that it returns for the PE itself is another name of the object. */
RULE(pointer_to_itself)
{
    static long word;
    long *own = at(&word, me);

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(*own, 1); /* load */
}
