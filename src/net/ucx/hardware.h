/* Whether anything here could read and write others' memory. */
#ifndef COPAL_UCX_HARDWARE_H
#define COPAL_UCX_HARDWARE_H

#include <stdbool.h>

/* An adapter of this host has it done by its own hardware, or the user names transports that might (UCX_TLS).  Else
 * UCX is not asked for remote memory: it would have its own messages read and write any address for whoever sends
 * them. */
bool ucx_wants_remote_memory(void);

#endif
