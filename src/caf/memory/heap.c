/* The managed heap (teams paper, section III-A): one block of the symmetric heap, allocated at start, in three parts.
 *
 * The first part goes to malloc (arena.c), if malloc accepts it.  The second serves the initial team, its coarrays and
 * the runtime's own symmetric memory, and allocations of this image alone.  The third serves the other teams; END TEAM
 * frees their memory.  Symmetric memory comes from the top of a part, an image's own from the bottom
 * (src/common/alloc.h): symmetric memory is the same on all images, however much each allocates for itself.
 *
 * Images of a team allocate in the same order, and so at corresponding addresses without communication.  If memory is
 * exhausted on one image, all receive the status in the synchronization of ALLOCATE.  Without stat=, the image ends
 * the job, so the SYNC ALL that gfortran adds is enough.  The same synchronization passes the size to the next
 * image, and so detects images that allocate different sizes. */
#include "heap.h"
#include "../../common/alloc.h"
#include "../caf.h"
#include "../settings.h"
#include "arena.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

char *caf_heap;
size_t caf_heap_bytes;

/* The library's own thread allocates too, when another image requests it (lent.c). */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { UNIT = ALLOC_GRANULE, ARENA_UNIT = 32 << 20 };
#define MOST ((size_t)1 << 40)  /* largest heap */
#define LEAST ((size_t)2 << 20) /* smallest heap, roughly */
enum { CORE_UNIT = 2 << 20, CORE_ARENA = 256 << 20 }; /* core dumps: granularity; bytes of the arena */

struct part {
    char *start, *end;
    struct alloc *blocks; /* offsets from start */
    uintptr_t in_core_to, in_core_from; /* a core dump contains what is below the first and above the second */
};
static struct part initial_part, other_part, *current_part = &initial_part;

static uintptr_t round_down(const char *at, uintptr_t unit)
{
    return (uintptr_t)at / unit * unit;
}

static void check_records(const struct alloc *blocks)
{
    if (!blocks || alloc_starved(blocks))
        caf_fatal("managed heap: no memory for the records of its slots");
}

static void part_begin(struct part *p, char *start, size_t bytes)
{
    *p = (struct part){.start = start, .end = start + bytes, .in_core_to = round_down(start, CORE_UNIT),
                       .in_core_from = round_down(start + bytes, CORE_UNIT) + CORE_UNIT,
                       .blocks = alloc_create(bytes, ALLOC_BOTH_ENDS)};
    check_records(p->blocks);
}

/* A core dump contains only what has ever been allocated: the kernel would allocate the rest in order to write it. */
static void put_in_core(uintptr_t from, uintptr_t to)
{
    madvise((void *)from, to - from, MADV_DODUMP);
}

static void *take_from_top(struct part *p, size_t bytes)
{
    const size_t offset = alloc_take_from_top(p->blocks, bytes);
    check_records(p->blocks);
    if (offset == ALLOC_NONE)
        return NULL;
    const uintptr_t from = round_down(p->start + offset, CORE_UNIT);
    if (from < p->in_core_from) {
        put_in_core(from, p->in_core_from);
        p->in_core_from = from;
    }
    return p->start + offset;
}

static void *take_from_bottom(struct part *p, size_t bytes)
{
    const size_t offset = alloc_take(p->blocks, bytes, UNIT);
    check_records(p->blocks);
    if (offset == ALLOC_NONE)
        return NULL;
    const uintptr_t to = round_down(p->start + offset + bytes + UNIT, CORE_UNIT) + CORE_UNIT;
    if (to > p->in_core_to) {
        put_in_core(p->in_core_to, to);
        p->in_core_to = to;
    }
    return p->start + offset;
}

/* --- interface ---------------------------------------------------------------------------------------------------- */

/* A block of that size, if an eighth of it remains for SHCOLL and for the program's shmem_malloc. */
static void *reserve(size_t bytes)
{
#if CAF_HAVE_ALERTS /* <shmemx.h>: a failing attempt would be reported to the user */
    if (bytes + bytes / 8 + 4 * UNIT > shmemx_largest_block())
        return NULL;
#endif
    void *block = shmem_align(UNIT, bytes), *rest = block ? shmem_align(UNIT, bytes / 8) : NULL;
    shmem_free(rest);
    if (block && !rest)
        shmem_free(block);
    return rest ? block : NULL;
}

