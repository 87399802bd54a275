/* Synchronization of a group. */
#include "shcoll/flags.h"

_Thread_local int shcoll_awaited_pe;

/* Dissemination: in round r each tells the member 2^r further on and hears from the one 2^r before.  A flag is written by
 * one member only, and by it only after it has left the round before: so a stored number is never overtaken. */
static void dissemination(struct shcoll_group *g, uint64_t number)
{
    for (int distance = 1, round = 0; distance < g->size; distance *= 2, round++) {
        post(g, FLAG_ROUND + round, position_after(g, distance), number);
        await(g, FLAG_ROUND + round, position_before(g, distance), number);
    }
}

/* Counter: the last to arrive releases the others.  With more PEs than processors each member runs once to arrive and
 * once to leave, whatever their number; rounds would cost a change of processes each. */
static void counter(struct shcoll_group *g, uint64_t number)
{
    const uint64_t size = (uint64_t)g->size;
    shmem_fence();
    uint64_t before = shmem_uint64_atomic_fetch_inc(flag_at(g, FLAG_ARRIVED), pe_of(g, 0));
    if (before + 1 != (g->is_pSync ? size : number * size)) {
        await(g, FLAG_RELEASED, ANYBODY, number);
        return;
    }
    if (g->is_pSync)
        shmem_uint64_atomic_set(flag_at(g, FLAG_ARRIVED), 0, pe_of(g, 0));
    for (int i = 1; i < g->size; i++)
        post(g, FLAG_RELEASED, position_after(g, i), number);
}

void shcoll_sync(struct shcoll_group *g)
{
    uint64_t number = ++g->syncs;
    if (g->crowded && g->size > 2)
        counter(g, number);
    else
        dissemination(g, number);
}

/* The words travel on the cache line of the first round's flag, so they cost nothing.  Two places in turn: the member
 * before can be one sync ahead of this one and no more.  A member that is in an
 * ordinary sync has told nothing, which is 0. */
uint64_t shcoll_sync_telling(struct shcoll_group *g, uint64_t word)
{
    uint64_t *place = flag_at(g, FLAG_ROUND) + 1 + g->syncs % 2;
    shmem_uint64_p(place, word, pe_of(g, g->size > 1 ? position_after(g, 1) : 0));
    shcoll_sync(g);
    const uint64_t told = *place; /* in this member's own memory, and complete before the signal that the sync has waited for */
    *place = 0;
    return told;
}
