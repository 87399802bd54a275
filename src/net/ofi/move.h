/* What is sent, put and got. */
#ifndef COPAL_OFI_MOVE_H
#define COPAL_OFI_MOVE_H

#include "net/ofi/ofi.h"

bool ofi_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
void move_probe(struct provider_endpoint *endpoint, int64_t now); /* in ns: is the peer still there? */
/* What has been lost has no context: if no peer turns out to be gone, none can be relied on. */
void move_lost(struct provider_port *port, int error);
void move_break_all(struct provider_port *port, const char *why);
bool ofi_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ofi_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ofi_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);

#endif
