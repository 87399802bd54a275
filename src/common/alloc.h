/* The allocator of symmetric memory, for the symmetric heap and for coarrays: it hands out ranges of offsets in
 * [0, size) and never touches the memory that they stand for. Every record lies in private memory outside the range, so
 * no stray put can corrupt the heap's structure.
 *
 * The same sequence of calls gives the same offsets in every process: that is what makes an object symmetric. An offset
 * depends only on which blocks are live, and what is taken from the top not on what is taken from the bottom. So images
 * get the same offsets even if they have been in different teams before, or have allocated for themselves alone. */
#ifndef COPAL_ALLOC_H
#define COPAL_ALLOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ALLOC_NONE SIZE_MAX
#define ALLOC_GRANULE 64 /* blocks begin and end on multiples of it, so two objects never share a cache line */

struct alloc;

enum alloc_ends { ALLOC_BOTTOM, ALLOC_BOTH_ENDS }; /* where blocks are taken from */

struct alloc *alloc_create(size_t size, enum alloc_ends ends); /* NULL when out of memory */
void alloc_destroy(struct alloc *a);

/* A block of bytes > 0 whose offset is a multiple of align, a power of two; ALLOC_NONE when no free range holds it,
 * and then nothing has changed. */
size_t alloc_take(struct alloc *a, size_t bytes, size_t align);

/* The same from the other end of the range. */
size_t alloc_take_from_top(struct alloc *a, size_t bytes);

/* Frees the block that starts at offset: 0, or -1 when no live block does and then nothing has changed. */
int alloc_give(struct alloc *a, size_t offset);

/* Makes the block that starts at offset bytes > 0 long where it is: 0, or -1 when it cannot and then nothing has
 * changed. */
int alloc_resize(struct alloc *a, size_t offset, size_t bytes);

enum alloc_state {
    ALLOC_LIVE,  /* in a live block, or in the unused rest of its last 64 bytes */
    ALLOC_FREED, /* once in a block, free now; or near such memory: of a free range one part at most is NEVER */
    ALLOC_NEVER, /* no block has ever held it, or it lies outside the range */
};

/* What offset is now.  For a live block its start and the bytes asked for are stored (either pointer may be NULL). */
enum alloc_state alloc_find(const struct alloc *a, size_t offset, size_t *start, size_t *bytes);

/* The last operation failed for want of memory for records and not of room: on this PE perhaps alone. */
bool alloc_starved(const struct alloc *a);

size_t alloc_top(const struct alloc *a);  /* one past the last byte of the highest live block; 0 when there is none */
size_t alloc_largest(const struct alloc *a); /* bytes of the largest block that alloc_take could give now */

#endif
