/* The managed heap (teams paper, section III-A): one block of the symmetric heap, taken at start, in three parts.
 *
 * One is given to malloc (arena.c), where malloc takes it.  Of the other two the first serves the initial team, its
 * coarrays and the runtime's own symmetric memory, and what is allocated for this image alone; the second serves the
 * other teams, whose memory END TEAM frees.  Each is a list of slots, ordered by address, that cover it without gaps;
 * neighbouring empty slots are merged.  Symmetric memory is taken from the top, an image's own from the bottom, and
 * between the two lies the common slot, the last that either can have.  What lies above the common slot is so the same
 * on all images, however much each has allocated for itself below.
 *
 * Which slot is taken depends on where slots are, and on nothing that has been before: images that have been in
 * different teams meanwhile, and freed different coarrays there, still choose the same.
 *
 * A tree by address (a treap) finds slots, for a program may have thousands of coarrays.
 *
 * Images of a team allocate in the same order and so at corresponding addresses, without talking. That memory is
 * exhausted on one image alone is told to all before the synchronization that ALLOCATE is; without stat= it ends the
 * job, so that the SYNC ALL is enough which gfortran has follow. The same synchronization tells the next image the
 * size, and so finds images that allocate different ones. */
#include "heap.h"
#include "../caf.h"
#include "../settings.h"
#include "arena.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

char *caf_heap;
size_t caf_heap_bytes;

/* The library's own thread allocates too, where another image asks it to (lent.c). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { UNIT = 64, ARENA_UNIT = 32 << 20 };
#define MOST ((size_t)1 << 40)  /* that a heap has, */
#define LEAST ((size_t)2 << 20) /* and about the least */
enum { CORE_UNIT = 2 << 20, CORE_ARENA = 256 << 20 }; /* in a core dump: in pieces of this size; so much of the arena */

struct slot {
    struct slot *below, *above; /* neighbours */
    struct slot *left, *right;  /* in the tree: lower and higher addresses */
    uint64_t priority;          /* the tree has higher ones nearer to its root */
    size_t largest;             /* the most bytes that one slot of this subtree has to give */
    char *start;
    size_t bytes;
    bool taken, common;
};

struct part {
    char *start, *end;
    struct slot *root, *common;
    uintptr_t in_core_to, in_core_from; /* a core dump has what is below the one and what is above the other */
};
static struct part initial_part, other_part, *current_part = &initial_part;
static struct slot *unused; /* records of slots that are no more, linked by above */

/* --- the tree ----------------------------------------------------------------------------------------------------- */

/* The common slot stays, be it small, as the border between the two ends. */
static size_t room(const struct slot *s)
{
    return s->taken ? 0 : s->common ? s->bytes - UNIT : s->bytes;
}

static void measure(struct slot *s)
{
    s->largest = room(s);
    if (s->left && s->left->largest > s->largest)
        s->largest = s->left->largest;
    if (s->right && s->right->largest > s->largest)
        s->largest = s->right->largest;
}

static struct slot **side(struct slot *s, const char *at)
{
    return at < s->start ? &s->left : &s->right;
}

static void cut(struct slot *s, const char *at, struct slot **lower, struct slot **higher)
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

static struct slot *join(struct slot *lower, struct slot *higher)
{
    if (!lower || !higher)
        return lower ? lower : higher;
    struct slot *root = lower->priority > higher->priority ? lower : higher;
    if (root == lower)
        lower->right = join(lower->right, higher);
    else
        higher->left = join(lower, higher->left);
    measure(root);
    return root;
}

static struct slot *with(struct slot *root, struct slot *s)
{
    if (!root || s->priority > root->priority) {
        cut(root, s->start, &s->left, &s->right);
        root = s;
    } else {
        struct slot **child = side(root, s->start);
        *child = with(*child, s);
    }
    measure(root);
    return root;
}

static struct slot *without(struct slot *root, const struct slot *s)
{
    if (root == s)
        return join(s->left, s->right);
    struct slot **child = side(root, s->start);
    *child = without(*child, s);
    measure(root);
    return root;
}

static struct slot *find(struct slot *root, const char *start)
{
    while (root && root->start != start)
        root = *side(root, start);
    return root;
}

/* The size of s has changed, or whether it is taken: what is above it in the tree is to know. */
static void changed(struct slot *root, const struct slot *s)
{
    if (root != s)
        changed(*side(root, s->start), s);
    measure(root);
}

static struct slot *highest(struct slot *s, size_t bytes)
{
    while (s && s->largest >= bytes) {
        const bool is_right = s->right && s->right->largest >= bytes;
        if (!is_right && room(s) >= bytes)
            return s;
        s = is_right ? s->right : s->left;
    }
    return NULL;
}

static struct slot *lowest(struct slot *s, size_t bytes)
{
    while (s && s->largest >= bytes) {
        const bool is_left = s->left && s->left->largest >= bytes;
        if (!is_left && room(s) >= bytes)
            return s;
        s = is_left ? s->left : s->right;
    }
    return NULL;
}

