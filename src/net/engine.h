/* What the files of the net share.
 *
 * A port is the provider's, with a lock: whoever holds it may call the provider on it.  A port has a table of peers, filled in
 * as they are talked to.  A peer has a buffer of records that wait to be sent, and a list of operations that it owes an
 * answer.  A context counts what it waits for.
 *
 *   start.c    the module, settings, begin and end        rma.c, strided.c, amo.c, private.c   the operations
 *   peer.c     cards, and connecting on first use         context.c   contexts, fence, quiet
 *   message.c  adding and sending records                 thread.c    progress, and the thread that makes it
 *   serve.c    executing them at the target               failure.c   PEs that are gone; state.c  asking how they are
 */
#ifndef COPAL_NET_ENGINE_H
#define COPAL_NET_ENGINE_H

#include "job/boot.h"
#include "net/record.h"
#include "net/net.h"
#include "net/provider.h"

#include <errno.h>
#include <string.h>

/* Limits that were measured. SHMEM_NET_TUNE="put=2048,get=4096" sets them otherwise, for measuring again. */
struct net_tune {
    size_t message;  /* bytes of a message at most */
    size_t put;      /* bytes of a put that is records; more are the provider's */
    size_t nbi;      /* the same for a nonblocking one */
    size_t get;      /* and for a get */
    size_t stream;   /* bytes of a put-with-signal that are records, however many */
    size_t later;    /* bytes of a nonblocking put that the thread begins, and under way for it to be woken */
    size_t block;    /* bytes of a strided transfer's block that are a put or get of their own */
    size_t sends;    /* messages that may be under way before more wait here */
    size_t asked;    /* answers that one context may wait for before it waits */
    size_t pieces;   /* of one transfer, asked for at a time */
};
extern struct net_tune net_tune;

/* What this PE has done so far: SHMEM_NET_STATS prints it at the end. */
struct net_stats {
    uint64_t messages, message_bytes, records, replies; /* sent */
    uint64_t served, puts, gets;                        /* records executed here; the provider's puts and gets */
    uint64_t connections, peer_bytes;
    uint64_t thread_turns; /* how often the progress thread has looked */
};
extern struct net_stats net_stats;

extern const struct provider *provider;

struct buffer {
    struct buffer *next;
    struct port *port;
    uint32_t used;
    uint32_t asks; /* a record wants a reply */
    _Alignas(RECORD_ALIGN) unsigned char data[];
};

struct port {
    pthread_mutex_t lock;
    struct provider_port *provider;
    struct peer **peers;     /* by PE; pages of it that nobody touches cost nothing */
    struct peer *connected;  /* all of them */
    struct peer *dirty, **last_dirty; /* those with records that wait to be sent, first come first served */
    struct peer *open;       /* those with something that only a flush completes */
    struct op *later, **last_later; /* operations that whoever polls next is to begin */
    struct buffer *free_buffers;
    struct op *free_ops;
    size_t sends;            /* messages under way */
    bool doomed;             /* some peer is dead and still connected */
    _Atomic uint32_t alerts; /* the last that failure.c has looked at */
    _Atomic uint32_t flushing[64]; /* flushes under way that a context's quiet must see end, by the context's bit */
    _Atomic size_t moving;   /* bytes of large nonblocking operations under way */
    _Atomic bool urged;      /* the thread has been, since the program last waited (thread_urge) */
    _Atomic uint32_t driven; /* how often the program's threads have made progress */
};
extern struct port net_port; /* the one that requests come to */
extern size_t net_buffer_bytes; /* of a message, at most */

struct peer {
    struct port *port;
    int pe;
    bool dead, news, same_program, is_dirty, is_open; /* news: other nodes have not been told that it is dead */
    struct provider_endpoint *endpoint; /* NULL: disconnected, for it is dead */
    struct provider_key *heap_key, *data_key;
    uint64_t heap, data; /* where they are at the peer */
    struct buffer *buffer;
    struct op *owed;   /* operations that wait for an answer of this peer, or for the provider */
    uint64_t unacked;  /* bits of the contexts that have sent records since the last FLUSH */
    uint64_t put;      /* of those that have made provider puts since the last provider flush */
    struct peer *next_connected, *next_dirty, *next_open;
};

/* Something that is to be answered by the peer, or completed by the provider. Where the program waits for it, it lies on the
 * waiter's stack: no wait of the net is left by a longjmp (op.c).  Everything else comes from the port's free list. */
struct op {
    struct op *next, **link;     /* what the peer owes */
    struct port *port;
    _Atomic uint32_t *pending;   /* of its context: counts it; NULL: somebody waits for left to be 0, or it is a flush */
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
    size_t block;                /* 0: in one piece, else in blocks */
    ptrdiff_t step;
    _Atomic uint32_t left;       /* answers to come */
};

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
    _Atomic bool fenced;         /* since the last quiet */
    _Atomic bool has_puts;               /* the provider's, since the last fence or quiet */
    uint8_t started;             /* puts and nonblocking gets since the last quiet: 0, 1, more */
    uint8_t posts;               /* atomics that fetch nothing since then: 0 to POSTS_AT_ONCE */
    bool expects_quiet;          /* the last time one of them alone was followed by one */
    bool started_quiet;          /* by net_quiet_all, which waits for it */
    struct net_context *next, **link;
};
extern struct net_context net_context_default;

INLINE void port_lock(struct port *port)
{
    pthread_mutex_lock(&port->lock);
}
INLINE void port_unlock(struct port *port)
{
    pthread_mutex_unlock(&port->lock);
}

/* --- peer.c ---------------------------------------------------------------------------------------------------------- */

