/* Endpoints: one for each remote port that this port has communicated with. */
#pragma once

#include "net/ofi/ofi.h"

#include "net/endpoints.h"

struct provider_endpoint *ofi_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ofi_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
void endpoint_free_all(struct provider_port *port);
