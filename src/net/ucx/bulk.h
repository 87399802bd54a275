/* Puts and gets as active messages, for endpoints whose transports have no remote memory access (TCP). UCX's own
 * emulation would copy all data twice at each end. */
#pragma once

#include "net/ucx/ucx.h"

bool ucx_bulk_receive(struct provider_port *port); /* once per port: sets the handlers */
bool ucx_bulk_put(struct provider_endpoint *endpoint, uint64_t remote, const void *source, size_t bytes,
                  const void *message, size_t message_bytes, provider_done *done, void *arg);
bool ucx_bulk_get(struct provider_endpoint *endpoint, uint64_t remote, void *dest, size_t bytes, provider_done *done,
                  void *arg);
bool ucx_bulk_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
