/* Litmus tests: small programs with outcomes that a missing order would make possible. No test synchronizes within its
 * loop: both sides run freely, values only grow, and the values that a side reads decide the result.
 *
 * Each test runs between PE `me` and its partner, for every kind of store and of ordering call. A PE that is its own
 * partner (the last of an odd number) runs it with itself. */
#pragma once

#include "fill.h"

/* The stores and the ordering calls under test. */
typedef void litmus_store(shmem_ctx_t ctx, long *dest, const long *value, int pe);
typedef void litmus_order(shmem_ctx_t ctx, int pe);

static inline void store_p(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    shmem_ctx_long_p(ctx, dest, *value, pe);
}
static inline void store_put(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    shmem_ctx_long_put(ctx, dest, value, 1, pe);
}
static inline void store_put_nbi(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    shmem_ctx_putmem_nbi(ctx, dest, value, sizeof *value, pe);
}
static inline void store_iput(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    shmem_ctx_long_iput(ctx, dest, value, 1, 1, 1, pe);
}
static inline void store_set(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    shmem_ctx_long_atomic_set(ctx, dest, *value, pe);
}
static inline void store_add(shmem_ctx_t ctx, long *dest, const long *value, int pe)
{
    (void)value; /* the add of 1 gives the value, which grows by 1 each round */
    shmem_ctx_long_atomic_add(ctx, dest, 1, pe);
}

static inline void order_fence(shmem_ctx_t ctx, int pe)
{
    (void)pe;
    shmem_ctx_fence(ctx);
}
static inline void order_quiet(shmem_ctx_t ctx, int pe)
{
    (void)pe;
    shmem_ctx_quiet(ctx);
}
static inline void order_pe_quiet(shmem_ctx_t ctx, int pe)
{
    shmem_ctx_pe_quiet(ctx, &pe, 1);
}
static inline void order_plain_fence(shmem_ctx_t ctx, int pe)
{
    (void)ctx, (void)pe;
    shmem_fence();
}
static inline void order_plain_quiet(shmem_ctx_t ctx, int pe)
{
    (void)ctx, (void)pe;
    shmem_quiet();
}
static inline void order_plain_pe_quiet(shmem_ctx_t ctx, int pe)
{
    (void)ctx;
    shmem_pe_quiet(&pe, 1);
}

static const struct {
    const char *name;
    litmus_store *store;
} litmus_stores[] = {{"p", store_p},       {"put", store_put},        {"put_nbi", store_put_nbi},
                     {"iput", store_iput}, {"atomic_set", store_set}, {"atomic_add", store_add}};
enum { LITMUS_STORES = sizeof litmus_stores / sizeof litmus_stores[0] };

/* plain: orders the default context only.  completes: makes stores complete and visible, not only ordered. */
static const struct {
    const char *name;
    litmus_order *order;
    bool plain, completes;
} litmus_orders[] = {
    {"fence", order_plain_fence, true, false},      {"quiet", order_plain_quiet, true, true},
    {"pe_quiet", order_plain_pe_quiet, true, true}, {"ctx_fence", order_fence, false, false},
    {"ctx_quiet", order_quiet, false, true},        {"ctx_pe_quiet", order_pe_quiet, false, true},
};
enum { LITMUS_ORDERS = sizeof litmus_orders / sizeof litmus_orders[0] };

static inline int litmus_partner(void)
{
    const int partner = shmem_my_pe() ^ 1;
    return partner < shmem_n_pes() ? partner : shmem_my_pe();
}

/* The words that the tests write and read, each in a cache line of its own. */
enum { LITMUS_BLOCK = 16 };
static struct {
    _Alignas(128) long data;
    _Alignas(128) long flag;
    _Alignas(128) long block[LITMUS_BLOCK];
    _Alignas(128) uint64_t signal;
} litmus_memory;
static struct {
    _Alignas(128) long flag;
} litmus_other;

