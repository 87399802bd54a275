/* sources: src/common/alloc.c */
/* The heap allocator against a model that records, for each granule, its owner and whether it was ever in use. */
#include "../../src/common/alloc.h"
#include "../check.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

enum { GRANULE = 64, GRANULES = 4096, SIZE = GRANULES * GRANULE, MAX_BLOCKS = GRANULES };

static uint64_t random_state = 0x9e3779b97f4a7c15u;

static uint64_t random_below(uint64_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (random_state >> 11) % n;
}

static size_t random_size(size_t largest)
{
    size_t limit = (size_t)1 << random_below(64 - (unsigned)__builtin_clzll(largest));
    return 1 + random_below(limit);
}

struct model {
    struct block {
        size_t start, bytes;
    } block[MAX_BLOCKS];
    int n_blocks;
    int owner[GRANULES]; /* index into block, or -1 */
    bool ever[GRANULES];
};

static size_t granules_of(size_t bytes)
{
    return (bytes + GRANULE - 1) / GRANULE;
}

static bool model_is_free(const struct model *m, size_t first, size_t count)
{
    if (first + count > GRANULES)
        return false;
    for (size_t g = first; g < first + count; g++)
        if (m->owner[g] >= 0)
            return false;
    return true;
}

static bool model_fits(const struct model *m, size_t bytes, size_t align)
{
    size_t step = align > GRANULE ? align / GRANULE : 1;
    for (size_t g = 0; g < GRANULES; g += step)
        if (model_is_free(m, g, granules_of(bytes)))
            return true;
    return false;
}

static size_t longest_gap(const struct model *m)
{
    size_t longest = 0, now = 0;
    for (size_t g = 0; g < GRANULES; g++) {
        now = m->owner[g] >= 0 ? 0 : now + 1;
        longest = now > longest ? now : longest;
    }
    return longest * GRANULE;
}

static void model_own(struct model *m, size_t start, size_t bytes, int who)
{
    for (size_t g = start / GRANULE; g < start / GRANULE + granules_of(bytes); g++) {
        m->owner[g] = who;
        m->ever[g] |= who >= 0;
    }
}

/* One past the highest granule that was ever in use. */
static size_t model_most(const struct model *m)
{
    size_t most = GRANULES;
    while (most > 0 && !m->ever[most - 1])
        most--;
    return most;
}

static void take_both(struct alloc *a, struct model *m)
{
    size_t bytes = random_size(SIZE / 4), align = (size_t)1 << random_below(15);
    size_t at = alloc_take(a, bytes, align);
    if (at == ALLOC_NONE) {
        CHECK(!model_fits(m, bytes, align), "%zu bytes aligned to %zu would have fitted", bytes, align);
        return;
    }
    CHECK(at % align == 0 && at % GRANULE == 0, "offset %zu for alignment %zu", at, align);
    CHECK(model_is_free(m, at / GRANULE, granules_of(bytes)), "%zu bytes at %zu overlap a live block", bytes, at);
    m->block[m->n_blocks] = (struct block){at, bytes};
    model_own(m, at, bytes, m->n_blocks++);
}

static void give_both(struct alloc *a, struct model *m, int i)
{
    struct block b = m->block[i];
    CHECK(alloc_give(a, b.start + GRANULE / 2) == -1, "freed from inside %zu", b.start);
    if (b.bytes > GRANULE)
        CHECK(alloc_give(a, b.start + GRANULE) == -1, "freed from inside %zu", b.start);
    CHECK(alloc_give(a, b.start) == 0, "could not free %zu", b.start);
    CHECK(alloc_give(a, b.start) == -1, "freed %zu twice", b.start);
    model_own(m, b.start, b.bytes, -1);
    m->block[i] = m->block[--m->n_blocks];
    if (i < m->n_blocks)
        model_own(m, m->block[i].start, m->block[i].bytes, i);
}

static void resize_both(struct alloc *a, struct model *m, int i)
{
    struct block *b = &m->block[i];
    size_t bytes = random_below(2) ? random_size(2 * b->bytes) : random_size(SIZE / 4);
    size_t was = granules_of(b->bytes), now = granules_of(bytes);
    bool can = now <= was || model_is_free(m, b->start / GRANULE + was, now - was);
    CHECK(alloc_resize(a, b->start, bytes) == (can ? 0 : -1), "%zu from %zu to %zu bytes", b->start, b->bytes, bytes);
    CHECK(alloc_resize(a, b->start + 1, bytes) == -1, "resized from inside %zu", b->start);
    CHECK(alloc_resize(a, b->start, 0) == -1, "resized %zu to nothing", b->start);
    if (!can)
        return;
    model_own(m, b->start, b->bytes, -1);
    model_own(m, b->start, bytes, i);
    b->bytes = bytes;
}

