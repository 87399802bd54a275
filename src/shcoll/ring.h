/* Collectives that do not synchronize: broadcasts, and scans from each member to the next. */
#ifndef SHCOLL_RING_H
#define SHCOLL_RING_H

#include "flags.h"

/* A member returns from such an algorithm when it has the data and has passed it on, so it may be many collectives ahead
 * of another one.  Each collective of a ring of BROADCAST_RING has a flag of its own, with one writer, and a flag
 * is used again only when all members have entered a later collective that synchronizes: each half of the ring is
 * followed by one, the program's or one made here, before the other half has been used.  With a pSync the user keeps
 * the calls apart, and one flag will do; having one writer, it is stored and cleared, and need not be counted.
 *
 * Each has two numbers: what is returned says that the data is there; the one below, that it may be read. */
static inline uint64_t begin_in_ring(struct shcoll_group *g)
{
    g->number--; /* it is not a synchronizing operation */
    return g->is_pSync ? 2 : 2 * ++g->broadcasts;
}

static inline uint64_t *ring_flag(const struct shcoll_group *g)
{
    return g->is_pSync ? counted_flag(g, FLAG_BROADCAST) : numbered_flag(g, FLAG_BROADCAST);
}

static inline void end_in_ring(struct shcoll_group *g)
{
    if (g->is_pSync) {
        *ring_flag(g) = 0;
    } else if (g->broadcasts % (BROADCAST_RING / 2) == 0) {
        if (g->synchronized == g->number)
            shcoll_sync(g);
        g->synchronized = g->number;
    }
}

static inline void tell_in_ring(const struct shcoll_group *g, int position, uint64_t number)
{
    fence();
    shmem_uint64_p(ring_flag(g), number, pe_of(g, position));
}

static inline void hear_in_ring(const struct shcoll_group *g, int from, uint64_t number)
{
    wait_for_member(g, from);
    shmem_uint64_wait_until(ring_flag(g), SHMEM_CMP_GE, number);
}

/* In a work area that lasts, small data may travel on the cache line of the flag. */
enum { BESIDE_FLAG = 32 };
_Static_assert(BESIDE_FLAG + sizeof(uint64_t) <= LINE, "flag and data share a line");

#endif
