/* More ports: in a program with several threads a private context may have a port of its own, so that its thread does
 * not contend with others for a lock or in the network's library.
 *
 * Such a port starts operations, and receives only their replies.  Other PEs send requests to net_port, whose address
 * this PE publishes; they only see replies on another connection.  A thread that waits for a reply makes progress at
 * its own port (port_awaited); at other times the progress thread does (thread.c).
 *
 * Ports stay open until the end: when a context is destroyed, the next one takes over its port and connections.  If
 * there are more contexts than ports, contexts share ports.
 *
 * Threads gain by ports of their own if NICs do the work and each thread has a processor: on the emulated network the
 * rate of puts grows with the threads, and without these ports it does not (docs/fabric.md).  Over TCP on two cores
 * bench/programs/rma/threads.c shows no gain, and with libfabric's shm they are slower.  They are therefore opened only
 * if SHMEM_NET_PORTS asks for them. */
#ifndef COPAL_NET_PORTS_H
#define COPAL_NET_PORTS_H

#include "net/peer.h"

/* The port for a new context: an unused one, else that with the fewest contexts; net_port if there are no others. */
struct port *ports_take(void);
void ports_give(struct port *port);
/* Frees a port that has been closed; all other additional ports must follow. */
void ports_free(struct port *port);

#endif