static void compare(const struct alloc *a, const struct model *m)
{
    size_t top = 0;
    for (size_t g = 0; g < GRANULES; g++) {
        size_t start = ALLOC_NONE, bytes = ALLOC_NONE, offset = g * GRANULE + random_below(GRANULE);
        enum alloc_state state = alloc_find(a, offset, &start, &bytes);
        enum alloc_state want = m->owner[g] >= 0 ? ALLOC_LIVE : m->ever[g] ? ALLOC_FREED : ALLOC_NEVER;
        const bool may_be_freed = want == ALLOC_NEVER && g < model_most(m);
        CHECK(state == want || (may_be_freed && state == ALLOC_FREED), "offset %zu: state %d, not %d", offset, state,
              want);
        if (want != ALLOC_LIVE)
            continue;
        const struct block *b = &m->block[m->owner[g]];
        CHECK(start == b->start && bytes == b->bytes, "offset %zu: block %zu of %zu bytes, not %zu of %zu", offset,
              start, bytes, b->start, b->bytes);
        top = b->start + b->bytes;
    }
    CHECK(alloc_top(a) == top, "top %zu, not %zu", alloc_top(a), top);
    CHECK(alloc_largest(a) == longest_gap(m), "largest %zu, not %zu", alloc_largest(a), longest_gap(m));
}

static void against_model(void)
{
    static struct model m;
    struct alloc *a = alloc_create(SIZE, ALLOC_BOTTOM);
    for (int round = 0; round < 4; round++) {
        m = (struct model){0};
        memset(m.owner, -1, sizeof m.owner);
        alloc_destroy(a);
        a = alloc_create(SIZE, ALLOC_BOTTOM);
        for (int step = 0; step < 20000; step++) {
            uint64_t dice = random_below(100);
            if (m.n_blocks == 0 || dice < 45)
                take_both(a, &m);
            else if (dice < 60)
                resize_both(a, &m, (int)random_below((uint64_t)m.n_blocks));
            else
                give_both(a, &m, (int)random_below((uint64_t)m.n_blocks));
            if (step % 500 == 0)
                compare(a, &m);
        }
        while (m.n_blocks)
            give_both(a, &m, (int)random_below((uint64_t)m.n_blocks));
        compare(a, &m);
        CHECK(alloc_take(a, SIZE, 64) == 0, "the whole range is not one free block again");
    }
    alloc_destroy(a);
}

static void exhaustion(void)
{
    struct alloc *a = alloc_create(SIZE + 63, ALLOC_BOTTOM); /* the odd rest is not usable */
    CHECK(alloc_take(a, 0, 64) == ALLOC_NONE, "an allocation of 0 bytes succeeded");
    CHECK(alloc_take(a, SIZE + 1, 64) == ALLOC_NONE, "an allocation larger than the range succeeded");
    CHECK(alloc_take(a, SIZE_MAX, 64) == ALLOC_NONE, "an allocation of SIZE_MAX bytes or one less succeeded");
    CHECK(alloc_take(a, SIZE_MAX - 1, (size_t)1 << 63) == ALLOC_NONE,
          "an allocation of SIZE_MAX bytes or one less succeeded");
    CHECK(alloc_take(a, 1, (size_t)1 << 63) == 0, "offset 0 does not count as aligned to 2^63");
    CHECK(alloc_take(a, 1, (size_t)1 << 63) == ALLOC_NONE, "offset 0 is allocated twice");
    CHECK(alloc_find(a, SIZE, NULL, NULL) == ALLOC_NEVER && alloc_find(a, SIZE_MAX, NULL, NULL) == ALLOC_NEVER,
          "outside the range");
    for (int i = 1; i < GRANULES; i++)
        CHECK(alloc_take(a, 64, 1) != ALLOC_NONE, "granule %d", i);
    CHECK(alloc_take(a, 1, 1) == ALLOC_NONE, "an allocation in a full range succeeded");
    CHECK(alloc_top(a) == SIZE, "top %zu", alloc_top(a));
    for (int i = GRANULES - 1; i >= 0; i--)
        CHECK(alloc_give(a, (size_t)i * GRANULE) == 0, "granule %d", i);
    CHECK(alloc_top(a) == 0, "top %zu", alloc_top(a));
    CHECK(alloc_take(a, SIZE, 4096) == 0, "the range is not one free block again");
    alloc_destroy(a);

    a = alloc_create(63, ALLOC_BOTTOM);
    CHECK(alloc_take(a, 1, 1) == ALLOC_NONE, "an allocation in an empty range succeeded");
    CHECK(alloc_give(a, 0) == -1 && alloc_top(a) == 0, "an empty range");
    CHECK(alloc_find(a, 0, NULL, NULL) == ALLOC_NEVER, "an empty range");
    alloc_destroy(a);
}

