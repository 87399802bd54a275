/* The heap's segments.  Each is registered on first use by another PE, as registration may pin memory.
 *
 * The first segment has net_tune.reach bytes, and its key is in the PE's contact information.  Each further segment is
 * as large as all segments before it, so few keys cover any heap, and at most twice the used memory is pinned.  A PE
 * that needs a segment requests its key (RECORD_KEY, rma.c). */
#pragma once

#include "net/tune.h"
#include "node/node.h"

enum { REGION_PIECES = 64, REGION_KEY_BYTES = 512 };

/* The segment that contains this offset; the offset of a segment's end. */
INLINE unsigned region_piece(uint64_t offset)
{
    return offset < net_tune.reach
               ? 0 : 64 - (unsigned)__builtin_clzll(offset >> __builtin_ctzll(net_tune.reach));
}
INLINE uint64_t region_end(unsigned piece)
{
    return (uint64_t)net_tune.reach << piece;
}

/* How many of the bytes from `at` on have the same key. */
INLINE size_t region_part(place at, size_t bytes)
{
    const uint64_t left = at & PLACE_DATA ? bytes : region_end(region_piece(at)) - at;
    return left < bytes ? (size_t)left : bytes;
}

/* The key to this PE's segment, and its size; with the port's lock.  Registers the segment, or ends the job. */
size_t region_key(unsigned piece, void *to, size_t room);

/* Whether this PE's heap has such a segment. */
bool region_has(uint64_t piece);

void region_close_all(void);

/* Ends the job with an error and advice when memory cannot be registered; why is the network's text. */
_Noreturn void region_refused(const char *what, size_t bytes, const char *why) __attribute__((cold));
