/* Signals between the members of a group; who waits for what is the business of each algorithm. */
#ifndef SHCOLL_FLAGS_H
#define SHCOLL_FLAGS_H

#define COPAL_NO_GENERICS
#include <shmem.h>

#include "shcoll/shcoll.h"

/* The words of a work area.  A pSync has them side by side; a team's are a cache line apart. */
enum shcoll_flag {
    FLAG_ROUND = 0,       /* one for each round of a dissemination barrier: 2^24 PEs */
    FLAG_ARRIVED = 24,    /* counter of arrivals, at position 0 */
    FLAG_RELEASED = 25,
    FLAG_LENGTH = 26,     /* what collect's members tell each other */
    FLAG_BROADCAST = 27,  /* a ring of them */
    BROADCAST_RING = 8,
    FLAG_WORDS = FLAG_BROADCAST + BROADCAST_RING,
};
_Static_assert(FLAG_WORDS <= SHMEM_REDUCE_SYNC_SIZE && FLAG_WORDS <= SHMEM_BARRIER_SYNC_SIZE, "a pSync holds all flags");

/* A team's work area: flags, then slots for small reductions (reduce.c), then the scratch. */
#define FLAG_BYTES ((size_t)4096)
_Static_assert(FLAG_WORDS * 64 <= FLAG_BYTES, "flags fit in front of the slots");

static inline int pe_of(const struct shcoll_group *g, int position)
{
    return g->start + position * g->stride;
}

static inline uint64_t *flag_at(const struct shcoll_group *g, int flag)
{
    return g->work + (g->is_pSync ? flag : flag * 8);
}

/* Tells the member at position that number has been reached; all that this PE put to it before is seen first. */
static inline void post(const struct shcoll_group *g, int flag, int position, uint64_t number)
{
    shmem_fence();
    if (g->is_pSync)
        shmem_uint64_atomic_inc(flag_at(g, flag), pe_of(g, position));
    else
        shmem_uint64_p(flag_at(g, flag), number, pe_of(g, position));
}

/* The positions before and after: distance is less than the size of the group. */
static inline int position_after(const struct shcoll_group *g, int distance)
{
    const int position = g->me + distance;
    return position < g->size ? position : position - g->size;
}

static inline int position_before(const struct shcoll_group *g, int distance)
{
    const int position = g->me - distance;
    return position >= 0 ? position : position + g->size;
}

enum { ANYBODY = -1 };

/* Says whom this PE waits for from now on: a position, or ANYBODY. */
static inline void wait_for_member(const struct shcoll_group *g, int position)
{
    shcoll_awaited_pe = position == ANYBODY ? -1 : pe_of(g, position);
}

/* Waits for the post of number to this PE by the member at position from. With a pSync a post may be one for the next
 * operation already, which is why it is counted and not stored: exactly one is taken back. */
static inline void await(const struct shcoll_group *g, int flag, int from, uint64_t number)
{
    uint64_t *word = flag_at(g, flag);
    wait_for_member(g, from);
    shmem_uint64_wait_until(word, SHMEM_CMP_GE, g->is_pSync ? 1 : number);
    if (g->is_pSync)
        shmem_uint64_atomic_add(word, (uint64_t)-1, pe_of(g, g->me));
}

#endif
