/* The target's side of records and replies. */
#ifndef COPAL_NET_SERVE_H
#define COPAL_NET_SERVE_H

#include "net/port.h"

/* the provider's upcall */
void serve_message(void *port, const void *data, size_t bytes, struct provider_endpoint *way_back);
/* the same: it ends the job with a sentence */
void serve_outside(void *port, uint64_t at, size_t bytes);

/* With the lock, and not in an upcall: runs the functions that others have called, and what came behind the calls. The
 * lock is let go of while one runs.  False: another thread is at it. */
bool serve_waiting(struct port *port);
/* Whether more may come, before what waits for that. */
INLINE bool serve_has_room(const struct port *port)
{
    return LIKELY(port->waiting_bytes < (size_t)1 << 20);
}
void serve_forget(struct port *port, const struct provider_endpoint *way_back); /* which has broken */
void serve_end(struct port *port);

/* What the last RECORD_GATHERED from this PE's number plus 1 << bit was about; the last RECORD_RELEASED. */
uint32_t serve_gathered(int bit);
uint32_t serve_released(void);

#endif
