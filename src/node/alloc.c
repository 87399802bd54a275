/* The symmetric heap's allocator.
 *
 * All lengths here are in granules of 64 bytes.  Three structures describe the range:
 *   - one record per block, live or free, on a doubly linked list in the order of addresses, so the neighbours that a
 *     freed block merges with are found at once;
 *   - the free blocks on segregated lists by size (two-level segregated fit: one row of lists per power of two, 32
 *     lists in a row), so a block at most 1/32 longer than asked for is found in a few instructions;
 *   - two ordered indexes of granules (radix trees of fan-out 64 with a bitmap in each node): the starts of the live
 *     blocks, which tells what an address inside a block belongs to, and the places where memory that has been in use
 *     borders on memory that never was, which tells a freed address from a wild one.
 *
 * Records and index nodes are named by their position in an array, 0 being none.  The arrays come from mmap and not
 * from malloc, because a program may have its malloc served from this very heap.  They grow only in make_room, before
 * an operation changes anything: so what fails for want of memory has changed nothing. */
#include "alloc.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

enum {
    GRANULE = ALLOC_GRANULE,
    ROW_BITS = 5,
    ROW_LISTS = 1 << ROW_BITS, /* size classes in a row */
    ROWS = 57,                 /* up to 2^60 granules, more than 2^64 bytes aligned to 2^63 can ask for */
    DIGIT_BITS = 6,
    FANOUT = 1 << DIGIT_BITS,
    MAX_LEVELS = 10,                   /* digits in 2^58 granules */
    RECORDS_PER_CALL = 2,              /* take: the gap before an aligned block and the rest behind it */
    NODES_PER_CALL = 3 * MAX_LEVELS,   /* take: one live start and two borders of use */
    QUICK_TRIES = 32,                  /* free blocks looked at that might be too short, before a longer one is cut */
};

struct record {
    uint64_t start, length;
    size_t bytes;                   /* asked for; 0: the block is free */
    uint32_t before, after;         /* neighbours by address */
    uint32_t list_prev, list_next;  /* neighbours in a free list */
};

struct node {
    uint64_t present;      /* which slots hold something; the others hold garbage */
    uint32_t slot[FANOUT]; /* a child, or at the lowest level a value */
};

/* An array that names its elements by position and reuses them. */
struct pool {
    void *memory;
    size_t element, capacity; /* bytes of one, number of all */
    uint32_t untouched;       /* first element never used */
    uint32_t released;        /* head of the list of elements given back, linked through their first four bytes */
    size_t available;
};

struct alloc {
    uint64_t granules;
    unsigned top_shift; /* of the highest digit of a key of the indexes */
    uint32_t live_starts, use_borders; /* roots of the indexes */
    uint32_t last;                     /* the record of the highest block */
    size_t live, peak;
    bool starved; /* the last operation failed for want of memory for records */
    struct pool records, nodes;
    uint64_t rows;             /* rows that have a list that is not empty */
    uint32_t row_lists[ROWS];  /* and which of its lists */
    uint32_t heads[ROWS * ROW_LISTS];
};

static struct record *record(const struct alloc *a, uint32_t i)
{
    return (struct record *)a->records.memory + i;
}

static struct node *node(const struct alloc *a, uint32_t i)
{
    return (struct node *)a->nodes.memory + i;
}

static unsigned highest_bit(uint64_t x)
{
    return 63 - (unsigned)__builtin_clzll(x);
}

/* ---- pools ---- */

static void *map_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static bool pool_create(struct pool *p, size_t element, size_t capacity)
{
    *p = (struct pool){.element = element, .capacity = capacity, .untouched = 1, .available = capacity - 1};
    p->memory = map_memory(element * capacity);
    return p->memory;
}

