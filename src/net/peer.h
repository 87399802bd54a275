/* Peers: the PEs of other nodes that this one has talked to.  A peer has a buffer of records that wait to be sent,
 * and a list of operations that it owes an answer. */
#ifndef COPAL_NET_PEER_H
#define COPAL_NET_PEER_H

#include "net/port.h"
#include "net/region.h"

enum { PEER_HABITS = 8 };

struct peer {
    struct port *port;
    int pe;
    _Atomic bool dead; /* read without the lock as well */
    bool news, same_program, is_dirty, is_open; /* news: other nodes have not been told that it is dead */
    struct provider_endpoint *endpoint; /* NULL: disconnected, for it is dead */
    struct provider_key *heap_key, *data_key;
    struct provider_key **more_keys; /* to the heap's pieces behind the first, where they have been asked for */
    uint64_t heap, data; /* where they are at the peer */
    struct buffer *buffer;
    struct op *owed;   /* operations that wait for an answer of this peer, or for the provider */
    uint64_t unacked;  /* bits of the contexts that have sent records since the last FLUSH */
    uint64_t put;      /* of those that have made provider puts since the last provider flush */
    struct peer *next_connected, *next_dirty, *next_open;
    uint32_t stops;  /* the port's when the last blocking put was begun (hold.c), */
    uint8_t burst;   /* and how many there have been since */
    uint32_t pauses; /* the port's when the first since a pause was begun; */
    uint64_t held_at; /* when, if it waits here; else 0 */
    int16_t *first;   /* its habit; NULL: it is known whether something has followed it */
    int16_t habits[PEER_HABITS]; /* by size and place: how often something has followed such a put at once */
};

/* The port's peer, connected on first use; without the lock. */
struct peer *peer_connect(struct port *port, int pe);
INLINE struct peer *peer_of(struct port *port, int pe)
{
    struct peer *peer = __atomic_load_n(&port->peers[pe], __ATOMIC_ACQUIRE);
    return LIKELY(peer != NULL) ? peer : peer_connect(port, pe);
}
bool peer_same_program(int pe); /* or nobody's, for it is dead */

/* The key to the peer's memory there, and *remote, its address as the peer has it.  NULL: it has not been asked for. */
INLINE struct provider_key *peer_key(const struct peer *peer, place at, uint64_t *remote)
{
    *remote = (at & PLACE_DATA ? peer->data : peer->heap) + (at & ~PLACE_DATA);
    if (at & PLACE_DATA)
        return peer->data_key;
    const unsigned piece = region_piece(at);
    return LIKELY(!piece) ? peer->heap_key : peer->more_keys ? peer->more_keys[piece] : NULL;
}

/* Takes the key to a piece of the heap that the peer has answered with; with the lock. */
void peer_take_key(struct peer *peer, unsigned piece, const void *packed);

void peer_close_keys(struct peer *peer);
void peer_forget_all(struct port *port); /* with the lock */

#endif
