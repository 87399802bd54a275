/* Endpoints: one for each port of other processes that this one has talked to. */
#ifndef COPAL_OFI_ENDPOINT_H
#define COPAL_OFI_ENDPOINT_H

#include "net/ofi/ofi.h"

/* The latest that leads there, or NULL: a broken one may be followed by another. */
struct provider_endpoint *endpoint_find(const struct provider_port *port, uint64_t id);
struct provider_endpoint *ofi_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ofi_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
bool endpoint_start(struct provider_port *port); /* the table of them; false: no memory */
void endpoint_free_all(struct provider_port *port);

#endif
