/* The heap segment as the network knows it: in pieces, of which each is opened to others when one of them first needs
 * it.  To open memory may be to pin it, and most of a heap is never used.
 *
 * The first piece has net_tune.reach bytes, and its key is in the card; each other is as large as all before it, so
 * that few keys lead to any heap, and at most as much again is pinned as is in use. Who needs a piece asks for its key
 * (RECORD_KEY, rma.c). */
#ifndef COPAL_NET_REGION_H
#define COPAL_NET_REGION_H

#include "net/tune.h"
#include "node/node.h"

enum { REGION_PIECES = 64, REGION_KEY_BYTES = 512 };

/* Which piece has this offset of the segment, and where a piece ends. */
INLINE unsigned region_piece(uint64_t offset)
{
    return offset < net_tune.reach
               ? 0 : 64 - (unsigned)__builtin_clzll(offset >> __builtin_ctzll(net_tune.reach));
}
INLINE uint64_t region_end(unsigned piece)
{
    return (uint64_t)net_tune.reach << piece;
}

/* Of [at, at + bytes), how many bytes have one key. */
INLINE size_t region_part(place at, size_t bytes)
{
    const uint64_t left = at & PLACE_DATA ? bytes : region_end(region_piece(at)) - at;
    return left < bytes ? (size_t)left : bytes;
}

/* The key to this PE's piece, which it opens if it has not, with the port's lock; its size. Ends the job with a
 * sentence if it cannot. */
size_t region_key(unsigned piece, void *to, size_t room);

/* Whether this PE has such a piece. */
bool region_has(uint64_t piece);

void region_close_all(void);

/* What to say and to do where memory cannot be opened: why is the network's word for it. */
_Noreturn void region_refused(const char *what, size_t bytes, const char *why) __attribute__((cold));

#endif
