/* A server: what serves one message after the other, a side of an adapter or a link.
 *
 * It knows when it is busy, from what to what time, some such stretches in advance.  A message gets the first free time
 * from when it comes, in pieces if that is between what is promised already, as packets go between packets.  So no
 * server stands idle while somebody waits for it, and it matters little in which order messages are announced, which
 * with several stations on the way is not that of their coming. */
#ifndef COPAL_EMU_SERVER_H
#define COPAL_EMU_SERVER_H

#include <stdatomic.h>
#include <stdint.h>

/* Stretches that are apart.  Where there are more, the earliest is forgotten, and what comes before its end is served
 * after it: too late, by at most the gaps there were.  Touching ones are one, so a busy server has few. */
enum { SERVER_STRETCHES = 29 };

struct server_stretch {
    uint64_t from, to;
};

struct server {
    atomic_uint owner; /* process that is in here, or 0 */
    uint32_t n;
    uint64_t floor; /* nothing is served before */
    uint64_t messages, bytes, busy;
    struct server_stretch stretch[SERVER_STRETCHES];
    uint64_t unused; /* a multiple of 64 bytes */
};

/* The server takes a message that comes at that time and keeps it busy for so long; several processes may call this
 * at a time.  begins: when it is first served. Returns when it has been. */
uint64_t server_reserve(struct server *s, uint64_t at, uint64_t takes, uint64_t bytes, uint64_t *begins);

#endif
