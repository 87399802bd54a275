#pragma once

#include <stdbool.h>

/* True if a NIC of this host has RDMA, or UCX_TLS names transports that may have it.  If false, UCX must not offer
 * remote memory: it would emulate it by messages, with which any sender reads and writes any address. */
bool ucx_wants_remote_memory(void);
