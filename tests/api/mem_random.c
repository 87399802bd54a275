/* A hundred thousand random allocations and frees: blocks keep their contents and do not overlap; every PE gets the
 * same offsets; and at the end the whole heap can be allocated. */
#include <shmem.h>
#include <stdint.h>
#include <string.h>
#include "../check.h"

enum { SLOTS = 200 };

static struct {
    unsigned char *p;
    size_t size;
    unsigned char tag;
} slot[SLOTS];

static uint64_t state = 88172645463325252u; /* the same sequence on every PE */

static uint64_t rnd(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* A random size, mostly small, sometimes large. */
static size_t random_size(void)
{
    uint64_t r = rnd();
    return 1 + (rnd() >> 8) % ((size_t)1 << (4 + (r % 8 ? r / 8 % 9 : 14)));
}

/* A few bytes show whether a block was written by mistake. */
static void mark(int i)
{
    size_t step = slot[i].size / 4 + 1;
    for (size_t k = 0; k < slot[i].size; k += step)
        slot[i].p[k] = slot[i].tag;
    slot[i].p[slot[i].size - 1] = slot[i].tag;
}

static void check_mark(int i)
{
    size_t step = slot[i].size / 4 + 1;
    for (size_t k = 0; k < slot[i].size; k += step)
        CHECK(slot[i].p[k] == slot[i].tag, "block of %zu bytes: byte %zu was overwritten", slot[i].size, k);
    CHECK(slot[i].p[slot[i].size - 1] == slot[i].tag, "block of %zu bytes: the last was overwritten", slot[i].size);
}

static void take(int i)
{
    uint64_t how = rnd() % 8;
    slot[i].size = random_size();
    slot[i].tag = (unsigned char)rnd();
    size_t align = (size_t)8 << rnd() % 10;
    slot[i].p = how == 0 ? shmem_calloc(1, slot[i].size) : how == 1 ? shmem_align(align, slot[i].size) :
                shmem_malloc(slot[i].size);
    CHECK(slot[i].p, "no %zu bytes", slot[i].size);
    if (!slot[i].p)
        return;
    CHECK(how != 1 || (uintptr_t)slot[i].p % align == 0, "align %zu gave %p", align, (void *)slot[i].p);
    CHECK(how != 0 || (slot[i].p[0] == 0 && slot[i].p[slot[i].size - 1] == 0), "calloc gave used memory");
    mark(i);
}

static void resize(int i)
{
    size_t size = random_size(), kept = size < slot[i].size ? size : slot[i].size;
    unsigned char *p = shmem_realloc(slot[i].p, size);
    CHECK(p, "realloc from %zu to %zu bytes", slot[i].size, size);
    if (!p)
        return;
    CHECK(p[0] == slot[i].tag, "realloc lost the contents");
    CHECK(kept < slot[i].size || p[kept - 1] == slot[i].tag, "realloc lost the end");
    slot[i].p = p;
    slot[i].size = size;
    mark(i);
}

static size_t offset_of(const void *p)
{
    static char *base; /* any fixed symmetric object */
    if (!base)
        base = shmem_malloc(1);
    return p ? (size_t)((const char *)p - base) : 0;
}

/* The largest block that can be allocated. */
static size_t largest(void)
{
    size_t low = 0, high = (size_t)1 << 40;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        void *p = shmem_malloc(middle);
        shmem_free(p);
        *(p ? &low : &high) = middle;
    }
    return low;
}

int main(void)
{
    setenv("SHMEM_SYMMETRIC_SIZE", "32m", 1); /* small, so that lost memory is noticed */
    shmem_init();
    static size_t mine[SLOTS], least[SLOTS], most[SLOTS];
    int n = shmem_n_pes(), ops = n <= 2 ? 100000 : 250000 / (n * n);
    offset_of(NULL);
    const size_t whole = largest();
    for (int op = 0; op < ops; op++) {
        int i = (int)(rnd() % SLOTS);
        if (!slot[i].p) {
            take(i);
            continue;
        }
        check_mark(i);
        if (rnd() % 8 == 0) {
            resize(i);
        } else {
            shmem_free(slot[i].p);
            slot[i].p = NULL;
        }
    }
    for (int i = 0; i < SLOTS; i++)
        mine[i] = offset_of(slot[i].p);
    shmem_size_min_reduce(SHMEM_TEAM_WORLD, least, mine, SLOTS);
    shmem_size_max_reduce(SHMEM_TEAM_WORLD, most, mine, SLOTS);
    CHECK(memcmp(least, most, sizeof least) == 0, "PEs have different blocks");
    for (int i = 0; i < SLOTS; i++) {
        if (slot[i].p)
            check_mark(i);
        shmem_free(slot[i].p);
    }
    CHECK(largest() == whole, "the largest block is %zu bytes, it was %zu", largest(), whole);
    shmem_finalize();
    return check_result();
}
