#ifndef COPAL_UCX_HARDWARE_H
#define COPAL_UCX_HARDWARE_H

#include <stdbool.h>

/* A NIC of this host has RDMA, or the user names transports that might (UCX_TLS).  Otherwise UCX must not offer remote
 * memory: it would emulate it by messages that read and write any address for any sender. */
bool ucx_wants_remote_memory(void);

#endif
