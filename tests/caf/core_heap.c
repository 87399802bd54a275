/* pes: 1 2 3 4 5 8 16 */
/* The managed heap: both of its ends, its slots, exhaustion, and equal offsets on all images. */
#include "core.h"
#include "caf/control/team.h"
#include "caf/memory/heap.h"

#include <pthread.h>
#include <string.h>

static unsigned own_state, common_state = 4711; /* own_state differs from image to image */

static unsigned random_below(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

static char *take(size_t bytes)
{
    char *p = caf_heap_allocate(bytes);
    CHECK(p && (uintptr_t)p % 64 == 0, "%zu bytes at %p", bytes, (void *)p);
    return p;
}

static char *take_alone(size_t bytes)
{
    char *p = caf_heap_allocate_alone(bytes);
    CHECK(p && (uintptr_t)p % 64 == 0, "%zu bytes at %p", bytes, (void *)p);
    return p;
}

/* The largest number of bytes available at one end. */
static size_t largest(void *(*allocate)(size_t))
{
    size_t bytes = 0;
    for (size_t step = caf_heap_bytes; step >= 64; step /= 2) {
        void *p = allocate(bytes + step);
        if (p)
            bytes += step;
        caf_heap_free(p);
    }
    return bytes;
}

/* --- slots -------------------------------------------------------------------------------------------------------- */

static void test_ends(void)
{
    const size_t all = largest(caf_heap_allocate), all_alone = largest(caf_heap_allocate_alone);
    CHECK(all > caf_heap_bytes / 4, "%zu of %zu bytes", all, caf_heap_bytes);
    char *high = take(64), *low = take_alone(64);
    char *higher = high, *lower = low;
    for (size_t i = 1; i < 10; i++) {
        char *p = take(100 * i), *q = take_alone(100 * i);
        CHECK(p < higher && p > q && q > lower, "%p and %p are at the wrong ends", (void *)p, (void *)q);
        higher = p;
        lower = q;
        memset(p, 0xf0, 100 * i); /* a store to unmapped memory ends the program */
        memset(q, 0xf1, 100 * i);
    }
    CHECK(take(0) != take(0), "two allocations of 0 bytes have one address");
    CHECK(caf_heap_allocate(caf_heap_bytes) == NULL && caf_heap_allocate(SIZE_MAX) == NULL &&
          caf_heap_allocate(SIZE_MAX - 62) == NULL && caf_heap_allocate_alone(SIZE_MAX) == NULL,
          "an allocation larger than the heap succeeds");
    CHECK(largest(caf_heap_allocate) < all && largest(caf_heap_allocate_alone) < all_alone,
          "after allocations, as much is free as before");
}

/* Holes are filled from their end, and adjacent holes merge in any order. */
static void test_merging(void)
{
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 12; i++) {
        char *(*const take_one)(size_t) = i < 6 ? take : take_alone;
        char *fence = take_one(64), *p[3] = {take_one(640), take_one(1280), take_one(64)}, *other_fence = take_one(64);
        for (int k = 0; k < 3; k++)
            caf_heap_free(p[orders[i % 6][k]]);
        char *again = take_one(640 + 1280 + 64);
        CHECK(again == (i < 6 ? p[2] : p[0]), "order %d: the three holes have not merged", i);
        caf_heap_free(again);
        char *part = take_one(64);
        CHECK(part == (i < 6 ? p[0] + 576 : p[0]), "order %d: a block %td bytes into the hole", i, part - p[0]);
        char *rest = take_one(640 + 1280);
        CHECK(rest == (i < 6 ? p[2] : p[0] + 64), "order %d: the rest of the hole is not used", i);
        caf_heap_free(fence);
        caf_heap_free(rest);
        caf_heap_free(other_fence);
        caf_heap_free(part);
        CHECK(take_one(64) == fence, "order %d: not all of the hole is free again", i);
        caf_heap_free(fence);
    }
}

