/* Collectives that do not synchronize: broadcasts, and scans from each member to the next. */
#ifndef SHCOLL_RING_H
#define SHCOLL_RING_H

#include "flags.h"

/* A member returns from such an algorithm when it has the data and has passed it on, so it may be many collectives
 * ahead of another one. Each collective in a ring of BROADCAST_RING has a flag of its own, with one writer. A flag is
 * reused only after all members have entered a later collective that synchronizes: each half of the ring is followed by
 * one, the program's or one made here, before the other half has been used.
 *
 * Each collective has two numbers: the returned one means that the data has arrived; the one below, that it may be
 * read.
 *
 * With a pSync both are counted. The user should keep the calls apart, but well-known programs broadcast repeatedly
 * from the same root with the same pSync. Counted signals are not lost when their sender is ahead by any number of
 * calls; and as each word has one sender, they are taken in order: FLAG_BROADCAST belongs to the parent in a tree,
 * FLAG_READY to the member whose data is read. */
static inline uint64_t begin_in_ring(struct shcoll_group *g)
{
    g->number--; /* it is not a synchronizing operation */
    return g->is_pSync ? 2 : 2 * ++g->broadcasts;
}

static inline uint64_t *ring_flag(const struct shcoll_group *g)
{
    return numbered_flag(g, FLAG_BROADCAST);
}

static inline void end_in_ring(struct shcoll_group *g)
{
    if (!g->is_pSync && g->broadcasts % (BROADCAST_RING / 2) == 0) {
        if (g->synchronized == g->number)
            shcoll_sync(g); /* MUTANT the ring is not lapped */
        g->synchronized = g->number;
    }
}

static inline void tell_in_ring(const struct shcoll_group *g, enum shcoll_flag counted, int position, uint64_t number)
{
    if (g->is_pSync) {
        notify(g, counted, position);
        return;
    }
    fence(); /* MUTANT the ring's signals are fenced */
    shmem_uint64_p(ring_flag(g), number, pe_of(g, position));
}

static inline void hear_in_ring(const struct shcoll_group *g, enum shcoll_flag counted, int from, uint64_t number)
{
    if (g->is_pSync) {
        expect(g, counted, from, 1);
        return;
    }
    wait_for_member(g, from);
    shmem_uint64_wait_until(ring_flag(g), SHMEM_CMP_GE, number); /* MUTANT the ring's signals are waited for */
}

#endif
