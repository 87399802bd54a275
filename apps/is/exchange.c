#include "exchange.h"

#include "portable.h"

#include <stdlib.h>
#include <string.h>

static void sum_counts(struct buckets *b, const int64_t test_key[TEST_KEYS])
{
    for (int i = 0; i < TEST_KEYS; i++)
        b->counts[b->n + i] = test_key[i];
    shmem_int64_sum_reduce(SHMEM_TEAM_WORLD, b->totals, b->counts, (size_t)(b->n + TEST_KEYS));
}

/* Sends each PE the number of keys that it gets from this PE, and receives the address offsets for them. */
static void agree_on_places(struct exchange *x)
{
    buckets_send_counts(&x->buckets, x->send_count);
    shmem_alltoallmem(SHMEM_TEAM_WORLD, x->recv_count, x->send_count, sizeof *x->send_count);
    int64_t received = 0, sent = 0;
    for (int pe = 0; pe < x->buckets.n_pes; pe++) {
        x->place[pe] = received;
        x->run[pe] = sent;
        received += x->recv_count[pe];
        sent += x->send_count[pe];
        x->messages += pe != x->buckets.me && x->recv_count[pe] > 0;
    }
    shmem_alltoallmem(SHMEM_TEAM_WORLD, x->place_there, x->place, sizeof *x->place);
}

/* An owner's buckets are consecutive on both sides.  A PE's own keys go directly into `received`. */
static void set_cursors(struct exchange *x)
{
    const struct buckets *b = &x->buckets;
    uint32_t *at = NULL;
    for (int i = 0; i < b->n; i++) {
        int owner = b->owner[i];
        if (i == 0 || owner != b->owner[i - 1]) {
            if (owner == b->me || x->path == PATH_SHMEM_PTR)
                at = (uint32_t *)shmem_ptr(x->received, owner) + x->place_there[owner];
            else
                at = x->outgoing + x->run[owner];
        }
        x->cursor[i] = at;
        at += b->counts[i];
    }
}

static void scatter(struct exchange *x, const uint32_t *key, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        *x->cursor[key[i] >> x->buckets.shift]++ = key[i];
}

/* Each PE begins with its right neighbour, so that they do not all write to the same PE at the same time. */
static void put_outgoing(struct exchange *x)
{
    int n_pes = x->buckets.n_pes;
    for (int i = 1; i < n_pes; i++) {
        int pe = (x->buckets.me + i) % n_pes;
        if (x->send_count[pe] > 0)
            shmem_putmem_signal_nbi(x->received + x->place_there[pe], x->outgoing + x->run[pe],
                                    (size_t)x->send_count[pe] * sizeof *x->outgoing, x->signal, 1, SHMEM_SIGNAL_ADD,
                                    pe);
    }
    shmem_signal_wait_until(x->signal, SHMEM_CMP_EQ, x->messages);
    shmem_quiet(); /* `outgoing` may be reused */
}

/* No buffer is written before its last reader has finished: a PE that enters a collective has used the results of
 * the previous ones, and keys arrive here only after this PE has announced their place. */
void exchange_keys(struct exchange *x, const uint32_t *key, int64_t count, int64_t test_key[TEST_KEYS])
{
    struct buckets *b = &x->buckets;
    buckets_count(b, key, count);
    sum_counts(b, test_key);
    memcpy(test_key, b->totals + b->n, TEST_KEYS * sizeof *test_key);
    buckets_assign(b);
    agree_on_places(x);
    set_cursors(x);
    scatter(x, key, count);
    if (x->path == PATH_PUT)
        put_outgoing(x);
    else
        shmem_barrier_all(); /* all PEs' stores are complete */
}

bool exchange_create(struct exchange *x, const struct problem *p, enum path path, const uint32_t *key, int64_t count)
{
    *x = (struct exchange){.path = path,
                           .buckets = {.me = shmem_my_pe(), .n_pes = shmem_n_pes(), .n = 1 << p->log_buckets,
                                       .shift = p->log_max_key - p->log_buckets, .n_keys = problem_keys(p)}};
    struct buckets *b = &x->buckets;
    size_t n_pes = (size_t)b->n_pes, n_buckets = (size_t)b->n;
    b->counts = shmem_calloc(n_buckets + TEST_KEYS, sizeof *b->counts);
    b->totals = shmem_calloc(n_buckets + TEST_KEYS, sizeof *b->totals);
    b->owner = calloc(n_buckets, sizeof *b->owner);
    x->send_count = shmem_calloc(n_pes, sizeof *x->send_count);
    x->recv_count = shmem_calloc(n_pes, sizeof *x->recv_count);
    x->place = shmem_calloc(n_pes, sizeof *x->place);
    x->place_there = shmem_calloc(n_pes, sizeof *x->place_there);
    x->signal = shmem_calloc(1, sizeof *x->signal);
    x->run = calloc(n_pes, sizeof *x->run);
    x->cursor = calloc(n_buckets, sizeof *x->cursor);
    if (!b->counts || !b->totals || !b->owner || !x->send_count || !x->recv_count || !x->place || !x->place_there ||
        !x->signal || !x->run || !x->cursor)
        return false;

    buckets_count(b, key, count);
    sum_counts(b, (int64_t[TEST_KEYS]){0});
    x->received = shmem_malloc((size_t)buckets_most_received(b) * sizeof *x->received);
    /* The PEs' numbers of keys differ by one; symmetric sizes must not differ. */
    int64_t share = (b->n_keys + b->n_pes - 1) / b->n_pes;
    x->outgoing = path == PATH_PUT ? shmem_malloc((size_t)share * sizeof *x->outgoing) : NULL;
    return x->received && (x->outgoing || path != PATH_PUT);
}

void exchange_destroy(struct exchange *x)
{
    void *symmetric[] = {x->buckets.counts, x->buckets.totals, x->send_count, x->recv_count, x->place, x->place_there,
                         x->signal, x->outgoing, x->received};
    for (size_t i = 0; i < sizeof symmetric / sizeof symmetric[0]; i++)
        shmem_free(symmetric[i]);
    free(x->buckets.owner);
    free(x->run);
    free(x->cursor);
}
