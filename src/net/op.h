/* Operations that wait for a peer's reply or for the provider's completion.  Call with the port's lock, except op_wait.
 *
 * An operation that a thread waits for is on that thread's stack, which is safe, as no longjmp leaves this wait (op.c).
 * All others come from the port's free list. */
#pragma once

#include "net/peer.h"
#include "node/amo.h"

struct op {
    struct op *next, **link;     /* list of the operations at the peer */
    struct peer *peer;           /* owes the replies */
    uint64_t token;              /* identifies the operation to the peer, from op_owe on */
    struct port *port;
    /* its context's count; NULL: the operation is a flush, or a thread waits until left is 0 */
    _Atomic uint32_t *pending;
    uint64_t contexts;           /* a flush: the bits of its contexts */
    bool pooled;
    bool held;        /* more requests may follow, so left is one higher */
    bool of_provider; /* the provider completes it, even if the peer is dead */
    size_t moves;     /* its bytes in the port's `moving` */
    int error;
    void (*begin)(struct op *);  /* starts a deferred operation, which uses the next five members: */
    struct op *next_later;
    struct op *then;             /* a deferred signal that waits for this flush, or for this earlier deferred signal */
    uint32_t waits;              /* of a deferred signal: for how many of these it waits */
    struct net_context *context;
    place to;                    /* of a put of `block` bytes from `dest`, or of the signal after a put */
    enum amo signal;
    uint64_t value;
    unsigned char *dest;         /* the destination of replies: */
    size_t room;                 /* bytes of dest, or blocks; SIZE_MAX: it is not contiguous (private.c) */
    size_t block;                /* 0: contiguous; else the block's size */
    ptrdiff_t step;
    _Atomic uint32_t left;       /* outstanding replies */
};

struct op *op_new(struct port *port);
void op_owe(struct op *op, struct peer *peer);
INLINE void op_ask(struct op *op)
{
    atomic_store_explicit(&op->left, atomic_load_explicit(&op->left, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* The operation with this token at this PE, or NULL. */
struct op *op_asked(const struct port *port, int pe, uint64_t token);
void op_end(struct op *op); /* no more replies are requested */

/* Counts one reply.  The operation may no longer exist on return. */
void op_answered(struct op *op);
/* The provider_done of an operation. */
void op_provided(void *op, bool failed);
/* The peer is dead and will not reply. */
void op_fail(struct op *op);
/* Waits until op has been answered; without the lock. */
void op_wait(struct op *op, int pe, const char *routine);

/* Defers the start of the operation: the next turn of progress calls `begin`. */
void op_later(struct op *op, void (*begin)(struct op *));
void op_begin_later(struct port *port);

/* Counts one of the operations that a deferred signal waits for. After the last, the signal begins. */
void op_released(struct op *signal);

void op_free_all(struct port *port);
