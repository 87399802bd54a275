/* What strided transfers share with contiguous ones: blocks that are the provider's to move. */
#ifndef COPAL_NET_RMA_H
#define COPAL_NET_RMA_H

#include "net/context.h"

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
             enum net_mode mode, const char *routine);
void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
             enum net_mode mode, const char *routine);

#endif
