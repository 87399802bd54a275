/* Peers: the PEs of other nodes that this one has talked to.  A peer has a buffer of records that wait to be sent,
 * and a list of operations that it owes an answer. */
#ifndef COPAL_NET_PEER_H
#define COPAL_NET_PEER_H

#include "net/port.h"
#include "node/node.h"

struct peer {
    struct port *port;
    int pe;
    _Atomic bool dead; /* read without the lock as well */
    bool news, same_program, is_dirty, is_open; /* news: other nodes have not been told that it is dead */
    struct provider_endpoint *endpoint; /* NULL: disconnected, for it is dead */
    struct provider_key *heap_key, *data_key;
    uint64_t heap, data; /* where they are at the peer */
    struct buffer *buffer;
    struct op *owed;   /* operations that wait for an answer of this peer, or for the provider */
    uint64_t unacked;  /* bits of the contexts that have sent records since the last FLUSH */
    uint64_t put;      /* of those that have made provider puts since the last provider flush */
    struct peer *next_connected, *next_dirty, *next_open;
};

/* The port's peer, connected on first use; without the lock. */
struct peer *peer_connect(struct port *port, int pe);
INLINE struct peer *peer_of(struct port *port, int pe)
{
    struct peer *peer = __atomic_load_n(&port->peers[pe], __ATOMIC_ACQUIRE);
    return LIKELY(peer != NULL) ? peer : peer_connect(port, pe);
}
bool peer_same_program(int pe); /* or nobody's, for it is dead */

/* The key to the peer's memory there, and *remote, its address as the peer has it. */
INLINE struct provider_key *peer_key(const struct peer *peer, place at, uint64_t *remote)
{
    *remote = (at & PLACE_DATA ? peer->data : peer->heap) + (at & ~PLACE_DATA);
    return at & PLACE_DATA ? peer->data_key : peer->heap_key;
}

void peer_close_keys(struct peer *peer);
void peer_forget_all(struct port *port); /* with the lock */

#endif
