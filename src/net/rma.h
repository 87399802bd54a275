/* Puts and gets that the provider executes; contiguous and strided transfers use the same two functions.
 *
 * Unless the provider keeps order (context_keeps_order), later messages may overtake these puts: a fence or a signal
 * then waits for a flush of the puts.  A NIC's atomics are unordered, too, and a fence always waits for them. */
#pragma once

#include "net/context.h"

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
             enum net_mode mode, const char *routine);
void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
             enum net_mode mode, const char *routine);

/* If net.adapter is set: an atomic that fetches nothing.  If the PE is on this node, the atomic is complete on return,
 * like a processor's atomic; otherwise a quiet waits for it. */
void rma_post_atomic(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value,
                     const char *routine);
/* If net.adapter is set: an atomic on a word of any PE.  *before receives the previous value, unless before is NULL.
 * NET_BLOCKING: the operation is *here, and the caller waits for it (op_wait).  NET_NBI: a quiet waits for it. */
struct op *rma_atomic(struct net_context *c, enum amo op, void *before, int pe, place word, size_t size,
                      uint64_t value, uint64_t cond, enum net_mode mode, struct op *here, const char *routine);
