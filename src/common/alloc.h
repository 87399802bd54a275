/* The allocator of symmetric memory, for the symmetric heap and for coarrays: it allocates ranges of offsets in
 * [0, size) and never accesses the memory at these offsets. Its records are in private memory, so no stray put can
 * corrupt them.
 *
 * The same sequence of calls gives the same offsets in every process, so objects are symmetric. An offset depends only
 * on which blocks are live; an offset taken from the top does not depend on blocks at the bottom. Images therefore get
 * the same offsets even if they were in different teams before, or have allocated at the bottom on their own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALLOC_NONE SIZE_MAX
#define ALLOC_GRANULE 64 /* blocks begin and end on multiples of it, so two objects never share a cache line */

struct alloc;

enum alloc_ends { ALLOC_BOTTOM, ALLOC_BOTH_ENDS }; /* where blocks are taken from */

struct alloc *alloc_create(size_t size, enum alloc_ends ends); /* NULL when out of memory */
void alloc_destroy(struct alloc *a);

/* Takes a block of bytes > 0 whose offset is a multiple of align, a power of two. If no free range holds it, returns
 * ALLOC_NONE and changes nothing. */
size_t alloc_take(struct alloc *a, size_t bytes, size_t align);

/* The same from the other end of the range, at a multiple of ALLOC_GRANULE. */
size_t alloc_take_from_top(struct alloc *a, size_t bytes);

/* Frees the live block that starts at offset: returns 0, or -1 if there is none. */
int alloc_give(struct alloc *a, size_t offset);

/* Resizes the block that starts at offset, in place, to bytes > 0. Returns 0; or -1, and then nothing has changed. */
int alloc_resize(struct alloc *a, size_t offset, size_t bytes);

enum alloc_state {
    ALLOC_LIVE,  /* in a live block, or in the unused rest of its last 64 bytes */
    ALLOC_FREED, /* free, and a block may have held it: each free block records only one part that is ALLOC_NEVER */
    ALLOC_NEVER, /* no block has ever held it, or it lies outside the range */
};

/* The state of an offset. For a live block, stores its start and requested bytes (either pointer may be NULL). */
enum alloc_state alloc_find(const struct alloc *a, size_t offset, size_t *start, size_t *bytes);

/* The last operation failed for lack of memory for records, perhaps on this PE only; not for lack of space. */
bool alloc_starved(const struct alloc *a);

size_t alloc_top(const struct alloc *a);  /* one past the last byte of the highest live block; 0 when there is none */
size_t alloc_largest(const struct alloc *a); /* bytes of the largest block that alloc_take could give now */