/* The output of SHMEM_INFO. */
static void tell_of_components(void)
{
    if (!caf_info_wanted())
        return;
    const bool small = caf_arena_serves(4096), large = caf_arena_serves((size_t)48 << 20);
    printf("Coarrays\n  %zu MiB of the symmetric heap\n  what allocatable and pointer components %s\n",
           caf_heap_bytes >> 20, large ? "point to is in it too" : small ? "point to, up to 32 MiB each, is in it too" :
           "point to is not in it: other images access it through the operating system");
    caf_print_settings();
    putchar('\n');
}

/* A heap's parts for malloc and for teams other than the initial one. Below 86 MiB malloc gets no part. */
static void divide(size_t bytes, size_t *arena, size_t *others)
{
    const size_t share = bytes < (size_t)4 << 30 ? bytes / 8 * 3 : bytes / 4;
    *arena = share / ARENA_UNIT * ARENA_UNIT;
    *others = bytes / 8;
}

/* Heaps have sizes of n/8 of a power of two, n from 5 to 8. 0: none is smaller. */
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
    if (given) /* malloc does not say how much it uses, but begins at the lower end */
        put_in_core(first, round_down(caf_heap + (arena < CORE_ARENA ? arena : CORE_ARENA), CORE_UNIT));
    part_begin(&initial_part, caf_heap + (given ? arena : 0), bytes - others - (given ? arena : 0));
    part_begin(&other_part, caf_heap + bytes - others, others);
    tell_of_components();
}

void caf_heap_serve(bool initial_team)
{
    current_part = initial_team ? &initial_part : &other_part;
}

/* Simulates reserve() and caf_heap_begin(): the next larger heap whose part has space for what is allocated in this
 * part and for bytes more. Always larger than now, because another image may have exhausted its memory. */
const char *caf_heap_advice(size_t bytes)
{
    static _Thread_local char text[200];
    const struct part *p = current_part;
    const size_t wanted = (size_t)(p->end - p->start) - alloc_largest(p->blocks) + 4 * UNIT + bytes;
    size_t heap = 0, arena, others, part = SIZE_MAX;
    for (size_t next = MOST; bytes < MOST && next > caf_heap_bytes && part >= wanted; next = next_smaller(next)) {
        divide(next, &arena, &others);
        part = p == &other_part ? others : next - arena - others;
        heap = part >= wanted ? next : heap;
    }
    if (!heap)
        return "no SHMEM_SYMMETRIC_SIZE would be large enough";
    heap = ((heap + heap / 8) >> 20) + 1; /* OpenSHMEM's heap, in MiB */
#if CAF_HAVE_ALERTS /* <shmemx.h> */
    shmemx_heap_advice(heap, text, sizeof text);
#else
    snprintf(text, sizeof text, "SHMEM_SYMMETRIC_SIZE=%zum would do", heap);
#endif
    return text;
}

static void *allocate(struct part *p, void *(*take)(struct part *p, size_t bytes), size_t bytes)
{
    pthread_mutex_lock(&lock);
    void *memory = take(p, bytes ? bytes : 1);
    pthread_mutex_unlock(&lock);
    return memory;
}

void *caf_heap_allocate(size_t bytes)
{
    return allocate(current_part, take_from_top, bytes);
}

void *caf_heap_allocate_alone(size_t bytes)
{
    return allocate(&initial_part, take_from_bottom, bytes);
}

bool caf_heap_holds(const void *p)
{
    return p >= (void *)initial_part.start && p < (void *)other_part.end;
}

static struct part *part_of(const void *memory)
{
    return memory < (void *)other_part.start ? &initial_part : &other_part;
}

bool caf_heap_begins(const void *memory)
{
    const struct part *p = part_of(memory);
    const size_t offset = (size_t)((const char *)memory - p->start);
    size_t start;
    pthread_mutex_lock(&lock);
    const bool begins = alloc_find(p->blocks, offset, &start, NULL) == ALLOC_LIVE && start == offset;
    pthread_mutex_unlock(&lock);
    return begins;
}

bool caf_heap_free_if_taken(void *memory)
{
    struct part *p = part_of(memory);
    pthread_mutex_lock(&lock);
    const bool was_taken = alloc_give(p->blocks, (size_t)((char *)memory - p->start)) == 0;
    pthread_mutex_unlock(&lock);
    return was_taken;
}

void caf_heap_free(void *memory)
{
    if (memory && !caf_heap_free_if_taken(memory))
        caf_fatal("managed heap: %p was not allocated", memory);
}
