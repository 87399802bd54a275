/* A server is a side of a NIC, or a link.  It processes one message after the other.
 *
 * It has a list of reserved times.  A message gets the first free times after its arrival.  These may be several gaps
 * between reservations, as packets interleave.  A server is therefore never idle while a message waits.  On a path of
 * several servers the order of calls may differ from the order of arrivals; this matters little. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* The number of separate reservations that a server keeps; adjacent ones are merged.  If there are more, the server
 * forgets the earliest.  Messages that arrive before the end of the forgotten reservation are served after it, which is
 * too late by at most the length of the forgotten gaps. */
enum { SERVER_STRETCHES = 29 };

struct server_stretch {
    uint64_t from, to;
};

struct server {
    atomic_uint owner; /* the process that has the lock, or 0 */
    uint32_t n;
    uint64_t floor; /* no message is served before this time */
    uint64_t messages, bytes, busy;
    struct server_stretch stretch[SERVER_STRETCHES];
    uint64_t unused; /* pads the struct to a multiple of 64 bytes */
};

/* Reserves time for a message that arrives at `at` and needs `takes`; several processes may call this concurrently.
 * begins: the start of its service.  Returns the end. */
uint64_t server_reserve(struct server *s, uint64_t at, uint64_t takes, uint64_t bytes, uint64_t *begins);
