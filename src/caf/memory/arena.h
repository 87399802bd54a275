/* What a coarray's pointer or allocatable component points at is as reachable as the coarray itself.
 *
 * Here: the program's own allocations come from a part of the managed heap, so that they are symmetric memory which the
 * node's peers map.  access/reach.h has the other half, from an address as it was found to that memory. */
#ifndef COPAL_CAF_ARENA_H
#define COPAL_CAF_ARENA_H

#include "../library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on malloc, in all of the program, takes its memory from [start, start + bytes), which is symmetric, as far
 * as it goes.
 *
 * False if it does not: the program was linked without mimalloc or has another malloc before it (a sanitizer's), the
 * OpenSHMEM unmaps its heap while malloc is still in use, or there is less memory than one of mimalloc's segments;
 * then all works as well, and slower.  Once; earlier threads of the program may go on with the memory they have. */
bool caf_arena_begin(void *start, size_t bytes);

extern struct caf_arena {
    uintptr_t from;
    size_t bytes;
} caf_arena CAF_HIDDEN;

/* Whether p lies in memory that malloc was given. (gcc is told that nothing is read there.) */
#if __has_attribute(access)
__attribute__((access(none, 1)))
#endif
static inline bool caf_arena_holds(const void *p)
{
    return (uintptr_t)p - caf_arena.from < caf_arena.bytes;
}

/* A block of so many bytes for one that malloc has given, if that is not from there and another can be had: then it is
 * earlier memory that has been freed, and stays allocated for good, so that nobody is given it again; 16 MiB at most.
 * NULL if there is no memory. */
void *caf_arena_instead(void *block, size_t bytes);

/* How many bytes malloc has given at p, which may be within them; 0: there are none; SIZE_MAX: it cannot be told. */
size_t caf_malloc_bytes(void *p);

/* Whether malloc takes a block of that size from there. */
bool caf_arena_serves(size_t bytes);

#endif
