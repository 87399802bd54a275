/* Puts and gets that the provider executes; contiguous and strided transfers use the same two functions.
 *
 * They are unordered with messages, so a fence or a signal after them waits for their flush.  A fence also waits for a
 * NIC's atomics, which are unordered, too. */
#pragma once

#include "net/context.h"

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
             enum net_mode mode, const char *routine);
void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
             enum net_mode mode, const char *routine);

/* With net.adapter: an atomic that fetches nothing.  If the word is local, the atomic is complete on return, as an
 * atomic by a processor is. */
void rma_post_atomic(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value,
                     const char *routine);
/* With net.adapter: an atomic on a word of any PE; before, unless NULL, receives the previous value.  NET_BLOCKING: the
 * op is stored in *here, and the caller waits for it. NET_NBI: a quiet waits for it. */
struct op *rma_atomic(struct net_context *c, enum amo op, void *before, int pe, place word, size_t size,
                      uint64_t value, uint64_t cond, enum net_mode mode, struct op *here, const char *routine);
