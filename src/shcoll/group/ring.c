/* When flags of the ring may be used again (ring.h). */
#include "ring.h"

/* The number of the first collective in the same half. */
static uint64_t first_in_half(uint64_t n)
{
    return n - (n - 1) % (ring_length() / 2);
}

static int half_of(uint64_t n)
{
    return (int)((n - 1) / (ring_length() / 2) % 2);
}

static uint64_t *acknowledgements(const struct shcoll_group *g, int half)
{
    return g->work + RING_AT / 8 + LINE / 8 + half;
}

static void receive(const struct shcoll_group *g, int half)
{
    struct shcoll_ring *ring = ring_of(g);
    if (ring->due[half] == 0)
        return;
    ring->received[half] += ring->due[half];
    ring->due[half] = 0;
    wait_for_member(g, ANYBODY);
    /* MUTANT acknowledgements are waited for */
    shmem_uint64_wait_until(acknowledgements(g, half), SHMEM_CMP_GE, ring->received[half]);
}

void shcoll_ring_room(struct shcoll_group *g)
{
    struct shcoll_ring *ring = ring_of(g);
    const uint64_t n = g->broadcasts, first = first_in_half(n);
    if (n == first)
        receive(g, half_of(n));
    if (n > ring->completed + ring_length() && ring->since + ring_length() > first) {
        shcoll_sync(g); /* MUTANT the ring is not lapped */
        g->synchronized = g->number;
        ring->completed = n - 1;
    }
}

void shcoll_ring_acknowledge(struct shcoll_group *g)
{
    struct shcoll_ring *ring = ring_of(g);
    const int half = half_of(g->broadcasts);
    if (ring->since > first_in_half(g->broadcasts))
        return;
    ring->due[half] = (uint32_t)ring->children;
    if (ring->parent >= 0)
        shmem_ulonglong_atomic_inc(atomic_word(acknowledgements(g, half)), pe_of(g, ring->parent));
}

void shcoll_ring_end(struct shcoll_group *g)
{
    receive(g, 0);
    receive(g, 1);
}
