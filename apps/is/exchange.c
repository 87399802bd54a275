#include "exchange.h"

#include <shmem.h>
#include <stdlib.h>
#include <string.h>

static void count_buckets(struct exchange *x, const uint32_t *key, int64_t count)
{
    memset(x->counts, 0, (size_t)x->n_buckets * sizeof *x->counts);
    for (int64_t i = 0; i < count; i++)
        x->counts[key[i] >> x->bucket_shift]++;
}

static void sum_counts(struct exchange *x, const int64_t test_key[TEST_KEYS])
{
    for (int i = 0; i < TEST_KEYS; i++)
        x->counts[x->n_buckets + i] = test_key[i];
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, x->totals, x->counts, (size_t)(x->n_buckets + TEST_KEYS));
}

/* Every PE but the last takes buckets until it and those before it hold their share of the keys: at most one bucket
 * more than the share. */
static void assign_buckets(struct exchange *x)
{
    int64_t before = 0;
    int pe = 0;
    x->n_received = x->n_lesser = 0;
    x->first_key = x->end_key = 0;
    for (int b = 0; b < x->n_buckets; b++) {
        while (pe < x->n_pes - 1 && before >= x->n_keys / x->n_pes * (pe + 1))
            pe++;
        x->owner[b] = pe;
        if (pe < x->me)
            x->n_lesser += x->totals[b];
        if (pe == x->me) {
            if (x->end_key == 0)
                x->first_key = (uint32_t)b << x->bucket_shift;
            x->end_key = (uint32_t)(b + 1) << x->bucket_shift;
            x->n_received += x->totals[b];
        }
        before += x->totals[b];
    }
}

/* Tells each PE how many keys it gets from me, and learns where they go. */
static void agree_on_places(struct exchange *x)
{
    memset(x->send_count, 0, (size_t)x->n_pes * sizeof *x->send_count);
    for (int b = 0; b < x->n_buckets; b++)
        x->send_count[x->owner[b]] += x->counts[b];
    shmem_alltoallmem(SHMEM_TEAM_WORLD, x->recv_count, x->send_count, sizeof *x->send_count);
    int64_t received = 0, sent = 0;
    for (int pe = 0; pe < x->n_pes; pe++) {
        x->place[pe] = received;
        x->run[pe] = sent;
        received += x->recv_count[pe];
        sent += x->send_count[pe];
        x->messages += x->recv_count[pe] > 0;
    }
    shmem_alltoallmem(SHMEM_TEAM_WORLD, x->place_there, x->place, sizeof *x->place);
}

/* The buckets of one owner lie one after the other, here as there. */
static void set_cursors(struct exchange *x)
{
    uint32_t *at = x->outgoing;
    for (int b = 0; b < x->n_buckets; b++) {
        if (x->path == PATH_SHMEM_PTR && (b == 0 || x->owner[b] != x->owner[b - 1]))
            at = (uint32_t *)shmem_ptr(x->received, x->owner[b]) + x->place_there[x->owner[b]];
        x->cursor[b] = at;
        at += x->counts[b];
    }
}

static void scatter(struct exchange *x, const uint32_t *key, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        *x->cursor[key[i] >> x->bucket_shift]++ = key[i];
}

/* Each PE begins with its right neighbour, so that they do not all write to the same PE at once. */
static void put_outgoing(struct exchange *x)
{
    for (int i = 1; i <= x->n_pes; i++) {
        int pe = (x->me + i) % x->n_pes;
        if (x->send_count[pe] > 0)
            shmem_putmem_signal_nbi(x->received + x->place_there[pe], x->outgoing + x->run[pe],
                                    (size_t)x->send_count[pe] * sizeof *x->outgoing, x->signal, 1, SHMEM_SIGNAL_ADD, pe);
    }
    shmem_signal_wait_until(x->signal, SHMEM_CMP_EQ, x->messages);
    shmem_quiet(); /* outgoing may be written again */
}

/* No buffer is written before its last reader is done: a PE that enters a collective has used the results of the ones
 * before it, and keys arrive here only after I have said where they go. */
void exchange_keys(struct exchange *x, const uint32_t *key, int64_t count, int64_t test_key[TEST_KEYS])
{
    count_buckets(x, key, count);
    sum_counts(x, test_key);
    memcpy(test_key, x->totals + x->n_buckets, TEST_KEYS * sizeof *test_key);
    assign_buckets(x);
    agree_on_places(x);
    set_cursors(x);
    scatter(x, key, count);
    if (x->path == PATH_PUT)
        put_outgoing(x);
    else
        shmem_barrier_all(); /* my stores are made, and so are everyone's */
}

/* What a PE can own at most: its share and one bucket, and the few keys that an iteration changes. */
static int64_t most_received(const struct exchange *x)
{
    int64_t largest = 0;
    for (int b = 0; b < x->n_buckets; b++)
        largest = x->totals[b] > largest ? x->totals[b] : largest;
    return x->n_keys / x->n_pes + x->n_keys % x->n_pes + largest + 2 * ITERATIONS;
}

bool exchange_create(struct exchange *x, const struct problem *p, enum path path, const uint32_t *key, int64_t count)
{
    *x = (struct exchange){.path = path, .me = shmem_my_pe(), .n_pes = shmem_n_pes(),
                           .n_buckets = 1 << p->log_buckets, .bucket_shift = p->log_max_key - p->log_buckets,
                           .n_keys = problem_keys(p)};
    size_t n_pes = (size_t)x->n_pes, n_buckets = (size_t)x->n_buckets;
    x->counts = shmem_calloc(n_buckets + TEST_KEYS, sizeof *x->counts);
    x->totals = shmem_calloc(n_buckets + TEST_KEYS, sizeof *x->totals);
    x->send_count = shmem_calloc(n_pes, sizeof *x->send_count);
    x->recv_count = shmem_calloc(n_pes, sizeof *x->recv_count);
    x->place = shmem_calloc(n_pes, sizeof *x->place);
    x->place_there = shmem_calloc(n_pes, sizeof *x->place_there);
    x->signal = shmem_calloc(1, sizeof *x->signal);
    x->owner = calloc(n_buckets, sizeof *x->owner);
    x->run = calloc(n_pes, sizeof *x->run);
    x->cursor = calloc(n_buckets, sizeof *x->cursor);
    if (!x->counts || !x->totals || !x->send_count || !x->recv_count || !x->place || !x->place_there || !x->signal ||
        !x->owner || !x->run || !x->cursor)
        return false;

    count_buckets(x, key, count);
    sum_counts(x, (int64_t[TEST_KEYS]){0});
    x->received = shmem_malloc((size_t)most_received(x) * sizeof *x->received);
    int64_t share = (x->n_keys + x->n_pes - 1) / x->n_pes; /* count differs by one between PEs, symmetric sizes may not */
    x->outgoing = path == PATH_PUT ? shmem_malloc((size_t)share * sizeof *x->outgoing) : NULL;
    return x->received && (x->outgoing || path != PATH_PUT);
}

void exchange_destroy(struct exchange *x)
{
    void *symmetric[] = {x->counts, x->totals, x->send_count, x->recv_count, x->place, x->place_there, x->signal,
                         x->outgoing, x->received};
    for (size_t i = 0; i < sizeof symmetric / sizeof symmetric[0]; i++)
        shmem_free(symmetric[i]);
    free(x->owner);
    free(x->run);
    free(x->cursor);
}
