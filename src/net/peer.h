/* Peers: the PEs of other nodes that this PE has communicated with, their unsent records and outstanding operations. */
#pragma once

#include "net/port.h"
#include "net/region.h"

enum { PEER_HABITS = 8 };

struct peer {
    struct port *port;
    int pe;
    _Atomic bool dead; /* also read without the lock */
    bool news, same_program, is_dirty, is_open; /* news: other nodes have not been notified of its death */
    bool called;       /* it has been sent calls, behind which it queues records, but not provider puts */
    struct provider_endpoint *endpoint; /* NULL: disconnected, as the peer is dead */
    struct provider_key *heap_key, *data_key;
    struct provider_key **more_keys; /* to the heap's segments after the first, once requested */
    uint64_t heap, data;
    struct buffer *buffer;
    struct op *owed;   /* operations that wait for a reply of this peer, or for the provider */
    uint64_t unacked;  /* bits of the contexts that have sent records since the last FLUSH */
    uint64_t put;      /* bits of the contexts that have started provider puts since the provider's last flush */
    struct peer *next_connected, *next_dirty, *next_open;
    uint32_t stops;  /* port_stops at the last blocking put (hold.c) */
    uint8_t burst;   /* blocking puts since port_stops changed, up to AT_ONCE */
    uint32_t pauses; /* the port's `pauses` at the latest first put after a pause */
    uint64_t held_at; /* when that put was held; 0: it was sent immediately */
    int16_t *first;   /* that put's counter in `habits`; NULL: it is known whether an operation has followed it */
    int16_t habits[PEER_HABITS]; /* by a put's size and address: how often an operation has immediately followed */
};

/* The port's peer, connected on first use; call without the lock. */
struct peer *peer_connect(struct port *port, int pe);
INLINE struct peer *peer_of(struct port *port, int pe)
{
    struct peer *peer = __atomic_load_n(&port->peers[pe], __ATOMIC_ACQUIRE);
    return LIKELY(peer != NULL) ? peer : peer_connect(port, pe);
}
bool peer_same_program(int pe); /* true also for a dead peer */

/* The key to the peer's memory at `at`; *remote: its address at the peer.  NULL: the key has not been requested. */
INLINE struct provider_key *peer_key(const struct peer *peer, place at, uint64_t *remote)
{
    *remote = (at & PLACE_DATA ? peer->data : peer->heap) + (at & ~PLACE_DATA);
    if (at & PLACE_DATA)
        return peer->data_key;
    const unsigned piece = region_piece(at);
    return LIKELY(!piece) ? peer->heap_key : peer->more_keys ? peer->more_keys[piece] : NULL;
}

/* Stores the key to a heap segment from the peer's reply; with the lock. */
void peer_take_key(struct peer *peer, unsigned piece, const void *packed);

void peer_close_keys(struct peer *peer);
void peer_forget_all(struct port *port);
