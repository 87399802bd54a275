#pragma once

#include "net/ofi/ofi.h"

bool ofi_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
void move_probe(struct provider_endpoint *endpoint, int64_t now); /* tests whether the peer is alive; now in ns */
/* Call when a message without context is lost.  If no peer proves to be dead, no endpoint is reliable: all break. */
void move_lost(struct provider_port *port, int error);
void move_break_all(struct provider_port *port, const char *why);
bool ofi_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ofi_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ofi_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
