/* Adding records to what waits for a peer, and sending it: with the port's lock.
 *
 * None of these makes progress, so none calls back: what the caller has read of a peer or a list stays true.  Memory
 * for messages that the network does not take yet is bounded by progress_room, which every operation calls before its
 * first record and before each that may fill a message. */
#ifndef COPAL_NET_MESSAGE_H
#define COPAL_NET_MESSAGE_H

#include "net/peer.h"
#include "net/tune.h"
#include "node/amo.h"

/* A message that is being filled, or is under way. */
struct buffer {
    struct buffer *next;
    struct port *port;
    uint32_t used;
    uint32_t asks; /* a record wants a reply */
    uint32_t last; /* where the last record is; 0: there is none */
    _Alignas(RECORD_ALIGN) unsigned char data[];
};

struct buffer *buffer_new(struct port *port);
void buffer_send(struct buffer *b, struct provider_endpoint *to); /* and lets go of it */
void buffer_drop(struct buffer *b);
void buffer_free_all(struct port *port);

/* A record at the end of what waits for the peer: arguments and data of `bytes` bytes follow it. */
struct record *record_add(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes);
/* The same for one that asks for a reply to an operation, on whose behalf the peer owes it from now on. */
struct record *record_ask(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes);

/* An atomic operation that nobody asks the result of. Those of one kind that follow one another share a record. */
void record_add_amo(struct peer *peer, enum amo op, size_t size, place word, uint64_t value);

void message_send(struct peer *peer);
INLINE bool message_may_send(const struct port *port)
{
    return port->dirty && port->sends < net_tune.sends;
}
void message_send_all(struct port *port); /* to all peers for whom something waits, as far as there is room */

#endif
