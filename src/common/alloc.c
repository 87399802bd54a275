/* The allocator of symmetric memory.
 *
 * All lengths here are in granules of 64 bytes. Blocks, live or free, cover the range without gaps. A list links them
 * in the order of addresses, so that a freed block merges with its free neighbours. A tree by address (a treap, whose
 * nodes store the longest free block of their subtree) finds, in logarithmic time, the block at an address, and the
 * lowest or highest free block that is long enough.
 *
 * The choice of a block depends only on the present blocks, not on earlier calls.
 *
 * The common block lies between the blocks taken from the bottom and those taken from the top. It may be split at both
 * ends. The blocks above it therefore do not depend on how much was taken from the bottom. If both ends are used, a
 * granule of the common block stays free, so that the block always exists.
 *
 * The memory of the records (struct block) comes from mmap, not from malloc, because a program's malloc may use this
 * heap. Only make_room adds records, and before an operation changes anything: if it fails, nothing has changed. */
#include "alloc.h"

#include <stdbool.h>
#include <sys/mman.h>

enum {
    GRANULE = ALLOC_GRANULE,
    RECORDS_PER_CALL = 2,  /* alloc_take: the gap before an aligned block and the rest behind it */
    CHUNK_RECORDS = 2048,
    QUICK_TRIES = 32,      /* after this many blocks that alignment makes too short, a longer block is split */
};

struct block {
    struct block *below, *above; /* neighbours by address; unused records are linked by above */
    struct block *left, *right;  /* subtrees of lower and of higher addresses */
    uint64_t start, length;
    uint64_t longest;           /* the longest free block of this subtree, without `kept` */
    uint64_t kept;              /* granules of the common block that stay free */
    uint64_t fresh, fresh_end;  /* the longest part of a free block that no block has ever held */
    size_t bytes;               /* requested; 0: the block is free */
};

struct alloc {
    uint64_t granules, border;
    struct block *root, *common;
    struct block *unused;
    struct block *chunks; /* the first record of each chunk links them, by above */
    int available;
    bool starved; /* the last operation failed for lack of memory for records */
};

/* ---- records ---- */

static void *map_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void record_release(struct alloc *a, struct block *s)
{
    s->above = a->unused;
    a->unused = s;
    a->available++;
}

static struct block *record_new(struct alloc *a)
{
    struct block *s = a->unused;
    a->unused = s->above;
    a->available--;
    return s;
}

static bool make_room(struct alloc *a)
{
    a->starved = false;
    if (a->available >= RECORDS_PER_CALL)
        return true;
    struct block *chunk = map_memory(CHUNK_RECORDS * sizeof *chunk);
    a->starved = !chunk;
    if (!chunk)
        return false;
    chunk->above = a->chunks;
    a->chunks = chunk;
    for (int i = CHUNK_RECORDS - 1; i > 0; i--)
        record_release(a, &chunk[i]);
    return true;
}

/* ---- the tree ---- */

static uint64_t room(const struct block *s)
{
    return s->bytes ? 0 : s->length - s->kept;
}

/* A block of higher priority is nearer to the root. A product alone would rise with the address if the blocks have
 * certain sizes, such as 987 granules, and the tree would be a list. */
