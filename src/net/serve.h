#pragma once

#include "net/port.h"

/* The provider's upcalls; serve_outside ends the job with an error. */
void serve_message(void *port, const void *data, size_t bytes, struct provider_endpoint *way_back);
void serve_outside(void *port, uint64_t at, size_t bytes);

/* With the lock, outside upcalls: runs the queued calls of functions and the messages after them.  The lock is released
 * while a function runs.  False: another thread is doing this. */
bool serve_waiting(struct port *port);
/* Whether more messages may be received before the queued ones are executed. */
INLINE bool serve_has_room(const struct port *port)
{
    return LIKELY(port->waiting_bytes < (size_t)1 << 20);
}
void serve_forget(struct port *port, const struct provider_endpoint *way_back); /* the endpoint has broken */
void serve_end(struct port *port);

/* The stage in the last RECORD_GATHERED from PE (this PE + (1 << bit)), and in the last RECORD_RELEASED. */
uint32_t serve_gathered(int bit);
uint32_t serve_released(void);
