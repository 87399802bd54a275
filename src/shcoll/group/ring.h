/* Collectives that do not synchronize: broadcasts, and scans from each member to the next. */
#pragma once

#include "flags.h"

/* A member returns from these algorithms when it has the data and has forwarded it, so it may be many collectives ahead
 * of another member. Each of ring_length() consecutive collectives has its own flag, with one writer. Several flags may
 * share a room (flags.h); a collective that has more data beside its flag than BESIDE_EACH takes all flags of a room. A
 * flag may be reused when its receiver has completed the collective that used it last. A writer knows this in one of
 * two ways:
 *
 * - All members have entered a later collective that synchronizes, so they have completed the ring's earlier ones.
 * - The tree (algorithm and root) has been the same for the last two halves of the ring. At the end of a half, each
 * member acknowledges the half to its parent in the tree. The parent waits for these acknowledgements before it writes
 * to the same half again; usually they have arrived long before. Each half has a count of acknowledgements: no child
 * acknowledges a half again before all children have acknowledged it.
 *
 * Otherwise a sync is added. All members decide the same, because they make the same calls.
 *
 * Each collective has two numbers: the number that begin_in_ring returns means that the data has arrived; this number
 * minus one means that the data may be read.
 *
 * With a pSync, both signals are counted, in the words that these two numbers name. The user should synchronize between
 * calls, but well-known programs broadcast repeatedly from the same root with the same pSync, also data of other sizes,
 * for which other algorithms may be chosen. Counted signals are not lost, however many calls their sender is ahead, and
 * they are received in order, because each word has one sender: each tree, with each radix, has its own words. */

enum ring_tree { RING_NONE, RING_LINEAR, RING_KARY, RING_KNOMIAL, RING_TWO_LEVEL, RING_TWO_LEVEL_GET, RING_SCAN,
                 RING_IS_WIDE = 8 };

/* A member's own record, in its work area, of the ring of a lasting group. */
struct shcoll_ring {
    uint64_t tree;      /* of the last collective: root, radix, whether it is wide, ring_tree */
    uint64_t since;     /* the first collective with this tree after the program has synchronized */
    uint64_t completed; /* all members have completed the collectives up to this one */
    uint64_t received[2]; /* acknowledgements of each half of the ring so far */
    uint32_t due[2];      /* acknowledgements that have not arrived */
    int children, parent; /* of this member in this collective; parent -1: it is the root */
};
_Static_assert(sizeof(struct shcoll_ring) <= LINE, "a record is a line");

static inline struct shcoll_ring *ring_of(const struct shcoll_group *g)
{
    return (struct shcoll_ring *)(g->work + RING_AT / 8);
}

void shcoll_ring_room(struct shcoll_group *g);
void shcoll_ring_acknowledge(struct shcoll_group *g);
void shcoll_ring_end(struct shcoll_group *g); /* receives what is due */

/* The second number of a broadcast with a pSync: a word that neither a sync nor another tree uses. The words are those
 * of the last rounds, which other collectives seldom reach. From 12 on, radices between two powers of two share words,
 * and all from 512 on; only a request (SHCOLL_BROADCAST) or a table chooses such radices. */
static inline uint64_t pSync_word(enum ring_tree tree, int k)
{
    const int power = 31 - __builtin_clz((unsigned)k | 1);
    const int place = ROUNDS - 1 - (k < 12 ? k : 9 + (power < 9 ? power : 9));
    return (uint64_t)(tree == RING_KARY      ? FLAG_READY + place
                      : tree == RING_KNOMIAL ? FLAG_DONE + place
                                             : FLAGS + FLAG_READY + 2 * place + 1);
}

/* beside: bytes of data after the flag. */
static inline uint64_t begin_in_ring(struct shcoll_group *g, enum ring_tree tree, int root, int k, size_t beside)
{
    g->number--; /* the collective does not synchronize */
    if (g->is_pSync)
        return pSync_word(tree, k); /* MUTANT trees with a pSync have their own words: k => 0 */
    struct shcoll_ring *ring = ring_of(g);
    const uint64_t share = (uint64_t)1 << shcoll_placement.ring_shift;
    const bool wide = share > 1 && beside > BESIDE_EACH; /* MUTANT wide data has room: beside > BESIDE_EACH => false */
    if (wide)
        g->broadcasts = (g->broadcasts + share - 1) & ~(share - 1);
    const uint64_t shape = (uint64_t)root << 32 | (uint64_t)k << 4 | (wide ? RING_IS_WIDE : 0) | tree;
    const uint64_t n = ++g->broadcasts;
    ring->children = 0;
    ring->parent = -1;
    if (g->synchronized != g->number) {
        g->synchronized = g->number;
        ring->completed = n - 1;
        ring->since = n;
    }
    if (ring->tree != shape) {
        ring->tree = shape;
        ring->since = n;
    }
    if (((n - 1) & (ring_length() / 2 - 1)) == 0 || n > ring->completed + ring_length())
        shcoll_ring_room(g);
    return 2 * n;
}

static inline void add_children(const struct shcoll_group *g, int children)
{
    if (!g->is_pSync)
        ring_of(g)->children += children;
}

static inline uint64_t *ring_flag(const struct shcoll_group *g)
{
    return numbered_flag(g, FLAG_BROADCAST);
}

static inline void end_in_ring(struct shcoll_group *g)
{
    if (g->is_pSync)
        return;
    if (ring_of(g)->tree & RING_IS_WIDE)
        g->broadcasts += ((uint64_t)1 << shcoll_placement.ring_shift) - 1;
    if ((g->broadcasts & (ring_length() / 2 - 1)) == 0)
        shcoll_ring_acknowledge(g);
}

static inline void tell_in_ring(const struct shcoll_group *g, int position, uint64_t number)
{
    if (g->is_pSync) {
        notify(g, (int)number, position);
        return;
    }
    fence(); /* MUTANT the ring's signals are fenced */
    shmem_uint64_p(ring_flag(g), number, pe_of(g, position));
}

static inline void hear_in_ring(const struct shcoll_group *g, int from, uint64_t number)
{
    if (g->is_pSync) {
        expect(g, (int)number, from, 1);
        return;
    }
    ring_of(g)->parent = from;
    wait_for_member(g, from);
    shmem_uint64_wait_until(ring_flag(g), SHMEM_CMP_GE, number); /* MUTANT the ring's signals are waited for */
}