/* A freed block that fits exactly at the only aligned place is found, although longer blocks are tried first. */
static void aligned_reuse(void)
{
    struct alloc *a = alloc_create(SIZE, ALLOC_BOTTOM);
    size_t front = alloc_take(a, 64, 64), page = alloc_take(a, 4096, 4096), rest = alloc_take(a, SIZE - 8192, 64);
    CHECK(front == 0 && page == 4096 && rest == 8192, "%zu %zu %zu", front, page, rest);
    CHECK(alloc_find(a, 2048, NULL, NULL) == ALLOC_NEVER, "the gap before an aligned block was never in use");
    alloc_give(a, page);
    CHECK(alloc_find(a, 2048, NULL, NULL) == ALLOC_NEVER, "the gap before an aligned block was never in use");
    CHECK(alloc_find(a, page + 99, NULL, NULL) == ALLOC_FREED, "an address in the freed page does not count as freed");
    CHECK(alloc_take(a, 4096, 4096) == page, "the freed page was not found");
    alloc_destroy(a);
}

enum { BLOCKS = 2000, STEPS = 1000000 };

/* A million random allocations and frees: two instances must agree on every offset, and the heap in use must never be
 * much larger than the peak of live granules. */
static void long_run(size_t largest)
{
    static size_t held[BLOCKS], size[BLOCKS];
    struct alloc *a = alloc_create((size_t)1 << 40, ALLOC_BOTTOM), *b = alloc_create((size_t)1 << 40, ALLOC_BOTTOM);
    size_t top = 0, live = 0, peak = 0;
    memset(held, -1, sizeof held);
    for (int step = 0; step < STEPS; step++) {
        size_t i = random_below(BLOCKS), bytes = random_size(largest), *h = &held[i];
        if (*h != ALLOC_NONE) {
            CHECK(alloc_give(a, *h) == 0 && alloc_give(b, *h) == 0, "could not free %zu", *h);
            *h = ALLOC_NONE;
            live -= granules_of(size[i]);
            continue;
        }
        *h = alloc_take(a, bytes, (size_t)8 << random_below(4));
        CHECK(alloc_take(b, bytes, 64) == *h, "two instances differ");
        size[i] = bytes;
        live += granules_of(bytes);
        peak = live > peak ? live : peak;
        top = alloc_top(a) > top ? alloc_top(a) : top;
    }
    double use = (double)top / (double)(peak * GRANULE);
    printf("blocks up to %zu KiB: highest offset is %.2f of the peak of live granules\n", largest / 1024, use);
    CHECK(use < 1.3, "the range in use is %.2f of the peak of live granules", use);
    for (int i = 0; i < BLOCKS; i++)
        CHECK(held[i] == ALLOC_NONE || alloc_give(a, held[i]) == 0, "could not free %zu", held[i]);
    CHECK(alloc_take(a, (size_t)1 << 40, 64) == 0, "not one free block after %d operations", STEPS);
    alloc_destroy(a);
    alloc_destroy(b);
}

/* The tree is not deep, whatever the size of the blocks: its functions call themselves on each level. With priorities
 * proportional to addresses, 15000 blocks of this size would be a list, and need a megabyte of stack. */
static void *many_of_one_size(void *unused)
{
    enum { BLOCKS = 15000 };
    const size_t bytes = (size_t)6765 * GRANULE; /* a number of Fibonacci */
    struct alloc *a = alloc_create(bytes * BLOCKS, ALLOC_BOTTOM);
    for (size_t i = 0; i < BLOCKS; i++)
        CHECK(alloc_take(a, bytes, 64) == i * bytes, "block %zu of one size", i);
    alloc_destroy(a);
    return unused;
}

static void shallow(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)256 << 10);
    const bool begun = pthread_create(&thread, &attributes, many_of_one_size, NULL) == 0;
    CHECK(begun, "the thread cannot be created");
    if (begun)
        pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void timing(void)
{
    enum { LIVE = 10000, ROUNDS = 500000 };
    struct alloc *a = alloc_create((size_t)1 << 40, ALLOC_BOTTOM);
    double start = now();
    for (int i = 0; i < ROUNDS; i++)
        alloc_give(a, alloc_take(a, 1024, 64));
    printf("take + give of 1 KiB: %.0f ns", (now() - start) / ROUNDS);

    static size_t held[LIVE];
    for (int i = 0; i < LIVE; i++)
        held[i] = alloc_take(a, random_size(65536), 64);
    for (int i = 0; i < LIVE; i += 2)
        alloc_give(a, held[i]);
    start = now();
    for (int i = 0; i < ROUNDS; i++)
        alloc_give(a, alloc_take(a, 1024, 64));
    printf(", among %d live blocks with holes: %.0f ns", LIVE / 2, (now() - start) / ROUNDS);
    start = now();
    size_t sum = 0, block = 0;
    for (int i = 0; i < ROUNDS; i++) {
        alloc_find(a, held[1 + 2 * (i % (LIVE / 2))] + 8, &block, NULL);
        sum += block;
    }
    printf(", find: %.0f ns\n", (now() - start) / ROUNDS);
    CHECK(sum > 0, "alloc_find has found no block");
    alloc_destroy(a);
}

int main(void)
{
    against_model();
    exhaustion();
    aligned_reuse();
    long_run(1024);
    long_run(65536);
    long_run(4 << 20);
    shallow();
    timing();
    return check_result();
}
