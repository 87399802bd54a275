/* Adds records to a peer's buffer, and sends the buffer.  Call with the port's lock.
 *
 * None of these functions makes progress or calls back, so what the caller has read of a peer or a list stays valid.
 * progress_room bounds the memory of messages that the network has not taken yet: every operation calls it before its
 * first record and before each record that may fill a message. */
#pragma once

#include "net/peer.h"
#include "net/tune.h"
#include "node/amo.h"

/* A message that is being filled, or is being sent. */
struct buffer {
    struct buffer *next;
    struct port *port;
    uint32_t used;
    uint32_t asks; /* 1: a record requests a reply; else 0 */
    uint32_t last; /* offset of the last record; 0: none */
    _Alignas(RECORD_ALIGN) unsigned char data[];
};

struct buffer *buffer_new(struct port *port);
void buffer_send(struct buffer *b, struct provider_endpoint *to); /* takes over the buffer */
void buffer_drop(struct buffer *b);
void buffer_free_all(struct port *port);

/* Adds a record for the peer, with space for `bytes` bytes of arguments and data. */
struct record *record_add(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes);
/* The same for a record that requests a reply. */
struct record *record_ask(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes);

/* Adds an atomic operation without a result.  Successive operations of one kind and size share a record. */
void record_add_amo(struct peer *peer, enum amo op, size_t size, place word, uint64_t value);

void message_send(struct peer *peer);
INLINE bool message_may_send(const struct port *port)
{
    return port->dirty && port->sends < net_tune.sends;
}
void message_send_all(struct port *port); /* to all peers with records to send, as far as the limit allows */
