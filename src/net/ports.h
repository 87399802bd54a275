/* More ports: a private context of a program with several threads may have one of its own, so that its thread meets the
 * others neither at a lock nor in the network's library.
 *
 * Such a port begins operations, and what comes to it is their answers. What other PEs ask goes to net_port, the one
 * that is in this PE's card; so for them nothing is different, but that answers leave by another connection.  Who waits
 * for an answer makes progress at its port (port_awaited), and so does the thread while nobody does (thread.c).
 *
 * Ports stay open until the end: a context that is destroyed leaves its port, connections included, to the next one.
 * With more contexts than ports several share one.
 *
 * Threads gain by it where adapters do the work and each has a processor: on emulated ones the rate of puts grows with
 * the threads, and without it stays that of one (docs/fabric.md).  Here nothing of it is seen: on two cores one thread,
 * and the processor that serves it, keep both busy.  Over TCP, in windows of 64 puts of 8 B with a quiet
 * (bench/programs/rma/threads.c), 1, 2 and 4 threads take .214, .218 and .217 us for a put with ports of their own,
 * .215, .217 and .218 without; for gets of 8 B 11.6 to 11.9 and 12.0 to 12.2, of 64 KiB 23.1 to 24.1 and 23.2 to 23.6.
 * By libfabric's shm, where the getting processor copies, two threads take 9.7 us for 64 KiB with them, 8.2 without.
 * So there are none but where SHMEM_NET_PORTS asks for some. */
#ifndef COPAL_NET_PORTS_H
#define COPAL_NET_PORTS_H

#include "net/peer.h"

/* For a context: the one that the fewest have, of its own if there is still one to be had; net_port if there is to be
 * no other. */
struct port *ports_take(void);
void ports_give(struct port *port);
/* The end of one that has been closed; all others follow. */
void ports_free(struct port *port);

#endif
