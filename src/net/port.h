/* A port of the provider's, with a lock: whoever holds it may call the provider on it, and touch the port's peers,
 * messages and operations.  A PE has one that others reach, net_port, and perhaps more, which nothing but answers comes
 * to (ports.h). */
#ifndef COPAL_NET_PORT_H
#define COPAL_NET_PORT_H

#include "job/self.h"
#include "time/virtual.h"
#include "net/choice.h"
#include "net/provider.h"
#include "net/tune.h"

#include <pthread.h>

struct port {
    struct port *_Atomic next; /* of all that are open, net_port first */
    pthread_mutex_t lock;
    struct provider_port *provider;
    struct peer **peers;     /* by PE; pages of it that nobody touches cost nothing */
    struct peer *connected;  /* all of them */
    struct peer *dirty, **last_dirty; /* those with records that wait to be sent, first come first served */
    struct peer *open;       /* those with something that only a flush completes */
    struct op_name *names;   /* of the operations that a peer owes an answer for: their tokens (op.c) */
    uint32_t n_names, free_name; /* the first that is free, plus 1; or 0 */
    struct op *later, **last_later; /* operations that whoever makes progress next is to begin */
    struct waiting *waiting, *last_waiting; /* messages that have come, and wait for a call before them (serve.c) */
    size_t waiting_bytes;
    bool calling;            /* a thread is executing them */
    void (*ring)(void);      /* the thread is to make progress; NULL: there is none */
    void (*goes_on)(void);   /* the program's threads still make it; NULL: that is no matter */
    struct buffer *free_buffers;
    struct op *free_ops;
    size_t sends;            /* messages under way */
    bool doomed;             /* some peer is dead and still connected */
    _Atomic uint32_t alerts; /* the last that failure.c has looked at */
    _Atomic uint32_t flushing[64]; /* flushes under way that a context's quiet must see end, by the context's bit */
    _Atomic size_t moving;   /* bytes of large nonblocking operations under way */
    _Atomic bool urged;      /* the thread has been, since the program last waited (thread_urge) */
    _Atomic uint32_t driven; /* how often the program's threads have made progress */
    _Atomic uint32_t pauses; /* how often they have waited, or made no blocking put for a while, */
    _Atomic uint32_t fences; /* or made a fence */
    uint64_t last_put;       /* when the last blocking put was made; 0: that does not tell how long there was none */
    struct net_stats stats;
    uint64_t free_at;        /* emulated time until which a thread has had the lock; */
    unsigned wanted;         /* so many wait for it */
    unsigned users;          /* contexts (ports.c) */
    uint32_t seen_driven;    /* by the thread, of others than net_port, */
    bool is_watched;         /* and whether its descriptor has been told of */
};
extern struct port net_port;
extern const struct provider *net_provider;
extern enum net_choice net_module; /* which it is */

/* Loads the provider's module, and begins it. Ends the job with a sentence if it cannot. */
void port_load_provider(void);
void port_open(const struct provider_upcalls *upcalls);
/* Not yet in the list.  False and *why if it cannot be. */
bool port_open_another(struct port *port, const char **why);
void port_close(struct port *port); /* with the lock, and without peers */

/* Where the answer comes that this thread waits for; NULL: at net_port, or it waits for none. */
extern _Thread_local struct port *port_awaited __attribute__((tls_model("initial-exec")));

/* What was awaited before, and will be again. */
INLINE struct port *port_await(struct port *port)
{
    struct port *const before = port_awaited;
    port_awaited = port;
    return before;
}

/* One more in `pauses` or `fences`. Which of several threads' are counted is no matter. */
INLINE void port_count(_Atomic uint32_t *n)
{
    atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* Another number after each of both. */
INLINE uint32_t port_stops(const struct port *port)
{
    return atomic_load_explicit(&port->pauses, memory_order_relaxed) +
        atomic_load_explicit(&port->fences, memory_order_relaxed);
}

/* Where time is emulated, a thread that wants the lock waits for it in that time: until whoever had it before was
 * through with what its processor did meanwhile. */
void port_lock_in_time(struct port *port);
void port_unlock_in_time(struct port *port);

INLINE void port_lock(struct port *port)
{
    if (UNLIKELY(virtual_threads))
        port_lock_in_time(port);
    else
        pthread_mutex_lock(&port->lock);
}
INLINE void port_unlock(struct port *port)
{
    if (UNLIKELY(virtual_threads))
        port_unlock_in_time(port);
    else
        pthread_mutex_unlock(&port->lock);
}

#endif