/* If the two ends touch, one end can use memory that the other frees. */
static void test_meeting(void)
{
    const size_t all = largest(caf_heap_allocate);
    char *low = take_alone(all / 128 * 64), *high = take(all / 128 * 64);
    const size_t rest = largest(caf_heap_allocate);
    CHECK(rest <= 4096, "%zu bytes are left", rest);
    CHECK(caf_heap_allocate(all / 4) == NULL && caf_heap_allocate_alone(all / 4) == NULL,
          "an allocation larger than the free memory succeeds");
    caf_heap_free(low);
    char *more = take(all / 4);
    CHECK(more < high, "the block lies at %p, not below the others", (void *)more);
    caf_heap_free(more);
    caf_heap_free(high);
    high = take(all);
    CHECK(caf_heap_allocate_alone(all / 2) == NULL, "an allocation larger than the free memory succeeds");
    caf_heap_free(high);
    /* One end does not use a hole between blocks of the other end. */
    const size_t quarter = all / 256 * 64;
    low = take_alone(quarter);
    high = take(quarter);
    char *low_fence = take_alone(64), *high_fence = take(64), *middle = take(largest(caf_heap_allocate));
    caf_heap_free(low);
    CHECK(caf_heap_allocate(quarter) == NULL, "symmetric memory among an image's own");
    CHECK(take_alone(quarter) == low, "an image's own hole is not used");
    caf_heap_free(high);
    CHECK(caf_heap_allocate_alone(quarter) == NULL, "an image's own memory among symmetric memory");
    CHECK(take(quarter) == high, "a hole is not used");
    char *const blocks[] = {middle, low_fence, high, low, high_fence};
    for (int i = 0; i < 5; i++)
        caf_heap_free(blocks[i]);
    CHECK(largest(caf_heap_allocate) == all, "%zu bytes are left of %zu", largest(caf_heap_allocate), all);
}

/* --- two threads -------------------------------------------------------------------------------------------------- */

enum { TURNS = 20000 };

static void *take_alone_often(void *none)
{
    for (size_t i = 0; i < TURNS; i++) {
        char *first = take_alone(64 + i % 7 * 64), *second = take_alone(64 + i % 5 * 64);
        caf_heap_free(first);
        CHECK(caf_heap_free_if_taken(second), "%p is not known", (void *)second);
    }
    return none;
}

/* The library's own thread allocates memory for other images' requests, while the program allocates, too. */
static void test_threads(void)
{
    const size_t all = largest(caf_heap_allocate);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, take_alone_often, NULL) == 0, "there is no thread");
    for (size_t i = 0; i < TURNS; i++) {
        char *first = take(64 + i % 5 * 64), *second = take(64 + i % 7 * 64);
        caf_heap_free(first);
        caf_heap_free(second);
    }
    pthread_join(other, NULL);
    CHECK(largest(caf_heap_allocate) == all, "%zu bytes are left of %zu", largest(caf_heap_allocate), all);
}

/* free accepts only the beginning of a block, and only once. */
static void test_freeing(void)
{
    char *p = take_alone(640), *q = take(640);
    CHECK(!caf_heap_free_if_taken(p + 64) && !caf_heap_free_if_taken(q + 64), "free accepts an address within a block");
    CHECK(!caf_heap_free_if_taken(NULL) && !caf_heap_free_if_taken(&me) && !caf_heap_free_if_taken(caf_heap - 64) &&
          !caf_heap_free_if_taken(caf_heap + caf_heap_bytes), "free accepts an address outside the heap");
    CHECK(caf_heap_free_if_taken(p) && caf_heap_free_if_taken(q), "free refuses an allocated block");
    CHECK(!caf_heap_free_if_taken(p) && !caf_heap_free_if_taken(q), "free accepts a freed block");
}

/* --- images in step ----------------------------------------------------------------------------------------------- */

enum { MOST = 300, WORDS = 40 };

static void check_same(int64_t mine)
{
    static int64_t all[64];
    for (int pe = 0; pe < n; pe++)
        caf_put_bytes(pe, &all[me - 1], &mine, sizeof mine);
    caf_sync_all();
    for (int i = 0; i < n; i++)
        CHECK(all[i] == mine, "image %d has %llx, this one %llx", i + 1, (long long)all[i], (long long)mine);
    caf_sync_all();
}

static void check_words(const int64_t *a, size_t words, int tag)
{
    for (size_t i = 0; i < words; i++)
        CHECK(a[i] == INT64_MIN + tag * 1000003 + (int64_t)i, "word %zu of %zu is %llx", i, words, (long long)a[i]);
}

static void set_words(int64_t *a, size_t words, int tag)
{
    for (size_t i = 0; i < words; i++)
        a[i] = INT64_MIN + tag * 1000003 + (int64_t)i;
}

/* Thousands of symmetric blocks are allocated and freed, the same on all images; each image also allocates its own
 * blocks, in different numbers. */
