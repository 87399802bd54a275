/* The program's own allocations come from a part of the managed heap: the targets of a coarray's components are then in
 * symmetric memory, which the other PEs of the node map, like the coarray itself. access/reach.h finds a target by its
 * address. */
#pragma once

#include "../library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on malloc, in the whole program, takes its memory from [start, start + bytes), which is symmetric, until
 * that is exhausted.
 *
 * False if malloc cannot: the program is linked without mimalloc or with another malloc before it (a sanitizer's),
 * the OpenSHMEM unmaps its heap while malloc is still in use, or there is less memory than one of mimalloc's segments.
 * Accesses then are slower.  Called once; earlier threads of the program may keep the memory that they have. */
bool caf_arena_begin(void *start, size_t bytes);

extern struct caf_arena {
    uintptr_t from;
    size_t bytes;
} caf_arena CAF_HIDDEN;

/* Whether p lies in the arena. (The attribute tells gcc that p is not read.) */
#if __has_attribute(access)
__attribute__((access(none, 1)))
#endif
static inline bool caf_arena_holds(const void *p)
{
    return (uintptr_t)p - caf_arena.from < caf_arena.bytes;
}

/* Replaces a block from malloc by one of its size in the arena, if possible; up to 16 MiB of earlier memory then stay
 * allocated permanently. Otherwise returns a block outside the arena; NULL: memory exhausted. */
void *caf_arena_instead(void *block, size_t bytes);

/* The size of malloc's block that contains p; 0: none; SIZE_MAX: unknown. */
size_t caf_malloc_bytes(void *p);

/* Whether malloc takes a block of that size from the arena. */
bool caf_arena_serves(size_t bytes);
