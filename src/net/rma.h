/* The provider's puts and gets, which strided and contiguous transfers share.
 *
 * They are unordered with messages, so a fence or a signal after them waits for their flush.  Operations after a NIC's
 * atomics likewise wait for these to complete. */
#ifndef COPAL_NET_RMA_H
#define COPAL_NET_RMA_H

#include "net/context.h"

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
             enum net_mode mode, const char *routine);
void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
             enum net_mode mode, const char *routine);

/* With net.adapter: an atomic that fetches nothing.  On a local word it is complete on return, as a processor's is. */
void rma_post_atomic(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value,
                     const char *routine);
/* With net.adapter: an atomic on a word of any PE; before, unless NULL, receives the previous value.  NET_BLOCKING: the
 * caller waits for the op, which is *here; NET_NBI: a quiet does. */
struct op *rma_atomic(struct net_context *c, enum amo op, void *before, int pe, place word, size_t size,
                      uint64_t value, uint64_t cond, enum net_mode mode, struct op *here, const char *routine);

#endif
