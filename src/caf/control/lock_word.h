/* The word of a lock: 21 bits each for the image that holds it, the first of those who wait, and the last; images are
 * named by their PE plus 1, and 0 is nobody.  What the states mean, and what else there is to a lock: lock.c. */
#ifndef COPAL_CAF_LOCK_WORD_H
#define COPAL_CAF_LOCK_WORD_H

#include "../caf.h"

enum { IMAGE_BITS = 21 };
#define IMAGE_MASK (((uint64_t)1 << IMAGE_BITS) - 1)
#define FIRST_SLEEPS ((uint64_t)1 << 63) /* the first in line watches its bell, not the word */

static inline uint64_t pack(uint64_t holder, uint64_t first, uint64_t last)
{
    return holder | first << IMAGE_BITS | (last == first ? 0 : last) << 2 * IMAGE_BITS;
}

static inline uint64_t holder_of(uint64_t word)
{
    return word & IMAGE_MASK;
}

static inline uint64_t first_of(uint64_t word)
{
    return word >> IMAGE_BITS & IMAGE_MASK;
}

static inline uint64_t last_of(uint64_t word)
{
    return word >> 2 * IMAGE_BITS & IMAGE_MASK;
}

/* Whom one who enters the line comes after; 0: the holder, or nobody. */
static inline uint64_t end_of(uint64_t word)
{
    return last_of(word) ? last_of(word) : first_of(word);
}

/* The word when an image has entered the line, or taken the lock if it is free; sleeps: FIRST_SLEEPS if it cannot watch
 * the word. */
static inline uint64_t entered(uint64_t word, uint64_t image, uint64_t sleeps)
{
    if (end_of(word))
        return pack(holder_of(word), first_of(word), image) | (word & FIRST_SLEEPS);
    return holder_of(word) ? pack(holder_of(word), image, 0) | sleeps : pack(image, 0, 0);
}

/* The word when the first in line has the lock, or nobody. */
static inline uint64_t handed_on(uint64_t word)
{
    return pack(first_of(word), 0, last_of(word));
}

/* Of each image, what it has noted at the image whose lock it waits for; and what that one has noted of it. */
struct lock_entry {
    uint64_t before;  /* whom it comes after */
    uint64_t waiting; /* for which lock; 0: none */
    uint64_t failed;  /* 1: a statement about a lock of that image has found that it has failed */
};

#endif
