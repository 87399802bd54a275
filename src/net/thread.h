/* The thread that makes progress while no thread of the program does.
 *
 * A large nonblocking operation overlaps with the program: the thread starts the puts, which over TCP takes nearly as
 * long as the put itself, and stays off the program's processor for that time.  It is woken if net_tune.later bytes are
 * outstanding: less goes through the sockets' buffers by itself, and waking costs more than it saves. */
#ifndef COPAL_NET_THREAD_H
#define COPAL_NET_THREAD_H

#include "net/port.h"

bool thread_start(void);        /* false: SHMEM_PROGRESS=none */
void thread_start_anyway(void); /* if it does not run */
void thread_stop(void);

/* A record waits to be sent, and the program may not return to it soon. */
void thread_kick(struct port *port);
/* thread_kick would wake it. */
bool thread_sleeps(void);
/* A large operation has been posted at the provider, or is to be, and the program may compute now; without the lock. */
void thread_urge(struct port *port, bool posted);
/* The thread runs, and most likely has a processor. */
bool thread_serves(void);

#endif
