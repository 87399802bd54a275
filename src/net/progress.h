/* Turns of progress, and the waits for room that hold the port's lock. */
#ifndef COPAL_NET_PROGRESS_H
#define COPAL_NET_PROGRESS_H

#include "net/op.h"

/* Once round: what waits is sent, what has come is executed; with the lock, but it is let go of while a function is run
 * that another PE calls. True if anything has happened. */
bool progress_poll(struct port *port);

/* A turn of one of the program's threads, without the lock: what wait_progress is (job/wait.h). */
bool progress_hook(void);

/* With the lock, and not in an upcall; other threads may have had it meanwhile: */
void progress_pause(struct port *port); /* a turn where the caller waits */
void progress_room(struct port *port);  /* waits until there is room for one more message */
/* Not more of a transfer's pieces at a time than are worth it. False: the peer is gone. */
bool progress_piece(struct op *op, struct peer *peer);

#endif