/* The port's peer, connected on first use; without the lock. */
struct peer *peer_connect(struct port *port, int pe);
INLINE struct peer *peer_of(struct port *port, int pe)
{
    struct peer *peer = __atomic_load_n(&port->peers[pe], __ATOMIC_ACQUIRE);
    return LIKELY(peer != NULL) ? peer : peer_connect(port, pe);
}
bool peer_same_program(int pe); /* or nobody's, for it is dead */

/* What a PE publishes. */
size_t card_write(struct port *port, void *to, size_t room);
void card_identify_program(void);
extern struct provider_memory *net_heap_memory, *net_data_memory;

/* --- message.c: with the port's lock --------------------------------------------------------------------------------- */

/* None of these makes progress, so none calls back: what the caller has read of a peer or a list stays true.  Memory
 * for messages that the network does not take yet is bounded by port_room, which every operation calls before its first
 * record and before each that may fill a message. */
void port_room(struct port *port); /* waits until there is room for one more message; not in an upcall */

/* A record at the end of what waits for the peer: arguments and data of `bytes` bytes follow it. */
struct record *record_add(struct peer *peer, enum record_kind kind, uint64_t at, size_t bytes);
/* The same for one that asks for a reply to op, on whose behalf the peer owes it from now on. */
struct record *record_ask(struct peer *peer, enum record_kind kind, uint64_t at, size_t bytes);
void peer_send(struct peer *peer);
INLINE bool port_may_send(const struct port *port)
{
    return port->dirty && port->sends < net_tune.sends;
}
void port_send(struct port *port); /* to all peers for whom something waits, as far as there is room */

struct buffer *buffer_new(struct port *port);
/* Sends the buffer and lets go of it. */
void buffer_send(struct buffer *b, struct provider_endpoint *to);
void buffer_free(struct buffer *b);

INLINE void op_ask(struct op *op)
{
    atomic_store_explicit(&op->left, atomic_load_explicit(&op->left, memory_order_relaxed) + 1, memory_order_relaxed);
}
void op_end(struct op *op);
struct op *op_new(struct port *port);
void op_owe(struct op *op, struct peer *peer);
/* The peer is dead: no answers will come. */
void op_fail(struct op *op);
/* One answer less to come: the op may be gone afterwards. */
void op_answered(struct op *op);
/* Leaves it to whoever makes progress next, by `begin`. */
void op_later(struct op *op, void (*begin)(struct op *));
void op_begin_later(struct port *port);
/* Its provider_done. */
void op_provided(void *op, bool failed);

/* Room for data in a record with this many bytes of arguments. */
INLINE size_t record_room(size_t arguments)
{
    return net_buffer_bytes - sizeof(struct message_head) - sizeof(struct record) - ((arguments + 7) & ~(size_t)7);
}

/* --- serve.c: the upcall --------------------------------------------------------------------------------------------- */

void serve(void *port, const void *data, size_t bytes, struct provider_endpoint *reply);

/* --- context.c ------------------------------------------------------------------------------------------------------- */

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
/* An operation for which the peer will owe as many answers as op_ask is called, until op_end.  Of NET_NBI ones quiet waits, and
 * they come from the free list; NET_BLOCKING ones are *here, and the caller waits (op_wait) after op_end. */
struct op *context_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here);
/* Asks the peer to say when all its records so far have been executed; with the lock. */
void peer_flush(struct peer *peer);
/* All of this context at the peer is complete; without the lock. */
void peer_complete(struct net_context *c, struct peer *peer);
/* Counts what is being started, and says whether a quiet is expected to follow it, as one did the last time: then it leaves at
 * once, nonblocking or not, since nothing more will share its message. */
bool context_expects_quiet(struct net_context *c);
/* A put's records are complete: of a blocking one they leave, unless a session says that they may wait. */
void context_post(struct net_context *c, struct peer *peer, enum net_mode mode);

/* --- thread.c -------------------------------------------------------------------------------------------------------- */

/* Once round: what waits is sent, what has come is executed; with the lock. True if anything has happened. */
bool port_poll(struct port *port);
/* The same where the caller waits, with the lock, and not in an upcall. */
void port_pause(struct port *port);
/* Waits until op has been answered; without the lock. */
void op_wait(struct op *op, int pe, const char *routine);
/* Something waits to be sent that nobody may come back for soon. */
void thread_kick(struct port *port);
/* Something large has been posted at the provider, or is to be, and the program may compute now; without the lock. */
void thread_urge(bool posted);
/* There is a thread, and a processor for it, most likely. */
bool thread_serves(void);
void thread_start(void);
void thread_start_anyway(void); /* if it does not run, since it was not wanted */
void thread_stop(void);
bool progress_hook(void);

/* --- rma.c, shared with strided.c ------------------------------------------------------------------------------------- */

/* Blocks by the provider. */
void put_blocks(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
                enum net_mode mode, const char *routine);
void get_blocks(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
                enum net_mode mode, const char *routine);
/* Not more of a transfer's pieces at a time than are worth it; with the lock. False: the peer is gone. */
bool next_piece(struct peer *peer, struct op *op);

/* --- failure.c ------------------------------------------------------------------------------------------------------- */

void failure_broken(void *port, struct provider_endpoint *endpoint, const char *why); /* the upcall */
void failure_look(struct port *port); /* there have been alerts, or peers are doomed; with the lock */
void failure_due(void);               /* ends the job if a failure is old enough */
extern _Atomic bool failure_known, failure_news;
void failure_tell(struct port *port); /* other nodes of peers that have turned out to be dead; without the lock */
void failure_begin(void);
void failure_end(void);

#endif
