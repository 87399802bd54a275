/* The thread that makes progress while none of the program's does.
 *
 * A large nonblocking operation goes on beside the program: the thread begins the puts, which takes over TCP nearly as
 * long as the put itself, and for that time keeps off the processor where the program computes. It is woken for
 * net_tune.later bytes under way: less goes into the sockets' buffers and on from there, and to wake it costs more than
 * it saves. For small things it stays on its PE's own processors: to interrupt the program is quicker than to wake
 * another core. */
#ifndef COPAL_NET_THREAD_H
#define COPAL_NET_THREAD_H

#include "net/port.h"

bool thread_start(void);        /* false: it is not wanted */
void thread_start_anyway(void); /* if it does not run, since it was not wanted */
void thread_stop(void);

/* Something waits to be sent that nobody may come back for soon. */
void thread_kick(struct port *port);
/* To kick it would wake it. */
bool thread_sleeps(void);
/* Something large has been posted at the provider, or is to be, and the program may compute now; without the lock. */
void thread_urge(struct port *port, bool posted);
/* There is a thread, and a processor for it, most likely. */
bool thread_serves(void);

#endif