static uint64_t priority(const struct block *s)
{
    const uint64_t x = (s->start ^ s->start >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

static void measure(struct block *s)
{
    s->longest = room(s);
    if (s->left && s->left->longest > s->longest)
        s->longest = s->left->longest;
    if (s->right && s->right->longest > s->longest)
        s->longest = s->right->longest;
}

static struct block **side(struct block *s, uint64_t at)
{
    return at < s->start ? &s->left : &s->right;
}

static void cut(struct block *s, uint64_t at, struct block **lower, struct block **higher)
{
    if (!s) {
        *lower = *higher = NULL;
        return;
    }
    if (s->start < at) {
        *lower = s;
        cut(s->right, at, &s->right, higher);
    } else {
        *higher = s;
        cut(s->left, at, lower, &s->left);
    }
    measure(s);
}

static struct block *join(struct block *lower, struct block *higher)
{
    if (!lower || !higher)
        return lower ? lower : higher;
    struct block *root = priority(lower) > priority(higher) ? lower : higher;
    if (root == lower)
        lower->right = join(lower->right, higher);
    else
        higher->left = join(lower, higher->left);
    measure(root);
    return root;
}

static struct block *with(struct block *root, struct block *s)
{
    if (!root || priority(s) > priority(root)) {
        cut(root, s->start, &s->left, &s->right);
        root = s;
    } else {
        struct block **child = side(root, s->start);
        *child = with(*child, s);
    }
    measure(root);
    return root;
}

static struct block *without(struct block *root, const struct block *s)
{
    if (root == s)
        return join(s->left, s->right);
    struct block **child = side(root, s->start);
    *child = without(*child, s);
    measure(root);
    return root;
}

/* Called after the free length of s has changed; true if root->longest has changed. */
static bool changed(struct block *root, const struct block *s)
{
    if (root != s && !changed(*side(root, s->start), s))
        return false;
    const uint64_t before = root->longest;
    measure(root);
    return root->longest != before;
}

/* The block that holds this granule; NULL outside the range. */
static struct block *block_of(const struct alloc *a, uint64_t granule)
{
    struct block *found = NULL;
    for (struct block *s = granule < a->granules ? a->root : NULL; s; s = *side(s, granule))
        found = s->start <= granule ? s : found;
    return found;
}

static uint64_t round_up(uint64_t x, uint64_t step)
{
    return (x + step - 1) & ~(step - 1);
}

/* The lowest free block that holds `length` granules at a multiple of `step`. NULL: there is none, or alignment has
 * made *tries blocks too short. */
static struct block *lowest(struct block *s, uint64_t length, uint64_t step, size_t *tries)
{
    if (!s || s->longest < length)
        return NULL;
    struct block *found = lowest(s->left, length, step, tries);
    if (found || *tries == 0)
        return found;
    if (room(s) >= length) {
        if (round_up(s->start, step) + length <= s->start + room(s))
            return s;
        if (--*tries == 0)
            return NULL;
    }
    return lowest(s->right, length, step, tries);
}

/* First tries a few blocks that alignment may make too short, to save space; then blocks that are long enough for any
 * alignment; then all. */
static struct block *find_fit(const struct alloc *a, uint64_t length, uint64_t step)
{
    size_t few = QUICK_TRIES, all = SIZE_MAX;
    struct block *s = lowest(a->root, length, step, &few);
    if (!s)
        s = lowest(a->root, length + step - 1, 1, &all);
    return s ? s : lowest(a->root, length, step, &all);
}

static struct block *highest(struct block *s, uint64_t length)
{
    while (s && s->longest >= length) {
        const bool is_right = s->right && s->right->longest >= length;
        if (!is_right && room(s) >= length)
            return s;
        s = is_right ? s->right : s->left;
    }
    return NULL;
}

/* ---- blocks ---- */

static void make_common(struct alloc *a, struct block *s)
{
    struct block *before = a->common;
    a->common = s;
    if (!a->border)
        return;
    before->kept = 0;
    s->kept = a->border;
    changed(a->root, before);
    changed(a->root, s);
}

static void clip_fresh(struct block *s)
{
    const uint64_t end = s->start + s->length;
    s->fresh = s->fresh > s->start ? s->fresh : s->start;
    s->fresh_end = s->fresh_end < end ? s->fresh_end : end;
    if (s->fresh >= s->fresh_end)
        s->fresh = s->fresh_end = 0;
}

/* Splits a block after its first `length` granules and returns the rest, which is live if bytes is not 0. The caller
 * must call changed() for s. */
static struct block *split(struct alloc *a, struct block *s, uint64_t length, size_t bytes)
{
    struct block *upper = record_new(a);
    *upper = (struct block){.start = s->start + length, .length = s->length - length, .below = s, .above = s->above,
                            .fresh = s->fresh, .fresh_end = bytes ? 0 : s->fresh_end, .bytes = bytes};
    if (s->above)
        s->above->below = upper;
    s->above = upper;
    s->length = length;
    clip_fresh(s);
    clip_fresh(upper);
    a->root = with(a->root, upper);
    return upper;
}

/* Adds the free block above s to s. The caller must call changed(). */
static void absorb_above(struct alloc *a, struct block *s)
{
    struct block *upper = s->above;
    if (upper == a->common)
        make_common(a, s);
    a->root = without(a->root, upper);
    if (s->fresh_end == upper->fresh)
        s->fresh_end = upper->fresh_end;
    if (upper->fresh_end - upper->fresh > s->fresh_end - s->fresh) {
        s->fresh = upper->fresh;
        s->fresh_end = upper->fresh_end;
    }
    s->length += upper->length;
    s->above = upper->above;
    if (s->above)
        s->above->below = s;
    record_release(a, upper);
}

static bool is_free(const struct block *s)
{
    return s && s->bytes == 0;
}

static void set_free(struct alloc *a, struct block *s)
{
    s->bytes = 0;
    if (is_free(s->above))
        absorb_above(a, s);
    if (is_free(s->below))
        absorb_above(a, s = s->below);
    changed(a->root, s);
}

static size_t set_live(struct alloc *a, struct block *s, size_t bytes)
{
    s->bytes = bytes;
    s->fresh = s->fresh_end = 0;
    changed(a->root, s);
    return s->start * GRANULE;
}

static struct block *live_block_at(const struct alloc *a, size_t offset)
{
    struct block *s = block_of(a, offset / GRANULE);
    return s && s->bytes && s->start * GRANULE == offset ? s : NULL;
}

static uint64_t granules_of(size_t bytes)
{
    return bytes / GRANULE + (bytes % GRANULE != 0);
}

/* ---- the interface ---- */

struct alloc *alloc_create(size_t size, enum alloc_ends ends)
{
    struct alloc *a = map_memory(sizeof *a);
    if (!a)
        return NULL;
    if (!make_room(a)) {
        alloc_destroy(a);
        return NULL;
    }
    a->granules = size / GRANULE;
    a->border = ends == ALLOC_BOTH_ENDS;
    if (a->granules) {
        a->root = a->common = record_new(a);
        *a->root = (struct block){.length = a->granules, .kept = a->border, .fresh_end = a->granules};
        measure(a->root);
    }
    return a;
}

void alloc_destroy(struct alloc *a)
{
    if (!a)
        return;
    for (struct block *chunk = a->chunks, *next; chunk; chunk = next) {
        next = chunk->above;
        munmap(chunk, CHUNK_RECORDS * sizeof *chunk);
    }
    munmap(a, sizeof *a);
}

size_t alloc_take(struct alloc *a, size_t bytes, size_t align)
{
    uint64_t length = granules_of(bytes), step = align > GRANULE ? align / GRANULE : 1;
    if (bytes == 0 || length > a->granules || !make_room(a))
        return ALLOC_NONE;
    struct block *s = find_fit(a, length, step);
    if (!s || s->start > a->common->start)
        return ALLOC_NONE;

    const bool is_common = s == a->common;
    const uint64_t gap = round_up(s->start, step) - s->start;
    struct block *mine = gap ? split(a, s, gap, 0) : s;
    struct block *rest = mine->length > length ? split(a, mine, length, 0) : NULL;
    if (gap)
        changed(a->root, s);
    if (is_common)
        make_common(a, rest ? rest : mine);
    return set_live(a, mine, bytes);
}

size_t alloc_take_from_top(struct alloc *a, size_t bytes)
{
    uint64_t length = granules_of(bytes);
    if (bytes == 0 || length > a->granules || !make_room(a))
        return ALLOC_NONE;
    struct block *s = highest(a->root, length);
    if (!s || s->start < a->common->start)
        return ALLOC_NONE;
    if (s->length == length)
        return set_live(a, s, bytes);
    const struct block *mine = split(a, s, s->length - length, bytes);
    changed(a->root, s);
    return mine->start * GRANULE;
}

int alloc_give(struct alloc *a, size_t offset)
{
    struct block *s = live_block_at(a, offset);
    if (!s)
        return -1;
    set_free(a, s);
    return 0;
}

int alloc_resize(struct alloc *a, size_t offset, size_t bytes)
{
    struct block *s = live_block_at(a, offset);
    uint64_t length = granules_of(bytes);
    if (!s || bytes == 0 || !make_room(a))
        return -1;
    if (length > s->length + (is_free(s->above) ? room(s->above) : 0))
        return -1;

    if (length > s->length)
        absorb_above(a, s);
    if (length < s->length) {
        struct block *rest = split(a, s, length, 0);
        if (s == a->common)
            make_common(a, rest);
        set_free(a, rest);
    }
    set_live(a, s, bytes);
    return 0;
}

enum alloc_state alloc_find(const struct alloc *a, size_t offset, size_t *start, size_t *bytes)
{
    const uint64_t granule = offset / GRANULE;
    const struct block *s = block_of(a, granule);
    if (s && s->bytes) {
        if (start)
            *start = s->start * GRANULE;
        if (bytes)
            *bytes = s->bytes;
        return ALLOC_LIVE;
    }
    return s && (granule < s->fresh || granule >= s->fresh_end) ? ALLOC_FREED : ALLOC_NEVER;
}

size_t alloc_top(const struct alloc *a)
{
    const struct block *s = a->common;
    if (is_free(s))
        s = s->below; /* free neighbours are one block, so this one is live */
    return s ? s->start * GRANULE + s->bytes : 0;
}

bool alloc_starved(const struct alloc *a)
{
    return a->starved;
}

size_t alloc_largest(const struct alloc *a)
{
    return a->root ? a->root->longest * GRANULE : 0;
}