static inline void litmus_reset(void)
{
    shmem_barrier_all();
    memset(&litmus_memory, 0, sizeof litmus_memory);
    memset(&litmus_other, 0, sizeof litmus_other);
    shmem_barrier_all();
}

/* Message passing: data, order, flag. A PE that sees the flag at i must see the data at i or later; the data word and
 * the block are alternately sent by the store under test and by a long put. */
static inline void litmus_message(shmem_ctx_t ctx, int s, int o, long rounds)
{
    const int partner = litmus_partner();
    long expected = 1, values[2], block[LITMUS_BLOCK];
    litmus_reset();
    for (long i = 1; i <= rounds; i++) {
        values[i % 2] = i; /* put_nbi may read it until the order call */
        for (int k = 0; k < LITMUS_BLOCK; k++)
            block[k] = i;
        litmus_stores[s].store(ctx, &litmus_memory.data, &values[i % 2], partner);
        shmem_ctx_long_put(ctx, litmus_memory.block, block, LITMUS_BLOCK, partner);
        litmus_orders[o].order(ctx, partner);
        litmus_stores[s].store(ctx, &litmus_memory.flag, &values[i % 2], partner);
        if (litmus_stores[s].store == store_put_nbi)
            shmem_ctx_quiet(ctx); /* before values[] is written again */

        if (!shmem_long_test(&litmus_memory.flag, SHMEM_CMP_GE, expected))
            continue;
        const long data = shmem_ctx_long_g(ctx, &litmus_memory.data, shmem_my_pe());
        CHECK(data >= expected, "%s, %s, %s: flag %ld seen, then data %ld", litmus_stores[s].name,
              litmus_orders[o].name, litmus_stores[s].name, expected, data);
        for (int k = 0; k < LITMUS_BLOCK; k++) {
            const long word = *(volatile long *)&litmus_memory.block[k];
            CHECK(word >= expected, "put, %s, %s: flag %ld seen, then word %d of the block %ld", litmus_orders[o].name,
                  litmus_stores[s].name, expected, k, word);
        }
        expected = data + 1;
    }
}

/* Message passing by put_signal, whose signal counts the messages. */
static inline void litmus_signal(shmem_ctx_t ctx, bool nbi, long rounds)
{
    uint64_t *signal = &litmus_memory.signal;
    const int partner = litmus_partner();
    long block[LITMUS_BLOCK], expected = 1;
    litmus_reset();
    for (long i = 1; i <= rounds; i++) {
        for (int k = 0; k < LITMUS_BLOCK; k++)
            block[k] = i;
        if (nbi)
            shmem_ctx_long_put_signal_nbi(ctx, litmus_memory.block, block, LITMUS_BLOCK, signal, 1, SHMEM_SIGNAL_ADD,
                                          partner);
        else
            shmem_ctx_long_put_signal(ctx, litmus_memory.block, block, LITMUS_BLOCK, signal, 1, SHMEM_SIGNAL_ADD,
                                      partner);
        shmem_ctx_quiet(ctx); /* without it two messages may overtake each other */
        if (!shmem_uint64_test(signal, SHMEM_CMP_GE, (uint64_t)expected))
            continue;
        const long seen = expected;
        for (int k = LITMUS_BLOCK - 1; k >= 0; k--) {
            const long word = *(volatile long *)&litmus_memory.block[k];
            CHECK(word >= seen, "put_signal%s: signal %ld seen, then word %d of the block %ld", nbi ? "_nbi" : "", seen,
                  k, word);
            expected = word + 1;
        }
    }
}

/* Whether both PEs of some pair have run at the same time: one has seen the other's word change in many rounds. On a
 * busy machine this may hold for no pair; then no store was late. */
static inline bool litmus_side_by_side(long rounds, const long *seen)
{
    static long mine, most;
    mine = 0;
    for (long i = 2; i <= rounds && litmus_partner() != shmem_my_pe(); i++)
        mine += seen[i] != seen[i - 1];
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1);
    return most >= rounds / 10;
}

