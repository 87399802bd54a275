/* The managed heap (teams paper, section III-A): one block of the symmetric heap, taken at start, in three parts.
 *
 * One is given to malloc (arena.c).  Of the other two the first serves the initial team's coarrays and what the runtime
 * allocates for this image alone, the second the coarrays of other teams, which END TEAM frees.  Each is a list of slots, ordered by address, that cover it without gaps; neighbouring
 * empty slots are merged.  Symmetric memory is taken from the top, an image's own from the bottom, and between the two lies
 * the common slot, the last that either can have.  What lies above the common slot is so the same on all images, however
 * much each has allocated for itself below. */
#include "core.h"

#include <stdlib.h>
#include <string.h>

char *caf_heap;
size_t caf_heap_bytes;

enum { UNIT = 64, ARENA_UNIT = 64 << 20 };

struct slot {
    struct slot *below, *above;
    char *start;
    size_t bytes;
    bool taken;
};

struct part {
    struct slot *bottom, *top, *common;
};
static struct part initial_part, other_part;

static struct slot *slot_new(char *start, size_t bytes)
{
    struct slot *s = calloc(1, sizeof *s);
    if (!s)
        caf_fatal("managed heap: no memory for the records of its slots");
    s->start = start;
    s->bytes = bytes;
    return s;
}

static void part_begin(struct part *p, char *start, size_t bytes)
{
    p->bottom = p->top = p->common = slot_new(start, bytes);
}

/* Cuts the empty slot s in two, and returns its upper part, of so many bytes. */
static struct slot *split_off_top(struct part *p, struct slot *s, size_t bytes)
{
    struct slot *upper = slot_new(s->start + s->bytes - bytes, bytes);
    s->bytes -= bytes;
    upper->below = s;
    upper->above = s->above;
    *(s->above ? &s->above->below : &p->top) = upper;
    s->above = upper;
    return upper;
}

static void *take_from_top(struct part *p, size_t bytes)
{
    for (struct slot *s = p->top; s; s = s->below) {
        if (!s->taken && s->bytes >= bytes) {
            /* The common slot stays, be it empty, as the border between the two ends. */
            struct slot *mine = s == p->common || s->bytes > bytes ? split_off_top(p, s, bytes) : s;
            mine->taken = true;
            return mine->start;
        }
        if (s == p->common)
            return NULL;
    }
    return NULL;
}

static void *take_from_bottom(struct part *p, size_t bytes)
{
    for (struct slot *s = p->bottom; s; s = s->above) {
        if (!s->taken && s->bytes >= bytes) {
            if (s == p->common || s->bytes > bytes) {
                struct slot *rest = split_off_top(p, s, s->bytes - bytes);
                if (s == p->common)
                    p->common = rest;
            }
            s->taken = true;
            return s->start;
        }
        if (s == p->common)
            return NULL;
    }
    return NULL;
}

/* Unites s with the slot above it. */
static void unite(struct part *p, struct slot *s)
{
    struct slot *upper = s->above;
    s->bytes += upper->bytes;
    s->above = upper->above;
    *(upper->above ? &upper->above->below : &p->top) = s;
    if (p->common == upper)
        p->common = s;
    free(upper);
}

static bool give_back(struct part *p, char *memory)
{
    if (!p->bottom || memory < p->bottom->start || memory >= p->top->start + p->top->bytes)
        return false;
    struct slot *s = p->top;
    while (s->start != memory) {
        s = s->below;
        if (!s)
            caf_fatal("managed heap: %p was not allocated", (void *)memory);
    }
    s->taken = false;
    if (s->above && !s->above->taken)
        unite(p, s);
    if (s->below && !s->below->taken)
        unite(p, s->below);
    return true;
}

/* --- what others call -------------------------------------------------------------------------------------------------- */

/* The largest power of two that is to be had: what is left of the symmetric heap is for the program's shmem_malloc. */
void caf_heap_begin(void)
{
    size_t bytes = (size_t)1 << 40;
    void *block;
    while (!(block = shmem_align(UNIT, bytes)) && bytes > (size_t)1 << 20)
        bytes /= 2;
    if (!block)
        caf_fatal("start: no memory for the managed heap; a larger symmetric heap (SHMEM_SYMMETRIC_SIZE) would have it");
    caf_heap = block;
    caf_heap_bytes = bytes;
    const size_t others = bytes / 8, arena = bytes * 3 / 8 / ARENA_UNIT * ARENA_UNIT;
    const bool given = caf_arena_begin(caf_heap, arena);
    part_begin(&initial_part, caf_heap + (given ? arena : 0), bytes - others - (given ? arena : 0));
    part_begin(&other_part, caf_heap + bytes - others, others);
}

static size_t whole_units(size_t bytes)
{
    return bytes < UNIT ? UNIT : (bytes + UNIT - 1) / UNIT * UNIT;
}

void *caf_heap_allocate(size_t bytes)
{
    if (bytes > caf_heap_bytes)
        return NULL;
    return take_from_top(caf_current && caf_current->depth ? &other_part : &initial_part, whole_units(bytes));
}

void *caf_heap_allocate_alone(size_t bytes)
{
    return bytes > caf_heap_bytes ? NULL : take_from_bottom(&initial_part, whole_units(bytes));
}

void caf_heap_free(void *memory)
{
    if (memory && !give_back(&initial_part, memory) && !give_back(&other_part, memory))
        caf_fatal("managed heap: %p is outside of it", memory);
}
