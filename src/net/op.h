/* Operations: what a peer owes an answer for, or the provider its completion; with the port's lock, but for op_wait.
 *
 * Where the program waits for one, it lies on the waiter's stack: no wait of the net is left by a longjmp (op.c).
 * Everything else comes from the port's free list. */
#ifndef COPAL_NET_OP_H
#define COPAL_NET_OP_H

#include "net/peer.h"
#include "node/amo.h"

struct op {
    struct op *next, **link;     /* what the peer owes, */
    struct peer *owing;          /* which is this one */
    uint64_t token;              /* what the peer knows it by, from op_owe on */
    struct port *port;
    /* of its context: counts it; NULL: somebody waits for left to be 0, or it is a flush */
    _Atomic uint32_t *pending;
    uint64_t contexts;           /* a flush: the bits it is for */
    bool pooled;
    bool held;        /* more answers may be asked for: left counts one for that */
    bool of_provider; /* the provider completes it, even if the peer is dead */
    size_t moves;     /* bytes of it in the port's `moving` */
    int error;
    void (*begin)(struct op *);  /* where it has been left for later: */
    struct op *next_later;
    struct net_context *context;
    struct peer *peer;           /* a put of `block` bytes from `dest`, or the signal that follows one */
    place to;
    enum amo signal;
    uint64_t value;
    unsigned char *dest;         /* where data goes: */
    size_t room;                 /* so many bytes, or blocks; SIZE_MAX: it is not one place (private.c) */
    size_t block;                /* 0: in one piece, else in blocks */
    ptrdiff_t step;
    _Atomic uint32_t left;       /* answers to come */
};

struct op *op_new(struct port *port);
void op_owe(struct op *op, struct peer *peer);
INLINE void op_ask(struct op *op)
{
    atomic_store_explicit(&op->left, atomic_load_explicit(&op->left, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* The one of that token that the PE owes an answer for; or NULL. */
struct op *op_asked(const struct port *port, int pe, uint64_t token);
void op_end(struct op *op); /* nothing more is asked */

/* One answer less to come: the op may be gone afterwards. */
void op_answered(struct op *op);
/* Its provider_done. */
void op_provided(void *op, bool failed);
/* The peer is dead: no answers will come. */
void op_fail(struct op *op);
/* Waits until op has been answered; without the lock. */
void op_wait(struct op *op, int pe, const char *routine);

/* Leaves it to whoever makes progress next, by `begin`. */
void op_later(struct op *op, void (*begin)(struct op *));
void op_begin_later(struct port *port);

void op_free_all(struct port *port);

#endif