/* Store buffering: each PE stores i to its own word (in its partner's memory) and, after quiet, reads the partner's
 * word. If quiet completes stores and makes them visible, at least one of two rounds i and j sees the other's store: if
 * round i reads a value below j, the partner's round j is later and must read i or more. seen[i] is the value read in
 * round i. Returns whether both have run at the same time, as above. */
static inline bool litmus_store_buffer(shmem_ctx_t ctx, int s, int o, long rounds, long *seen)
{
    const int me = shmem_my_pe(), partner = litmus_partner();
    long *mine = me < partner ? &litmus_memory.flag : &litmus_other.flag;
    long *theirs = me < partner ? &litmus_other.flag : &litmus_memory.flag;
    const int mine_at = me % 4 < 2 ? partner : me, theirs_at = me % 4 < 2 ? me : partner;
    litmus_reset();
    for (long i = 1; i <= rounds; i++) {
        const long value = i;
        litmus_stores[s].store(ctx, mine, &value, mine_at);
        litmus_orders[o].order(ctx, mine_at);
        seen[i] = theirs_at == me ? *(volatile long *)theirs : shmem_ctx_long_g(ctx, theirs, theirs_at);
    }
    shmem_barrier_all();
    for (long i = 1; i <= rounds && partner != me; i++)
        if (seen[i] < rounds) {
            const long there = shmem_long_g(&seen[seen[i] + 1], partner);
            CHECK(there >= i, "%s, %s, read: round %ld saw %ld here, and round %ld saw %ld on PE %d",
                  litmus_stores[s].name, litmus_orders[o].name, i, seen[i], seen[i] + 1, there, partner);
        }
    shmem_barrier_all();
    return litmus_side_by_side(rounds, seen);
}

/* Coherence: if a word's value grows, no read of any form, also no fetching atomic, returns a smaller value than
 * before. */
static inline void litmus_coherence(shmem_ctx_t ctx, int s, long rounds)
{
    const int partner = litmus_partner();
    long last = 0;
    litmus_reset();
    for (long i = 1; i <= rounds; i++) {
        const long value = i;
        litmus_stores[s].store(ctx, &litmus_memory.data, &value, partner);
        shmem_ctx_quiet(ctx); /* without it, two stores to one word may overtake each other */
        long now = 0;
        switch (i % 4) {
        case 0: now = shmem_ctx_long_g(ctx, &litmus_memory.data, shmem_my_pe()); break;
        case 1: now = shmem_ctx_long_atomic_fetch(ctx, &litmus_memory.data, shmem_my_pe()); break;
        case 2: now = *(volatile long *)&litmus_memory.data; break;
        case 3: shmem_ctx_getmem(ctx, &now, &litmus_memory.data, sizeof now, shmem_my_pe()); break;
        }
        CHECK(now >= last, "%s: %ld seen after %ld", litmus_stores[s].name, now, last);
        last = now;
    }
}

/* Runs all tests; ctx is not the default context. seen is symmetric and has rounds + 1 longs. tries: the maximum number
 * of attempts of a test whose partners must run at the same time. */
static inline void litmus_all(shmem_ctx_t ctx, long rounds, long *seen, int tries)
{
    for (int s = 0; s < LITMUS_STORES; s++) {
        for (int o = 0; o < LITMUS_ORDERS; o++) {
            shmem_ctx_t on = litmus_orders[o].plain ? SHMEM_CTX_DEFAULT : ctx;
            litmus_message(on, s, o, rounds);
            for (int i = 0; i < tries && litmus_orders[o].completes; i++)
                if (litmus_store_buffer(on, s, o, rounds, seen))
                    break;
        }
        litmus_coherence(ctx, s, rounds);
    }
    litmus_signal(ctx, false, rounds);
    litmus_signal(ctx, true, rounds);
    shmem_barrier_all();
}
