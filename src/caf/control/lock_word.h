/* The word of a lock: 21 bits each for the holder, the first waiting image and the last waiting image, as PE plus 1; 0
 * is none. lock.c describes the states and the other data of a lock. */
#pragma once

#include "../caf.h"

enum { IMAGE_BITS = 21 };
#define IMAGE_MASK (((uint64_t)1 << IMAGE_BITS) - 1)
#define FIRST_SLEEPS ((uint64_t)1 << 63) /* the first waiting image polls its bell, not the word */

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

/* The last waiting image; 0: no image waits. */
static inline uint64_t end_of(uint64_t word)
{
    return last_of(word) ? last_of(word) : first_of(word);
}

/* The word after an image has entered the queue or taken the lock; sleeps: FIRST_SLEEPS if it cannot poll the word. */
static inline uint64_t entered(uint64_t word, uint64_t image, uint64_t sleeps)
{
    if (end_of(word))
        return pack(holder_of(word), first_of(word), image) | (word & FIRST_SLEEPS);
    return holder_of(word) ? pack(holder_of(word), image, 0) | sleeps : pack(image, 0, 0);
}

/* The word after the lock has passed to the first waiting image, or to none. */
static inline uint64_t handed_on(uint64_t word)
{
    return pack(first_of(word), 0, last_of(word));
}

/* One per image, kept at the image that owns the lock. */
struct lock_entry {
    uint64_t before;  /* the image before this one in the queue */
    uint64_t waiting; /* the lock for which this image waits; 0: none */
    uint64_t failed;  /* 1: a statement of the keeping image has found that the entry's image has failed */
};
