#pragma once

#include "net/ofi/ofi.h"

/* port: the process's first port, whose address other PEs have.  The memory belongs to it. */
struct provider_memory *memory_open(struct provider_port *port, void *at, size_t bytes, const char **why);
void memory_close(struct provider_memory *memory);
void memory_orphan(struct provider_port *port); /* call before the port is closed */
size_t memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *ofi_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void ofi_key_close(struct provider_key *key);