static uintptr_t round_down(const char *at, uintptr_t unit)
{
    return (uintptr_t)at / unit * unit;
}

/* --- slots -------------------------------------------------------------------------------------------------------- */

static struct slot *slot_new(struct part *p, char *start, size_t bytes, bool common)
{
    struct slot *s = unused ? unused : malloc(sizeof *s);
    if (!s)
        caf_fatal("managed heap: no memory for the records of its slots");
    unused = s == unused ? s->above : NULL;
    *s = (struct slot){.start = start, .bytes = bytes, .common = common,
                       .priority = (uintptr_t)start / UNIT * 0x9e3779b97f4a7c15};
    p->root = with(p->root, s);
    return s;
}

static void part_begin(struct part *p, char *start, size_t bytes)
{
    *p = (struct part){.start = start, .end = start + bytes, .in_core_to = round_down(start, CORE_UNIT),
                       .in_core_from = round_down(start + bytes, CORE_UNIT) + CORE_UNIT};
    p->common = slot_new(p, start, bytes, true);
}

/* Cuts the empty slot s in two, and returns its upper part, of so many bytes.  To be followed by changed() of s. */
static struct slot *split_off_top(struct part *p, struct slot *s, size_t bytes, bool is_common)
{
    s->bytes -= bytes;
    struct slot *upper = slot_new(p, s->start + s->bytes, bytes, is_common);
    upper->below = s;
    upper->above = s->above;
    if (s->above)
        s->above->below = upper;
    s->above = upper;
    return upper;
}

/* What a core dump has of the block: all that has ever been taken, and no more, since the kernel would allocate the
 * rest in order to write it. */
static void put_in_core(uintptr_t from, uintptr_t to)
{
    madvise((void *)from, to - from, MADV_DODUMP);
}

static void *take(struct part *p, struct slot *s)
{
    const uintptr_t from = round_down(s->start, CORE_UNIT), to = round_down(s->start + s->bytes, CORE_UNIT) + CORE_UNIT;
    s->taken = true;
    changed(p->root, s);
    if (s->start > p->common->start && from < p->in_core_from) {
        put_in_core(from, p->in_core_from);
        p->in_core_from = from;
    } else if (s->start < p->common->start && to > p->in_core_to) {
        put_in_core(p->in_core_to, to);
        p->in_core_to = to;
    }
    return s->start;
}

static void *take_from_top(struct part *p, size_t bytes)
{
    struct slot *s = highest(p->root, bytes);
    if (!s || s->start < p->common->start)
        return NULL;
    if (s->bytes == bytes)
        return take(p, s);
    struct slot *mine = split_off_top(p, s, bytes, false);
    changed(p->root, s);
    return take(p, mine);
}

static void *take_from_bottom(struct part *p, size_t bytes)
{
    struct slot *s = lowest(p->root, bytes);
    if (!s || s->start > p->common->start)
        return NULL;
    if (s->bytes > bytes) {
        struct slot *rest = split_off_top(p, s, s->bytes - bytes, s->common);
        if (s->common)
            p->common = rest;
        s->common = false;
    }
    return take(p, s);
}

/* Unites s with the slot above it, both empty.  To be followed by changed(). */
static void unite(struct part *p, struct slot *s)
{
    struct slot *upper = s->above;
    if (upper->common)
        p->common = s;
    s->common |= upper->common;
    p->root = without(p->root, upper);
    s->bytes += upper->bytes;
    s->above = upper->above;
    if (s->above)
        s->above->below = s;
    upper->above = unused;
    unused = upper;
}

static void give_back(struct part *p, struct slot *s)
{
    s->taken = false;
    if (s->above && !s->above->taken)
        unite(p, s);
    if (s->below && !s->below->taken)
        unite(p, s = s->below);
    changed(p->root, s);
}

/* --- what others call --------------------------------------------------------------------------------------------- */

/* A block of that size, if an eighth of it is left for SHCOLL and for the program's shmem_malloc. */
static void *reserve(size_t bytes)
{
#if CAF_HAVE_ALERTS /* <shmemx.h>: or each attempt would be reported to the user */
    if (bytes + bytes / 8 + 4 * UNIT > shmemx_largest_block())
        return NULL;
#endif
    void *block = shmem_align(UNIT, bytes), *rest = block ? shmem_align(UNIT, bytes / 8) : NULL;
    shmem_free(rest);
    if (block && !rest)
        shmem_free(block);
    return rest ? block : NULL;
}

/* For those who ask, by SHMEM_INFO. */
static void tell_of_components(void)
{
    if (!caf_info_wanted())
        return;
    const bool small = caf_arena_serves(4096), large = caf_arena_serves((size_t)48 << 20);
    printf("Coarrays\n  %zu MiB of the symmetric heap\n  what allocatable and pointer components %s\n",
           caf_heap_bytes >> 20, large ? "point at is in it too" : small ? "point at, up to 32 MiB each, is in it too" :
           "point at is not in it: other images reach it through the operating system");
    caf_print_settings();
    putchar('\n');
}