static bool pool_grow(struct pool *p)
{
    size_t bytes = p->element * p->capacity;
    if (2 * p->capacity > UINT32_MAX)
        return false;
    void *memory = mremap(p->memory, bytes, 2 * bytes, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
        return false;
    p->memory = memory;
    p->available += p->capacity;
    p->capacity *= 2;
    return true;
}

static uint32_t pool_take(struct pool *p)
{
    p->available--;
    uint32_t i = p->released;
    if (!i)
        return p->untouched++;
    memcpy(&p->released, (char *)p->memory + i * p->element, sizeof p->released);
    return i;
}

static void pool_give(struct pool *p, uint32_t i)
{
    memcpy((char *)p->memory + i * p->element, &p->released, sizeof p->released);
    p->released = i;
    p->available++;
}

static bool make_room(struct alloc *a)
{
    a->starved = (a->records.available < RECORDS_PER_CALL && !pool_grow(&a->records)) ||
                 (a->nodes.available < NODES_PER_CALL && !pool_grow(&a->nodes));
    return !a->starved;
}

/* ---- the ordered indexes ---- */

static unsigned digit(uint64_t key, unsigned shift)
{
    return key >> shift & (FANOUT - 1);
}

static uint32_t index_create(struct alloc *a)
{
    uint32_t n = pool_take(&a->nodes);
    node(a, n)->present = 0;
    return n;
}

static void index_set(struct alloc *a, uint32_t root, uint64_t key, uint32_t value)
{
    struct node *at = node(a, root);
    for (unsigned shift = a->top_shift; shift > 0; shift -= DIGIT_BITS) {
        unsigned d = digit(key, shift);
        if (!(at->present >> d & 1)) {
            at->slot[d] = index_create(a);
            at->present |= UINT64_C(1) << d;
        }
        at = node(a, at->slot[d]);
    }
    at->slot[digit(key, 0)] = value;
    at->present |= UINT64_C(1) << digit(key, 0);
}

/* Removes a key that is present, and the nodes that are empty then; the root stays. */
static void index_clear(struct alloc *a, uint32_t root, uint64_t key)
{
    uint32_t path[MAX_LEVELS];
    unsigned depth = 0;
    path[0] = root;
    for (unsigned shift = a->top_shift; shift > 0; shift -= DIGIT_BITS, depth++)
        path[depth + 1] = node(a, path[depth])->slot[digit(key, shift)];
    for (unsigned shift = 0;; shift += DIGIT_BITS, depth--) {
        struct node *at = node(a, path[depth]);
        at->present &= ~(UINT64_C(1) << digit(key, shift));
        if (at->present || depth == 0)
            return;
        pool_give(&a->nodes, path[depth]);
    }
}

/* The greatest key that is at most `key`, and its value; false when there is none. */
static bool index_at_or_before(const struct alloc *a, uint32_t root, uint64_t key, uint64_t *found, uint32_t *value)
{
    const struct node *at = node(a, root);
    const struct node *turn = NULL; /* the lowest node on the path where a smaller key branches off */
    unsigned shift = a->top_shift, turn_shift = 0;

    for (;; shift -= DIGIT_BITS) {
        unsigned d = digit(key, shift);
        if (at->present & ((UINT64_C(1) << d) - 1)) {
            turn = at;
            turn_shift = shift;
        }
        if (!(at->present >> d & 1))
            break;
        if (shift == 0) {
            *found = key;
            *value = at->slot[d];
            return true;
        }
        at = node(a, at->slot[d]);
    }
    if (!turn)
        return false;

    /* From there the greatest key below. */
    uint64_t below = turn->present & ((UINT64_C(1) << digit(key, turn_shift)) - 1);
    uint64_t prefix = key >> turn_shift >> DIGIT_BITS;
    for (at = turn, shift = turn_shift;; shift -= DIGIT_BITS, below = at->present) {
        unsigned d = highest_bit(below);
        prefix = prefix << DIGIT_BITS | d;
        if (shift == 0) {
            *found = prefix;
            *value = at->slot[d];
            return true;
        }
        at = node(a, at->slot[d]);
    }
}

/* ---- which granules have ever been in use: runs of used and fresh ones alternate, each run's start is a key ---- */

static bool used_at(const struct alloc *a, uint64_t granule, uint64_t *run_start)
{
    uint32_t used = false;
    *run_start = 0;
    return index_at_or_before(a, a->use_borders, granule, run_start, &used) && used;
}

static void mark_used(struct alloc *a, uint64_t start, uint64_t length)
{
    uint64_t end = start + length, key;
    uint32_t used;
    if (used_at(a, end - 1, &key) && key <= start)
        return;
    if (end < a->granules && !used_at(a, end, &key))
        index_set(a, a->use_borders, end, false);
    while (index_at_or_before(a, a->use_borders, end - 1, &key, &used) && key >= start)
        index_clear(a, a->use_borders, key);
    if (start == 0 || !used_at(a, start - 1, &key))
        index_set(a, a->use_borders, start, true);
    if (end < a->granules && used_at(a, end, &key) && key == end) /* two used runs meet */
        index_clear(a, a->use_borders, end);
}

/* ---- the free lists ---- */

/* Lengths below 2 x ROW_LISTS have a class each; above, a class holds 1/32 of the lengths of a power of two. */
static unsigned size_class(uint64_t length)
{
    if (length < ROW_LISTS)
        return (unsigned)length;
    unsigned row = highest_bit(length) - ROW_BITS;
    return (row + 1) * ROW_LISTS + (unsigned)(length >> row) - ROW_LISTS;
}

static void free_list_add(struct alloc *a, uint32_t i)
{
    unsigned class = size_class(record(a, i)->length);
    uint32_t head = a->heads[class];
    record(a, i)->list_prev = 0;
    record(a, i)->list_next = head;
    if (head)
        record(a, head)->list_prev = i;
    a->heads[class] = i;
    a->row_lists[class / ROW_LISTS] |= 1u << class % ROW_LISTS;
    a->rows |= UINT64_C(1) << class / ROW_LISTS;
}

static void free_list_remove(struct alloc *a, uint32_t i)
{
    struct record *r = record(a, i);
    if (r->list_next)
        record(a, r->list_next)->list_prev = r->list_prev;
    if (r->list_prev) {
        record(a, r->list_prev)->list_next = r->list_next;
        return;
    }
    unsigned class = size_class(r->length), row = class / ROW_LISTS;
    a->heads[class] = r->list_next;
    if (r->list_next)
        return;
    a->row_lists[row] &= ~(1u << class % ROW_LISTS);
    if (!a->row_lists[row])
        a->rows &= ~(UINT64_C(1) << row);
}

/* The first class from `class` on that has a block, ROWS * ROW_LISTS when there is none. */
static unsigned next_class(const struct alloc *a, unsigned class)
{
    unsigned row = class / ROW_LISTS;
    if (row >= ROWS)
        return ROWS * ROW_LISTS;
    uint32_t lists = a->row_lists[row] & ~UINT32_C(0) << class % ROW_LISTS;
    if (!lists) {
        uint64_t rows = a->rows & ~UINT64_C(0) << row << 1;
        if (!rows)
            return ROWS * ROW_LISTS;
        row = (unsigned)__builtin_ctzll(rows);
        lists = a->row_lists[row];
    }
    return row * ROW_LISTS + (unsigned)__builtin_ctz(lists);
}

static uint64_t round_up(uint64_t x, uint64_t step)
{
    return (x + step - 1) & ~(step - 1);
}

/* The first block of the classes [class, end) that holds `length` granules at a multiple of `step`, among `tries`. */
static uint32_t first_fit(const struct alloc *a, unsigned class, unsigned end, uint64_t length, uint64_t step,
                          size_t tries)
{
    for (class = next_class(a, class); class < end; class = next_class(a, class + 1)) {
        for (uint32_t i = a->heads[class]; i; i = record(a, i)->list_next) {
            if (tries-- == 0)
                return 0;
            const struct record *r = record(a, i);
            if (round_up(r->start, step) + length <= r->start + r->length)
                return i;
        }
    }
    return 0;
}

/* A block of a class whose members all fit is there at once.  Before it is cut, the shorter ones that may fit are
 * looked at, a few because it pays, and all of them before the answer is that there is none. */
static uint32_t find_fit(const struct alloc *a, uint64_t length, uint64_t step)
{
    unsigned may = size_class(length), must = size_class(length + step - 1) + 1;
    uint32_t i = first_fit(a, may, must, length, step, QUICK_TRIES);
    if (!i)
        i = first_fit(a, must, ROWS * ROW_LISTS, length, step, 1);
    return i ? i : first_fit(a, may, must, length, step, SIZE_MAX);
}

/* ---- blocks ---- */

/* Cuts a block that is on no free list; what lies behind its first `length` granules becomes a block on none either. */
static uint32_t split(struct alloc *a, uint32_t i, uint64_t length)
{
    uint32_t rest = pool_take(&a->records);
    struct record *r = record(a, i);
    *record(a, rest) = (struct record){
        .start = r->start + length, .length = r->length - length, .before = i, .after = r->after};
    if (r->after)
        record(a, r->after)->before = rest;
    else
        a->last = rest;
    r->after = rest;
    r->length = length;
    return rest;
}

/* Adds the block behind, free but on no list, to this one. */
static void absorb_next(struct alloc *a, uint32_t i)
{
    struct record *r = record(a, i);
    uint32_t gone = r->after;
    r->length += record(a, gone)->length;
    r->after = record(a, gone)->after;
    if (r->after)
        record(a, r->after)->before = i;
    else
        a->last = i;
    pool_give(&a->records, gone);
}

static bool is_free(const struct alloc *a, uint32_t i)
{
    return i && record(a, i)->bytes == 0;
}

/* Makes a block on no list free: one free block together with its free neighbours. */
static void set_free(struct alloc *a, uint32_t i)
{
    uint32_t before = record(a, i)->before, after = record(a, i)->after;
    record(a, i)->bytes = 0;
    if (is_free(a, after)) {
        free_list_remove(a, after);
        absorb_next(a, i);
    }
    if (is_free(a, before)) {
        free_list_remove(a, before);
        absorb_next(a, before);
        i = before;
    }
    free_list_add(a, i);
}

static void count_live(struct alloc *a, size_t less, size_t more)
{
    a->live = a->live - less + more;
    if (a->live > a->peak)
        a->peak = a->live;
}

/* The record of the live block that holds this granule, or 0. */
static uint32_t live_block(const struct alloc *a, uint64_t granule)
{
    uint64_t start;
    uint32_t i;
    if (granule >= a->granules || !index_at_or_before(a, a->live_starts, granule, &start, &i))
        return 0;
    return granule < start + record(a, i)->length ? i : 0;
}

static uint32_t live_block_at(const struct alloc *a, size_t offset)
{
    uint32_t i = live_block(a, offset / GRANULE);
    return i && record(a, i)->start * GRANULE == offset ? i : 0;
}

static uint64_t granules_of(size_t bytes)
{
    return bytes / GRANULE + (bytes % GRANULE != 0);
}

/* ---- the interface ---- */

struct alloc *alloc_create(size_t size)
{
    struct alloc *a = map_memory(sizeof *a);
    if (!a)
        return NULL;
    a->granules = size / GRANULE;
    while (a->granules >> a->top_shift >> DIGIT_BITS)
        a->top_shift += DIGIT_BITS;
    if (!pool_create(&a->records, sizeof(struct record), 1024) || !pool_create(&a->nodes, sizeof(struct node), 1024)) {
        alloc_destroy(a);
        return NULL;
    }
    a->live_starts = index_create(a);
    a->use_borders = index_create(a);
    if (a->granules) {
        a->last = pool_take(&a->records);
        *record(a, a->last) = (struct record){.length = a->granules};
        free_list_add(a, a->last);
    }
    return a;
}

void alloc_destroy(struct alloc *a)
{
    if (!a)
        return;
    if (a->records.memory)
        munmap(a->records.memory, a->records.element * a->records.capacity);
    if (a->nodes.memory)
        munmap(a->nodes.memory, a->nodes.element * a->nodes.capacity);
    munmap(a, sizeof *a);
}

size_t alloc_take(struct alloc *a, size_t bytes, size_t align)
{
    uint64_t length = granules_of(bytes), step = align > GRANULE ? align / GRANULE : 1;
    if (bytes == 0 || length > a->granules || !make_room(a))
        return ALLOC_NONE;
    uint32_t i = find_fit(a, length, step);
    if (!i)
        return ALLOC_NONE;

    free_list_remove(a, i);
    uint64_t gap = round_up(record(a, i)->start, step) - record(a, i)->start;
    if (gap) {
        uint32_t front = i;
        i = split(a, front, gap);
        free_list_add(a, front);
    }
    if (record(a, i)->length > length)
        free_list_add(a, split(a, i, length));
    uint64_t start = record(a, i)->start;
    record(a, i)->bytes = bytes;
    index_set(a, a->live_starts, start, i);
    mark_used(a, start, length);
    count_live(a, 0, bytes);
    return start * GRANULE;
}

int alloc_give(struct alloc *a, size_t offset)
{
    uint32_t i = live_block_at(a, offset);
    if (!i)
        return -1;
    index_clear(a, a->live_starts, record(a, i)->start);
    count_live(a, record(a, i)->bytes, 0);
    set_free(a, i);
    return 0;
}

int alloc_resize(struct alloc *a, size_t offset, size_t bytes)
{
    uint32_t i = live_block_at(a, offset);
    uint64_t length = granules_of(bytes);
    if (!i || bytes == 0 || !make_room(a))
        return -1;
    uint32_t after = record(a, i)->after;
    uint64_t reach = record(a, i)->length + (is_free(a, after) ? record(a, after)->length : 0);
    if (length > reach)
        return -1;

    if (length > record(a, i)->length) {
        free_list_remove(a, after);
        absorb_next(a, i);
        mark_used(a, record(a, i)->start, length);
    }
    if (length < record(a, i)->length)
        set_free(a, split(a, i, length));
    count_live(a, record(a, i)->bytes, bytes);
    record(a, i)->bytes = bytes;
    return 0;
}

enum alloc_state alloc_find(const struct alloc *a, size_t offset, size_t *start, size_t *bytes)
{
    uint64_t granule = offset / GRANULE, run_start;
    uint32_t i = live_block(a, granule);
    if (i) {
        if (start)
            *start = record(a, i)->start * GRANULE;
        if (bytes)
            *bytes = record(a, i)->bytes;
        return ALLOC_LIVE;
    }
    return granule < a->granules && used_at(a, granule, &run_start) ? ALLOC_FREED : ALLOC_NEVER;
}

size_t alloc_top(const struct alloc *a)
{
    uint32_t i = a->last;
    if (is_free(a, i))
        i = record(a, i)->before; /* free neighbours are one block, so this one is live */
    return i ? record(a, i)->start * GRANULE + record(a, i)->bytes : 0;
}

bool alloc_starved(const struct alloc *a)
{
    return a->starved;
}

size_t alloc_largest(const struct alloc *a)
{
    if (!a->rows)
        return 0;
    const unsigned row = highest_bit(a->rows), class = row * ROW_LISTS + highest_bit(a->row_lists[row]);
    uint64_t largest = 0;
    for (uint32_t i = a->heads[class]; i; i = record(a, i)->list_next)
        largest = record(a, i)->length > largest ? record(a, i)->length : largest;
    return largest * GRANULE;
}

size_t alloc_live(const struct alloc *a)
{
    return a->live;
}

size_t alloc_peak(const struct alloc *a)
{
    return a->peak;
}
