/* More ports: in a program with several threads, a private context may have its own port. Its thread then does not
 * contend with other threads for a lock or in the network library.
 *
 * An additional port starts operations, and receives only their replies.  Other PEs send requests only to net_port,
 * whose address this PE publishes; their replies use another connection.  A thread that waits for a reply makes
 * progress at its own port (port_awaited); at other times the progress thread does (thread.c).
 *
 * Ports stay open until the end: when a context is destroyed, the next one takes over its port and connections.  If
 * there are more contexts than ports, contexts share ports.
 *
 * Threads gain by ports of their own if NICs do the work and each thread has a processor: on the emulated network the
 * rate of puts grows with the number of threads only with such ports (docs/fabric.md).  Over TCP on two cores
 * bench/programs/rma/threads.c shows no gain, and with libfabric's shm the threads are slower.  Additional ports are
 * therefore opened only if SHMEM_NET_PORTS is set. */
#pragma once

#include "net/peer.h"

/* The port for a new context: an unused one, else the one with the fewest contexts; net_port if there is no other. */
struct port *ports_take(void);
void ports_give(struct port *port);
/* Frees a closed port.  The caller must then close and free all other additional ports. */
void ports_free(struct port *port);
