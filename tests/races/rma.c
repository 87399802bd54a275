/* Puts, gets and ordinary accesses of one object. */
/* pes: 3 */
#include "rules.h"

/* 9.6.1.1, put: after a barrier, the target may load what was put before the barrier. */
RULE(put_and_load)
{
    static long word;

    if (me == 0)
        shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        look(word, 1); /* load */
}

/* 9.6.1.1, put: before the put is complete, the target may store to another element, but not to the element that is
 * put. */
RULE(put_and_store)
{
    static long words[2];

    if (me == 0)
        shmem_long_p(&words[0], 1, 1); /* put */
    if (me == 1)
        words[right ? 1 : 0] = 2; /* store */
    shmem_barrier_all();
    look(words[0], me == 1 ? 1 : 0);
}

/* 9.6.1.5, get: during a get, the target may load the data, but not store to the data. */
RULE(get_and_store)
{
    static long word;

    if (me == 0)
        look(shmem_long_g(&word, 1), 0); /* get */
    if (me == 1 && right)
        look(word, 0);
    else if (me == 1)
        word = 2; /* store */
}

/* 9.6.1.5, get: after a barrier, a PE may get what was stored before the barrier. */
RULE(store_and_get)
{
    static long word;

    if (!right)
        shmem_barrier_all();
    if (me == 1)
        word = 1; /* store */
    if (right)
        shmem_barrier_all();
    if (me == 0)
        look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.6.1.1, put: two PEs may put to one array, but not to one element. */
RULE(put_and_put)
{
    static long words[2], one = 1;

    if (me == 0)
        shmem_long_put(&words[0], &one, 1, 2); /* first */
    if (me == 1)
        shmem_long_put(&words[right ? 1 : 0], &one, 1, 2); /* second */
    shmem_barrier_all();
    look(words[1], me == 2 ? 1 : 0);
}

/* 9.6.1.5, get: two PEs may get one object; a get and a put of two PEs race. */
RULE(get_and_get)
{
    static long word;

    if (me == 0)
        look(shmem_long_g(&word, 2), 0); /* get */
    if (me == 1 && right)
        look(shmem_long_g(&word, 2), 0);
    else if (me == 1)
        shmem_long_p(&word, 1, 2); /* put */
}

/* 9.6.1.5, get: after a barrier, a PE may get what another PE has put before the barrier. */
RULE(put_and_get)
{
    static long words[4], source[4] = {1, 2, 3, 4};
    long copy[4] = {0};

    if (me == 0)
        shmem_long_put(words, source, 4, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 2)
        shmem_long_get(copy, words, 4, 1); /* get */
    if (me == 2)
        look(copy[3], 4);
}

/* 9.12.1, fence: without it, two puts of one PE to one object are unordered. */
RULE(put_twice)
{
    static long word;

    if (me == 0) {
        shmem_long_p(&word, 1, 1); /* first */
        if (right)
            shmem_fence();
        shmem_long_p(&word, 2, 1); /* second */
    }
    shmem_barrier_all();
    look(word, me == 1 ? 2 : 0);
}

/* 9.12.2, quiet: a PE may get the data of its own put only after a quiet. */
RULE(put_and_get_own)
{
    static long word;

    if (me != 0)
        return;
    shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_quiet();
    look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.12.1, fence: it orders puts, but not gets. */
RULE(fence_and_get)
{
    static long word;

    if (me != 0)
        return;
    shmem_long_p(&word, 1, 1); /* put */
    if (right)
        shmem_quiet();
    else
        shmem_fence();
    look(shmem_long_g(&word, 1), 1); /* get */
}

/* 9.12.2, quiet: a put to the PE itself, too, is complete only after a quiet. */
RULE(put_to_itself)
{
    static long word;

    if (me != 0)
        return;
    shmem_long_p(&word, 1, 0); /* put */
    if (right)
        shmem_quiet();
    look(word, 1); /* load */
}

/* 9.6.1.1, put: the PE may reuse the source when the put has returned; another PE may not put to the source
 * meanwhile. */
RULE(source_of_put)
{
    static long words[2], source[2] = {1, 1};

    if (me == 0) {
        shmem_long_put(words, source, 1, 1); /* put */
        if (right)
            source[0] = 7;
    }
    if (me == 2)
        shmem_long_p(&source[1], 7, 0);
    if (me == 2 && !right)
        shmem_long_p(&source[0], 9, 0); /* other */
    shmem_barrier_all();
    look(words[0], me == 1 ? 1 : 0);
}

/* 9.6.1.5, get: it writes its dest; if dest is symmetric, other PEs may read it after a barrier. */
RULE(dest_of_get)
{
    static long word = 1, copy;

    if (me == 0)
        shmem_long_get(&copy, &word, 1, 1); /* get */
    if (right)
        shmem_barrier_all();
    if (me == 2)
        look(shmem_long_g(&copy, 0), 1); /* other */
}

/* 9.6.1.1, putmem: bytes of one word are separate objects. */
RULE(bytes_of_a_word)
{
    static char bytes[8];

    if (me == 0)
        shmem_putmem(bytes, "abcd", 4, 2); /* first */
    if (me == 1)
        shmem_putmem(bytes + (right ? 4 : 3), "efgh", 4, 2); /* second */
    shmem_barrier_all();
    if (me == 2)
        look(strncmp(bytes, "abcdefgh", 8), 0);
}

/* 9.6.1.2, p: a put of a byte does not access the next byte, to which the target stores. */
RULE(byte_and_byte)
{
    static char bytes[8];

    if (me == 0)
        shmem_char_p(&bytes[3], 1, 1); /* put */
    if (me == 1)
        bytes[right ? 4 : 3] = 2; /* store */
    shmem_barrier_all();
    if (me == 1)
        look(bytes[3] + bytes[4], 3);
}

/* 9.6.1.1, put: members of a structure are separate objects. */
RULE(members)
{
    static struct {
        short key;
        short count;
        int value;
    } entry;

    if (me == 0)
        shmem_short_p(&entry.count, 1, 1); /* put */
    if (me == 1)
        look(right ? entry.key + entry.value : entry.count, 0); /* load */
}

/* 9.6.1.1, put: a put of 0 elements accesses nothing. */
RULE(nothing_put)
{
    static long word, source = 1;

    if (me == 0)
        shmem_long_put(&word, &source, right ? 0 : 1, 1); /* put */
    if (me == 1)
        word = 2; /* store */
    shmem_barrier_all();
    look(word, me == 1 ? 2 : 0);
}

/* 9.6.1.1, put: memset writes as stores do. */
RULE(put_and_memset)
{
    static char block[256];

    if (me == 1)
        memset(block, 1, sizeof block); /* fill */
    if (right)
        shmem_barrier_all();
    if (me == 0)
        shmem_char_p(&block[100], 2, 1); /* put */
    shmem_barrier_all();
    look(block[100], me == 1 ? 2 : 0);
}

/* 9.6.1.5, get: memcpy reads as loads do. */
RULE(put_and_memcpy)
{
    static long block[32];
    long copy[32] = {0};

    if (me == 0)
        shmem_long_p(&block[31], 2, 1); /* put */
    if (right)
        shmem_barrier_all();
    if (me == 1)
        memcpy(copy, block, sizeof copy); /* copy */
    if (me == 1)
        look(copy[31], 2);
}

static long deep;

static void store_deep(int level)
{
    if (level > 0)
        store_deep(level - 1);
    else
        deep = 7; /* store */
}

/* 9.6.1.1, put: a store races, also if it is in a nested call of functions.
 * wrong: race: put store */
RULE(store_in_functions)
{
    if (me == 1)
        store_deep(4);
    if (right)
        shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&deep, 1, 1); /* put */
}
