/* A port of the provider.  Its lock protects the provider's calls on it, and its peers, messages and operations.  Other
 * PEs send requests to a PE's net_port; its other ports, if any, receive only replies (ports.h). */
#pragma once

#include "job/self.h"
#include "time/virtual.h"
#include "net/choice.h"
#include "net/provider.h"
#include "net/tune.h"

#include <pthread.h>

struct port {
    struct port *_Atomic next; /* list of all open ports, net_port first */
    pthread_mutex_t lock;
    struct provider_port *provider;
    struct peer **peers;     /* indexed by PE; untouched pages use no memory */
    struct peer *connected;
    struct peer *dirty, **last_dirty; /* peers with records to send, the oldest first */
    struct peer *open;       /* peers with operations that only a flush completes */
    struct op_name *names;   /* table of the outstanding operations' tokens (op.c) */
    uint32_t n_names, free_name; /* free_name: the first free index plus 1, or 0 */
    struct op *later, **last_later; /* operations that the next turn of progress starts */
    struct waiting *waiting, *last_waiting; /* received messages that are queued after a call (serve.c) */
    size_t waiting_bytes;
    bool calling;            /* a thread is executing these messages */
    void (*ring)(void);      /* wakes the progress thread; NULL: there is none */
    void (*goes_on)(void);   /* notes that the program's threads still make progress; NULL: not needed */
    struct buffer *free_buffers;
    struct op *free_ops;
    size_t sends;            /* messages not yet complete */
    uint32_t asked;          /* received messages that request a reply */
    bool doomed;             /* some peer is dead and still connected */
    _Atomic uint32_t alerts; /* the last alert that failure.c has checked */
    _Atomic uint32_t flushing[64]; /* outstanding flushes that a context's quiet waits for, by the context's bit */
    _Atomic size_t moving;   /* bytes of large nonblocking operations that are not complete */
    _Atomic bool urged;      /* thread_urge has woken the thread since the program last waited */
    _Atomic uint64_t posted_at; /* time of the last large nonblocking operation; 0: the program has waited since */
    _Atomic bool waits_soon; /* the program waited soon after its last series of such operations */
    _Atomic uint32_t turns;  /* of progress by the program's threads */
    _Atomic uint32_t driven; /* these turns, and records that wait to be sent */
    _Atomic uint32_t posted; /* messages of the program's operations */
    _Atomic uint32_t pauses; /* the program's waits, and periods without a blocking put */
    _Atomic uint32_t fences;
    uint64_t last_put;       /* time of the last blocking put; 0: the next put follows no pause */
    struct net_stats stats;
    uint64_t free_at;        /* emulated time until which a thread has held the lock */
    unsigned wanted;         /* threads that wait for the lock in emulated time */
    unsigned users;
    uint32_t seen_turns;     /* `turns` when the progress thread last checked this port; unused in net_port */
    bool is_watched;         /* its descriptor is in the thread's epoll instance; unused in net_port */
};
extern struct port net_port;
extern const struct provider *net_provider;
extern enum net_choice net_module; /* the provider's kind */

/* Loads and starts the provider's module.  Ends the job with an error if it fails. */
void port_load_provider(void);
void port_open(const struct provider_upcalls *upcalls);
/* Does not add the port to the list.  False and *why on failure. */
bool port_open_another(struct port *port, const char **why);
void port_close(struct port *port); /* with the lock, and without peers */

/* The port at which this thread waits for a reply; NULL: net_port, or no wait. */
extern _Thread_local struct port *port_awaited __attribute__((tls_model("initial-exec")));

/* Returns the previous value, which the caller restores. */
INLINE struct port *port_await(struct port *port)
{
    struct port *const before = port_awaited;
    port_awaited = port;
    return before;
}

/* Increments `turns`, `driven`, `posted`, `pauses` or `fences`.  A lost update by a concurrent thread does no harm. */
INLINE void port_count(_Atomic uint32_t *n)
{
    atomic_store_explicit(n, atomic_load_explicit(n, memory_order_relaxed) + 1, memory_order_relaxed);
}
/* A number that changes with each pause and each fence. */
INLINE uint32_t port_stops(const struct port *port)
{
    return atomic_load_explicit(&port->pauses, memory_order_relaxed) +
        atomic_load_explicit(&port->fences, memory_order_relaxed);
}

/* In emulated time, a thread also waits until the emulated time at which the last holder released the lock. */
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
