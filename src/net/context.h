/* Contexts: what each has begun, at which peers, and whether that is complete. */
#ifndef COPAL_NET_CONTEXT_H
#define COPAL_NET_CONTEXT_H

#include "net/net.h"
#include "net/op.h"

struct net_context {
    struct port *port;
    uint64_t bit;
    unsigned number;             /* of the bit */
    _Atomic uint32_t pending;    /* operations that quiet waits for, flushes aside */
    bool batch;                  /* blocking stores may be delayed */
    /* Read without the lock. A thread whose operations another thread's fence or quiet is completing finds that one in
     * settling, which is counted before these are cleared. */
    _Atomic uint32_t settling;
    _Atomic bool used;           /* since the last quiet */
    _Atomic uint32_t fences;     /* twice as many as have got a number */
    _Atomic uint32_t fenced;     /* the number of the last that has something before it; 0: a quiet has completed it */
    _Atomic bool has_puts;       /* the provider's, since the last fence or quiet */
    uint8_t started;             /* puts and nonblocking gets since the last quiet: 0, 1, more */
    uint8_t posts;               /* atomics that fetch nothing since then, or a stop: 0 to POSTS_AT_ONCE */
    uint32_t posts_after;        /* of the port's stops */
    bool expects_quiet;          /* the last time one of them alone was followed by one */
    bool started_quiet;          /* by net_quiet_all, which waits for it: */
    uint32_t completes;          /* the number of the fence that is then complete */
    struct net_context *next, **link;
};

/* --- with the port's lock ----------------------------------------------------------------------------------------- */

/* An operation for which the peer will owe as many answers as op_ask is called, until op_end.  Of NET_NBI ones quiet
 * waits, and they come from the free list; NET_BLOCKING ones are *here, and the caller waits (op_wait) after op_end. */
struct op *context_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here);

/* A quiet is to look at the peer. */
INLINE void context_open(struct net_context *c, struct peer *peer)
{
    atomic_store_explicit(&c->used, true, memory_order_relaxed);
    if (UNLIKELY(!peer->is_open)) {
        peer->is_open = true;
        peer->next_open = peer->port->open;
        peer->port->open = peer;
    }
}
/* Records of this context are on their way to the peer. */
INLINE void context_sent(struct net_context *c, struct peer *peer)
{
    peer->unacked |= c->bit;
    context_open(c, peer);
}
/* Provider puts of this context are on their way to the peer. */
INLINE void context_put(struct net_context *c, struct peer *peer)
{
    atomic_store_explicit(&c->has_puts, true, memory_order_relaxed);
    peer->put |= c->bit;
    context_open(c, peer);
}

/* Counts what is being started, and says whether a quiet is expected to follow it, as one did the last time: then it
 * leaves at once, nonblocking or not, since nothing more will share its message. */
bool context_expects_quiet(struct net_context *c);
/* A put's records are complete: of a blocking one they leave, unless a session says that they may wait. */
void context_post(struct net_context *c, struct peer *peer, enum net_mode mode);
/* Asks the peer to say when all its records so far have been executed, whichever context sent them. */
void context_flush(struct peer *peer);

/* --- without the lock --------------------------------------------------------------------------------------------- */

/* Completes all that this context has begun at the peer; or, if there are provider puts among it, which records would
 * overtake. */
void context_complete(struct net_context *c, struct peer *peer);
void context_complete_puts(struct net_context *c, struct peer *peer);

#endif