static void test_random(void)
{
    struct block {
        int64_t *at;
        size_t words;
    } symmetric[MOST] = {{NULL, 0}}, own[MOST] = {{NULL, 0}};
    const size_t all = largest(caf_heap_allocate), all_alone = largest(caf_heap_allocate_alone);
    int64_t hash = 0;
    for (int round = 0; round < 4000; round++) {
        const bool common = random_below(&common_state, 3) > 0;
        unsigned *state = common ? &common_state : &own_state;
        for (unsigned times = common ? 1 : random_below(state, 4); times > 0; times--) {
            const unsigned which = random_below(state, MOST);
            struct block *b = common ? &symmetric[which] : &own[which];
            const int tag = (common ? 1 : 2) * (int)which + (common ? 0 : me);
            if (b->at) {
                check_words(b->at, b->words, tag);
                caf_heap_free(b->at);
                b->at = NULL;
                continue;
            }
            b->words = 1 + random_below(state, random_below(state, 2) ? 10 : 10 * WORDS);
            b->at = (int64_t *)(void *)(common ? take : take_alone)(b->words * 8);
            set_words(b->at, b->words, tag);
            if (common)
                hash = (int64_t)((uint64_t)hash * 31 + (uint64_t)((char *)b->at - caf_heap));
        }
    }
    check_same(hash);
    for (int i = 0; i < MOST; i++) {
        caf_heap_free(symmetric[i].at);
        caf_heap_free(own[(i * 7 + me) % MOST].at);
    }
    CHECK(largest(caf_heap_allocate) == all, "%zu bytes are left of %zu", largest(caf_heap_allocate), all);
    CHECK(largest(caf_heap_allocate_alone) == all_alone, "%zu of %zu", largest(caf_heap_allocate_alone), all_alone);
}

/* --- exhaustion --------------------------------------------------------------------------------------------------- */

static void check_exhausted(size_t bytes, const char *who)
{
    struct caf_coarray *c = NULL;
    const int status = caf_allocate(bytes, false, &c);
    CHECK(status == CAF_STAT_ERROR && !c, "the status is %d", status);
    char expected[200];
    snprintf(expected, sizeof expected, "allocate: no memory for a coarray of %zu bytes on %s; ", bytes, who);
    const char *said = strstr(caf_message(), expected);
    size_t advised = 0;
    const char *advice = said ? said + strlen(expected) : ""; /* the advice for a machine with less memory */
    CHECK((sscanf(advice, "SHMEM_SYMMETRIC_SIZE=%zum would do", &advised) == 1 ||
           sscanf(advice, "each PE would need a heap of %zu MiB, ", &advised) == 1) && advised << 20 > caf_heap_bytes,
          "the sentence is \"%s\"", caf_message());
}

/* An error of one image alone, repeatedly: all images are notified, and no memory is lost. */
static void test_exhaustion(void)
{
    const size_t all = largest(caf_heap_allocate);
    check_exhausted(all + 4096, "this image");
    char *before = take(64);
    for (int round = 0; round < 20; round++) {
        const int poor = round % n + 1;
        char *mine = me == poor ? take_alone(largest(caf_heap_allocate_alone) - 8192) : NULL;
        struct caf_coarray *small = NULL;
        for (int k = 0; k < 1 + round % 3; k++)
            check_exhausted(all / 4, me == poor ? "this image" : "another image");
        ok(caf_allocate(1024, true, &small));
        check_same(small->base - caf_heap);
        caf_heap_free(mine);
        struct caf_coarray *large = NULL;
        ok(caf_allocate(all / 4, false, &large));
        check_same(large->base - caf_heap);
        CHECK(caf_deallocate(small) == CAF_OK && caf_deallocate(large) == CAF_OK, "%s", caf_message());
    }
    caf_heap_free(before);
    CHECK(largest(caf_heap_allocate) == all, "%zu bytes are left of %zu", largest(caf_heap_allocate), all);
}

/* Allocates two coarrays with one synchronization; then all images have them at corresponding addresses. */
static void test_ahead(void)
{
    const uint64_t syncs = caf_current->syncs;
    struct caf_coarray *a = caf_allocate_ahead(800, true), *b = caf_allocate_ahead((size_t)n * sizeof(uint64_t), false);
    const uint64_t place = (uint64_t)(b->base - caf_heap);
    CHECK(a->base[0] == 0 && a->base[799] == 0, "the coarray is not zero");
    CHECK(caf_sync_allocated() == CAF_OK && caf_current->syncs == syncs + 1, "%d synchronizations",
          (int)(caf_current->syncs - syncs));
    for (int i = 0; i < n; i++)
        caf_put_bytes(i, &((uint64_t *)(void *)b->base)[me - 1], &place, sizeof place);
    ok(caf_sync_all());
    for (int i = 0; i < n; i++)
        CHECK(((uint64_t *)(void *)b->base)[i] == place, "image %d has it elsewhere", i + 1);
    CHECK(caf_deallocate(b) == CAF_OK && caf_deallocate(a) == CAF_OK, "%s", caf_message());
}

int main(void)
{
    start();
    own_state = (unsigned)me * 7919u;
    test_ahead();
    test_merging();
    test_meeting();
    test_freeing();
    test_threads();
    test_random();
    test_exhaustion();
    test_ends();
    ok(caf_sync_all());
    caf_stop(check_result());
}
