/* The thread that makes progress while none of the program's does. */
#ifndef COPAL_NET_THREAD_H
#define COPAL_NET_THREAD_H

#include "net/port.h"

void thread_start(void);
void thread_start_anyway(void); /* if it does not run, since it was not wanted */
void thread_stop(void);

/* Something waits to be sent that nobody may come back for soon. */
void thread_kick(struct port *port);
/* Something large has been posted at the provider, or is to be, and the program may compute now; without the lock. */
void thread_urge(bool posted);
/* There is a thread, and a processor for it, most likely. */
bool thread_serves(void);

#endif
