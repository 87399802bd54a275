#ifndef COPAL_NET_CONTEXT_H
#define COPAL_NET_CONTEXT_H

#include "net/net.h"
#include "net/op.h"

struct net_context {
    struct port *port;
    uint64_t bit;
    unsigned number;
    _Atomic uint32_t pending;    /* operations that quiet waits for, without flushes */
    bool batch;
    /* Read without the lock.  settling counts the fences and quiets that run.  It is raised before the next fields are
     * cleared, so that other threads still see that their operations are not complete. */
    _Atomic uint32_t settling;
    _Atomic bool used;           /* since the last quiet */
    _Atomic uint32_t fences;     /* twice the number of numbered fences: numbers are odd */
    _Atomic uint32_t fenced;     /* the number of the last fence with operations before it; 0: a quiet completed them */
    _Atomic bool has_puts;       /* the provider has puts of this context since the last fence or quiet */
    uint8_t started;             /* puts and nonblocking gets since the last quiet: 0, 1, more */
    uint8_t posts;               /* non-fetching atomics since the last quiet or stop: 0 to POSTS_AT_ONCE */
    uint32_t posts_after;        /* the port's stops at the last of those */
    bool expects_quiet;          /* the last time, a quiet followed one such operation */
    bool started_quiet;          /* net_quiet_all has started a quiet, and waits for it: */
    uint32_t completes;          /* the number of the fence that this quiet completes */
    struct net_context *next, **link;
};

/* --- with the port's lock ----------------------------------------------------------------------------------------- */

/* Begins an operation, for which the peer owes one reply per op_ask until op_end.  quiet waits for NET_NBI operations,
 * which come from the free list.  A NET_BLOCKING operation is *here, and the caller waits for it (op_wait) after
 * op_end. */
struct op *context_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here);

/* Makes a quiet check the peer. */
INLINE void context_open(struct net_context *c, struct peer *peer)
{
    atomic_store_explicit(&c->used, true, memory_order_relaxed);
    if (UNLIKELY(!peer->is_open)) {
        peer->is_open = true;
        peer->next_open = peer->port->open;
        peer->port->open = peer;
    }
}
/* This context has records at the peer, or on the way to it. */
INLINE void context_sent(struct net_context *c, struct peer *peer)
{
    peer->unacked |= c->bit;
    context_open(c, peer);
}
/* This context has provider puts on the way to the peer. */
INLINE void context_put(struct net_context *c, struct peer *peer)
{
    atomic_store_explicit(&c->has_puts, true, memory_order_relaxed);
    peer->put |= c->bit;
    context_open(c, peer);
}

/* Counts an operation that is being started, and predicts whether a quiet follows it, as one did the last time.  If so,
 * the operation is sent immediately, even a nonblocking one, since nothing more will share its message. */
bool context_expects_quiet(struct net_context *c);
/* A put's records are complete: those of a blocking put are sent, unless the context's session allows a delay. */
void context_post(struct net_context *c, struct peer *peer, enum net_mode mode);
/* Requests a reply from the peer when it has executed all records sent so far, from any context. */
void context_flush(struct peer *peer);

/* --- without the lock --------------------------------------------------------------------------------------------- */

/* Completes all operations of this context at the peer; context_complete_puts does so only if provider puts are among
 * them, which later records would overtake. */
void context_complete(struct net_context *c, struct peer *peer);
void context_complete_puts(struct net_context *c, struct peer *peer);

#endif
