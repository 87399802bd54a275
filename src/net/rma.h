/* What strided transfers share with contiguous ones: blocks that are the provider's to move.
 *
 * The provider's puts and gets are in no order with messages, so a fence or a signal that follows them waits for their
 * flush. */
#ifndef COPAL_NET_RMA_H
#define COPAL_NET_RMA_H

#include "net/context.h"

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
             enum net_mode mode, const char *routine);
void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
             enum net_mode mode, const char *routine);

#endif
