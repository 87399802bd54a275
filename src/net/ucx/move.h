#pragma once

#include "net/ucx/ucx.h"

void ucx_begin_to_pack(void); /* once, before all others */
bool ucx_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
bool ucx_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ucx_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ucx_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool ucx_keeps_order(struct provider_endpoint *endpoint);