/* A heap of so many bytes: how much of it is for malloc and for other teams than the initial one.  A quarter for
 * malloc; of a small heap more, as malloc uses no memory of less than some 100 MiB well. */
static void divide(size_t bytes, size_t *arena, size_t *others)
{
    const size_t share = bytes < (size_t)4 << 30 ? bytes / 8 * 3 : bytes / 4;
    *arena = share / ARENA_UNIT * ARENA_UNIT;
    *others = bytes / 8;
}

/* The sizes that a heap may have: powers of two, or so many eighths of one.  0: there is none below. */
static size_t next_smaller(size_t bytes)
{
    size_t most = LEAST;
    while (most < bytes)
        most *= 2;
    const size_t smaller = bytes - most / 8;
    return smaller > most / 2 ? smaller : most > LEAST ? most / 2 : 0;
}

void caf_heap_begin(void)
{
    void *block = NULL;
    size_t bytes = MOST, arena, others;
    while (bytes && !(block = reserve(bytes)))
        bytes = next_smaller(bytes);
    if (!block)
        caf_fatal("start: no memory for coarrays; SHMEM_SYMMETRIC_SIZE=16m would do");
    caf_heap = block;
    caf_heap_bytes = bytes;
    divide(bytes, &arena, &others);
    const uintptr_t first = round_down(caf_heap, CORE_UNIT) + CORE_UNIT;
    madvise((void *)first, round_down(caf_heap + bytes, CORE_UNIT) - first, MADV_DONTDUMP);
    const bool given = caf_arena_begin(caf_heap, arena);
    if (given) /* malloc does not say how far it has come, but begins at the lower end */
        put_in_core(first, round_down(caf_heap + (arena < CORE_ARENA ? arena : CORE_ARENA), CORE_UNIT));
    part_begin(&initial_part, caf_heap + (given ? arena : 0), bytes - others - (given ? arena : 0));
    part_begin(&other_part, caf_heap + bytes - others, others);
    tell_of_components();
}

void caf_heap_serve(bool initial_team)
{
    current_part = initial_team ? &initial_part : &other_part;
}

/* As reserve() and caf_heap_begin() would go about it: the next larger heap whose part would have what is taken of this
 * one's and so many bytes more.  Larger than now in any case, for it may be another image that has no memory. */
const char *caf_heap_advice(size_t bytes)
{
    static _Thread_local char text[64];
    const struct part *p = current_part;
    const size_t wanted = (size_t)(p->end - p->start) - p->root->largest + 4 * UNIT + bytes;
    size_t heap = 0, arena, others, part = SIZE_MAX;
    for (size_t next = MOST; bytes < MOST && next > caf_heap_bytes && part >= wanted; next = next_smaller(next)) {
        divide(next, &arena, &others);
        part = p == &other_part ? others : next - arena - others;
        heap = part >= wanted ? next : heap;
    }
    if (!heap)
        return "it is more than any SHMEM_SYMMETRIC_SIZE would have";
    snprintf(text, sizeof text, "SHMEM_SYMMETRIC_SIZE=%zum would have it", ((heap + heap / 8) >> 20) + 1);
    return text;
}

static size_t whole_units(size_t bytes)
{
    return bytes < UNIT ? UNIT : (bytes + UNIT - 1) / UNIT * UNIT;
}

void *caf_heap_allocate(size_t bytes)
{
    if (bytes > caf_heap_bytes)
        return NULL;
    pthread_mutex_lock(&lock);
    void *memory = take_from_top(current_part, whole_units(bytes));
    pthread_mutex_unlock(&lock);
    return memory;
}

void *caf_heap_allocate_alone(size_t bytes)
{
    if (bytes > caf_heap_bytes)
        return NULL;
    pthread_mutex_lock(&lock);
    void *memory = take_from_bottom(&initial_part, whole_units(bytes));
    pthread_mutex_unlock(&lock);
    return memory;
}

bool caf_heap_holds(const void *p)
{
    return p >= (void *)initial_part.start && p < (void *)other_part.end;
}

static struct part *part_of(const void *memory)
{
    return memory < (void *)other_part.start ? &initial_part : &other_part;
}

static struct slot *find_taken(const void *memory)
{
    struct slot *s = find(part_of(memory)->root, memory);
    return s && s->taken ? s : NULL;
}

bool caf_heap_begins(const void *memory)
{
    pthread_mutex_lock(&lock);
    const bool begins = find_taken(memory) != NULL;
    pthread_mutex_unlock(&lock);
    return begins;
}

bool caf_heap_free_if_taken(void *memory)
{
    pthread_mutex_lock(&lock);
    struct slot *s = find_taken(memory);
    if (s)
        give_back(part_of(memory), s);
    pthread_mutex_unlock(&lock);
    return s != NULL;
}

void caf_heap_free(void *memory)
{
    if (memory && !caf_heap_free_if_taken(memory))
        caf_fatal("managed heap: %p was not allocated", memory);
}
