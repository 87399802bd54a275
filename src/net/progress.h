/* Turns of progress, and waits for space in the network's queues. */
#pragma once

#include "net/op.h"

/* One turn: sends held records, executes arrived ones.  Call with the lock, which is released while a function runs
 * that another PE has called.  True if anything has happened. */
bool progress_poll(struct port *port);

/* A turn by one of the program's threads, without the lock; for wait_progress (wait/wait.h). */
bool progress_hook(void);

/* Call with the lock, outside upcalls.  These may release the lock: */
void progress_pause(struct port *port); /* one turn of a waiting caller */
void progress_room(struct port *port);  /* waits until one more message may be sent */
/* Bounds a transfer's outstanding requests.  False: the peer is dead. */
bool progress_piece(struct op *op, struct peer *peer);
