/* Collectives that do not synchronize: broadcasts, and scans from each member to the next. */
#ifndef SHCOLL_RING_H
#define SHCOLL_RING_H

#include "flags.h"

/* A member returns from these algorithms when it has the data and has forwarded it, so it may be many collectives ahead
 * of another member. Each of BROADCAST_RING consecutive collectives has its own flag, with one writer. A flag is reused
 * only after all members have entered a later collective that synchronizes: before the ring's other half is used up,
 * the program calls such a collective, or end_in_ring adds a sync.
 *
 * Each collective has two numbers: the number that begin_in_ring returns means that the data has arrived; this number
 * minus one means that the data may be read.
 *
 * With a pSync, both signals are counted. The user should synchronize between calls, but well-known programs broadcast
 * repeatedly from the same root with the same pSync. Counted signals are not lost, however many calls their sender is
 * ahead, and they are received in order, because each word has one sender: FLAG_BROADCAST belongs to the parent in a
 * tree, FLAG_READY to the member whose data is read. */
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
