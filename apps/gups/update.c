#include "random.h"
#include "table.h"

#include <shmem.h>
#include <stddef.h>

enum { PREFETCH = 32 }; /* how many updates ahead a word is fetched into the cache */

static uint64_t skip(uint64_t number, int n)
{
    while (n-- > 0)
        number = random_next(number);
    return number;
}

/* The address of a block; NULL if it cannot be mapped. */
static void find_blocks(const struct table *t, uint64_t *block[])
{
    for (int pe = 0; pe < t->n_pes; pe++)
        block[pe] = shmem_ptr(t->block, pe);
}

void update_atomic(const struct table *t, uint64_t first, uint64_t n)
{
    uint64_t *block[t->n_pes];
    find_blocks(t, block);
    for (uint64_t number = first, ahead = skip(first, PREFETCH); n > 0; n--) {
        const uint64_t *near = block[table_owner(t, ahead)];
        if (near)
            __builtin_prefetch(near + table_word(t, ahead), 1);
        shmem_uint64_atomic_xor(t->block + table_word(t, number), number, table_owner(t, number));
        number = random_next(number);
        ahead = random_next(ahead);
    }
    shmem_quiet();
}

/* Not an atomic exclusive or, but defined in C. */
static void load_and_store(uint64_t *word, uint64_t number)
{
    __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) ^ number, __ATOMIC_RELAXED);
}

void update_shmem_ptr(const struct table *t, uint64_t first, uint64_t n)
{
    uint64_t *block[t->n_pes];
    find_blocks(t, block);
    for (uint64_t number = first, ahead = skip(first, PREFETCH); n > 0; n--) {
        __builtin_prefetch(block[table_owner(t, ahead)] + table_word(t, ahead), 1);
        load_and_store(block[table_owner(t, number)] + table_word(t, number), number);
        number = random_next(number);
        ahead = random_next(ahead);
    }
}

/* ---- buckets ---- */

/* What a PE sends to another PE in a round: the number of updates, and the updates. */
struct bucket {
    uint64_t n, number[LOOK_AHEAD];
};

/* Rounds alternate between two sets of inboxes. When a PE has the buckets of round r from all PEs, all PEs have applied
 * the buckets of round r - 1, because a PE applies its buckets before it sends again. The inboxes of round r - 1 may
 * then be reused. */
static struct {
    struct bucket *outbox; /* one for each PE */
    struct bucket *inbox;  /* symmetric: two for each PE that sends */
    uint64_t *arrived;     /* symmetric: the last round that each PE has sent */
    uint64_t round;
} buckets;

bool buckets_create(const struct table *t)
{
    size_t n = (size_t)t->n_pes;
    buckets.outbox = shmem_malloc(n * sizeof *buckets.outbox);
    buckets.inbox = shmem_malloc(2 * n * sizeof *buckets.inbox);
    buckets.arrived = shmem_calloc(n, sizeof *buckets.arrived);
    buckets.round = 0;
    return buckets.outbox && buckets.inbox && buckets.arrived;
}

void buckets_destroy(void)
{
    shmem_free(buckets.arrived);
    shmem_free(buckets.inbox);
    shmem_free(buckets.outbox);
}

static void apply(const struct table *t, const struct bucket *b)
{
    for (uint64_t i = 0; i < b->n; i++) {
        __builtin_prefetch(t->block + table_word(t, b->number[i + PREFETCH < b->n ? i + PREFETCH : i]), 1);
        t->block[table_word(t, b->number[i])] ^= b->number[i];
    }
}

static void send(const struct table *t, int to)
{
    const struct bucket *out = &buckets.outbox[to];
    struct bucket *in = &buckets.inbox[2 * (size_t)t->me + buckets.round % 2];
    size_t bytes = offsetof(struct bucket, number) + out->n * sizeof out->number[0];
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
    shmem_putmem_signal_nbi(in, out, bytes, &buckets.arrived[t->me], buckets.round, SHMEM_SIGNAL_SET, to);
#else
    shmem_putmem(in, out, bytes, to);
    shmem_fence();
    shmem_uint64_p(&buckets.arrived[t->me], buckets.round, to);
#endif
}

static uint64_t fill(const struct table *t, uint64_t number, uint64_t n)
{
    for (int pe = 0; pe < t->n_pes; pe++)
        buckets.outbox[pe].n = 0;
    for (uint64_t i = 0; i < n; i++, number = random_next(number)) {
        struct bucket *b = &buckets.outbox[table_owner(t, number)];
        b->number[b->n++] = number;
    }
    return number;
}

/* All PEs have the same number of updates and therefore the same number of rounds. */
void update_buckets(const struct table *t, uint64_t first, uint64_t n)
{
    for (uint64_t number = first; n > 0;) {
        uint64_t now = n < LOOK_AHEAD ? n : LOOK_AHEAD;
        buckets.round++;
        number = fill(t, number, now);
        n -= now;
        for (int i = 1; i < t->n_pes; i++)
            send(t, (t->me + i) % t->n_pes);
        apply(t, &buckets.outbox[t->me]);
        for (int i = 1; i < t->n_pes; i++) {
            int from = (t->me + t->n_pes - i) % t->n_pes;
            shmem_uint64_wait_until(&buckets.arrived[from], SHMEM_CMP_GE, buckets.round);
            apply(t, &buckets.inbox[2 * (size_t)from + buckets.round % 2]);
        }
        shmem_quiet(); /* the next round fills the outboxes again */
    }
}
