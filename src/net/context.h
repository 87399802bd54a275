#pragma once

#include "net/net.h"
#include "net/op.h"

struct net_context {
    struct port *port;
    uint64_t bit;
    unsigned number;
    _Atomic uint32_t pending;    /* operations that quiet waits for, other than flushes */
    bool batch;
    /* Read without the lock.  settling counts the fences and quiets in progress.  It is incremented before the next
     * members are cleared, so that other threads still see that operations are incomplete. */
    _Atomic uint32_t settling;
    _Atomic bool used;           /* since the last quiet */
    _Atomic uint32_t fences;     /* twice the number of numbered fences; a fence's number is odd, so never 0 */
    _Atomic uint32_t fenced;     /* the number of the last fence with operations before it; 0: a quiet completed them */
    _Atomic bool has_puts;       /* the provider has received puts of this context since the last fence or quiet */
    _Atomic bool has_unordered;  /* some of these puts are unordered, or NICs have atomics of this context */
    uint8_t started;             /* puts and nonblocking gets since the last quiet: 0, 1, or 2 for more */
    uint8_t posts;               /* non-fetching atomics since the last quiet or stop: 0 to POSTS_AT_ONCE */
    uint32_t posts_after;        /* port_stops at the last of these atomics */
    bool expects_quiet;          /* the last quiet followed a single put or nonblocking get */
    bool started_quiet;          /* net_quiet_all has started a quiet that has not ended: */
    uint32_t completes;          /* the number of the fence that this quiet completes */
    struct net_context *next, **link;
};

/* --- with the port's lock ----------------------------------------------------------------------------------------- */

/* Begins an operation.  The peer owes it one reply for each op_ask before op_end.  quiet waits for NET_NBI operations,
 * which come from the free list.  A NET_BLOCKING operation is *here, and the caller waits for it (op_wait) after
 * op_end. */
struct op *context_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here);

/* Makes the next quiet check the peer. */
INLINE void context_open(struct net_context *c, struct peer *peer)
{
    atomic_store_explicit(&c->used, true, memory_order_relaxed);
    if (UNLIKELY(!peer->is_open)) {
        peer->is_open = true;
        peer->next_open = peer->port->open;
        peer->port->open = peer;
    }
}
/* Records that this context has sent records to the peer. */
INLINE void context_sent(struct net_context *c, struct peer *peer)
{
    peer->unacked |= c->bit;
    context_open(c, peer);
}
/* Whether records and provider puts to the peer are executed in the order in which they are sent. */
INLINE bool context_keeps_order(const struct peer *peer)
{
    return peer->endpoint && net_provider->keeps_order(peer->endpoint);
}
/* Records that this context has started provider puts to the peer. */
INLINE void context_put(struct net_context *c, struct peer *peer)
{
    if (!context_keeps_order(peer))
        atomic_store_explicit(&c->has_unordered, true, memory_order_relaxed);
    atomic_store_explicit(&c->has_puts, true, memory_order_relaxed);
    peer->put |= c->bit;
    context_open(c, peer);
}

/* Counts an operation that is being started, and predicts from the last time whether a quiet follows it.  If so, even a
 * nonblocking operation is sent immediately, since no other operation will share its message. */
bool context_expects_quiet(struct net_context *c);
/* Called after a put's records: sends those of a blocking put, unless hold.h or the context's session delays them. */
void context_post(struct net_context *c, struct peer *peer, enum net_mode mode);
/* The same after the records of a get or a fetching atomic. */
void context_ask(struct net_context *c, struct peer *peer, enum net_mode mode);
/* Requests a reply that the peer sends when it has executed all records sent so far, of all contexts. */
void context_flush(struct peer *peer);

/* Starts completing the puts, signals and calls of this context at all PEs, except those that are in order before a
 * signal to op's peer. op, a deferred signal, then waits for them. */
void context_defer(struct net_context *c, struct op *op);

/* --- without the lock --------------------------------------------------------------------------------------------- */

/* Frees the contexts that the program has not closed; all are complete. */
void context_end_all(void);

/* Sends a record whose only argument is a token, and waits for the reply.  False: the peer has died. */
bool context_request(struct net_context *c, struct peer *peer, enum record_kind kind, uint64_t about, void *reply,
                     size_t bytes, const char *routine);
/* Completes all operations of this context at the peer.  context_complete_puts does nothing if no provider puts are
 * among them: later records overtake only provider puts. */
void context_complete(struct net_context *c, struct peer *peer);
/* Call before a provider put, which would overtake the records before a fence: completes these records, or only sends
 * them if the provider keeps order. */
void context_order(struct net_context *c, struct peer *peer);
void context_complete_puts(struct net_context *c, struct peer *peer);
