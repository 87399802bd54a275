/* The thread that makes progress while no thread of the program does.
 *
 * A large nonblocking operation overlaps with the program: the thread starts the puts, if possible on another processor
 * than the program's, because over TCP the start takes nearly as long as the whole put.  It is woken if net_tune.later
 * bytes are outstanding: fewer bytes pass through the sockets' buffers without it, and waking costs more than it
 * saves. */
#pragma once

#include "net/port.h"

bool thread_start(void);        /* false: SHMEM_PROGRESS=none */
void thread_start_anyway(void); /* starts it unless it runs */
void thread_stop(void);

/* Call when a record waits to be sent, and the program may not send it soon. */
void thread_kick(struct port *port);
/* The same if the program most likely sends the record soon: a sleeping thread wakes half a millisecond later. */
void thread_kick_later(struct port *port);
/* True: thread_kick would wake the thread. */
bool thread_sleeps(void);
/* Call without the lock when a large operation has been posted at the provider (posted), or deferred. */
void thread_urge(struct port *port, bool posted);
/* Call with the lock when the program begins to wait for all operations of a context. */
void thread_note_wait(struct port *port);
/* True: the thread runs, and most likely has a processor. */
bool thread_serves(void);
