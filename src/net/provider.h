/* What moves bytes between nodes: the interface that a network library is wrapped in.
 *
 * A provider knows endpoints, messages and remote memory; PEs, atomics and order are the net's (record.h).  It is a
 * module of its own, <libdir>/copal/libcopal-NAME.so, which exports one symbol, copal_provider, and is loaded when a
 * job turns out to span nodes.  So a job of one node never loads, let alone starts, a network library.
 *
 * All calls on one port are made by one thread at a time: the net has a lock for each port.  Upcalls come from within
 * progress, with the same lock held, and may call send, but nothing that waits.  Other threads may be at other ports
 * meanwhile, and open or connect them.  Memory is the first port's: who has its key gets there by an endpoint to it.
 *
 * Any user who reaches this host can send to a port.  So each port has a secret, which is part of its address, and
 * what comes is believed only if it begins with that: addresses go to the job's processes alone, by what has started
 * them, and say how to reach a port together with the right to.  Where the provider itself, and no hardware, reads and
 * writes memory for others, it does so in what memory_open has opened, and nowhere else; and nothing that comes is an
 * address of this process's own: it names a place in a table. */
#ifndef COPAL_PROVIDER_H
#define COPAL_PROVIDER_H

#include "common/secret.h"
#include "net/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROVIDER_VERSION 8
#define PROVIDER_SYMBOL "copal_provider"

struct provider_port;     /* a worker: what messages come to, and what its endpoints leave from */
struct provider_endpoint; /* the way to one port of another process */
struct provider_memory;   /* memory of this process that others may read and write */
struct provider_key;      /* the right to another process's memory */

/* What an adapter does to a word of 4 or 8 bytes, in the order of enum amo (node/amo.h). */
enum provider_atomic {
    PROVIDER_FETCH, PROVIDER_SET, PROVIDER_SWAP, PROVIDER_CSWAP, PROVIDER_ADD, PROVIDER_AND, PROVIDER_OR, PROVIDER_XOR,
};

/* What is called when an operation has completed: for send, put and get when the local buffer may be used again.
 * failed: the endpoint has broken, and nothing is known of the operation. */
typedef void provider_done(void *arg, bool failed);

struct provider_upcalls {
    /* A message has come. reply leads back to the port that sent it, and is NULL if the sender did not ask for a
     * reply; it stays valid until the port is closed or broken is called for it. */
    void (*message)(void *user, const void *data, size_t bytes, struct provider_endpoint *reply);

    /* The endpoint is broken: its peer has died, or cannot be reached. why is the library's word for it. */
    void (*broken)(void *user, struct provider_endpoint *endpoint, const char *why);

    /* The last two may be NULL. Something has come that does not begin with the port's secret, and has been dropped. */
    void (*stranger)(void *user);
    /* Something has come that does, and is about memory that has not been opened; nothing has been done of it. */
    void (*outside)(void *user, uint64_t at, size_t bytes);
};

/* What is charged within a node where time is emulated: in picoseconds, and the program's own computing times a
 * factor. */
struct provider_near {
    uint64_t latency;
    double gap_byte, compute;
};

/* The job's emulated time, in picoseconds.  A provider whose network has times starts it from within begin; waits of
 * the library last in that time from then on, and there is no thread that makes progress. */
struct provider_clock {
    void (*start)(const struct provider_near *near);
    uint64_t (*clock)(void);           /* the job's */
    uint64_t (*now)(void);             /* this PE's: the clock, and how long its processor is busy from there */
    void (*spend)(uint64_t ps);        /* its processor is busy */
    void (*wake)(int pe, uint64_t at); /* something happens to a PE then, not before the clock: it calls progress */
};

/* For a network that exists in this machine's memory alone: all PEs of the job are here, and share the job file. */
struct provider_job {
    const char *fabric; /* SHMEM_FABRIC, or NULL */
    int pe, n_pes, n_nodes;
    const int *node;    /* of each PE */
    char *memory;       /* the job file, with the symmetric memory of all PEs */
    /* Memory that all PEs have in common, zero at first: all ask for the same, from within begin. NULL: there is none
     * left. */
    void *(*share)(size_t bytes);
    const struct provider_clock *clock;
    const size_t *sends; /* with so many messages of a port under way it is waited for that one is done */
};

struct provider_start {
    bool no_shared_memory; /* peers are on other nodes, or are to be treated so: transports through shared memory are
                              not to be used, unless the user asks for them by the library's own settings */
    bool loopback;         /* the peers are on this machine, and no other one is to reach this PE: the loopback device
                              alone, unless the user names others */
    bool devices_only;     /* a network that the library uses a device's own driver for, or none */
    bool watched;          /* who has started the job notices peers that are gone: connections need not be probed */
    int nth;               /* of the PEs of this node, from 0 */
    int n_far;             /* PEs of other nodes; 0: that is not known */
    const struct provider_job *job; /* NULL: not all of it is here */
};

struct provider {
    uint32_t version; /* PROVIDER_VERSION */
    const char *name; /* "UCX 1.13.1" */

    /* Before all others, and again after end. NULL, or a sentence that says why the network cannot be used. */
    const char *(*begin)(const struct provider_start *start);
    /* After all others: no thread of the provider's is left, for a process whose main thread ends by pthread_exit ends
     * with its last thread. NULL: there is none. */
    void (*end)(void);

    /* A new port. Its address is for connect in other processes.  NULL and *why if there is none to be had. */
    struct provider_port *(*open)(const struct provider_upcalls *upcalls, void *user, const char **why);
    void (*close)(struct provider_port *port); /* and all its endpoints, without a word to the peers */
    /* How many ports a process may have open beside the first; after begin.  NULL: none. */
    unsigned (*more_ports)(void);
    size_t (*address)(struct provider_port *port, void *to, size_t room); /* bytes; more than room: it did not fit */

    /* What connect starts goes on in progress; messages may be sent at once. NULL and *why if it cannot be. */
    struct provider_endpoint *(*connect)(struct provider_port *port, const void *address, size_t bytes,
                                         const char **why);
    void (*disconnect)(struct provider_port *port, struct provider_endpoint *endpoint);

    /* Memory for put and get, and the key that others need for it (packed, for key_open in any process).  file_at:
     * where it is in the job file. */
    struct provider_memory *(*memory_open)(void *at, size_t bytes, size_t file_at, const char **why);
    void (*memory_close)(struct provider_memory *memory);
    size_t (*memory_key)(struct provider_memory *memory, void *to, size_t room);
    struct provider_key *(*key_open)(struct provider_endpoint *endpoint, const void *packed, const char **why);
    void (*key_close)(struct provider_key *key);

    /* A message of at most message_most bytes (known once a port has been opened). Messages to one peer over one
     * endpoint arrive in the order they were sent. True: done already, data may be reused, and done is not called.
     * with_reply: the receiver is to get a way back.  A message that is small enough may be copied and be done before
     * it has left. */
    size_t message_most;
    bool (*send)(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply,
                 provider_done *done, void *arg);

    /* From and to remote memory, which is at an address of the peer's. Neither ordered among each other nor with
     * messages, but where keeps_order says so. True: done already (a put: its source may be reused; a get: it has
     * come), and done is not called. */
    bool (*put)(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
                size_t bytes, provider_done *done, void *arg);
    bool (*get)(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
                provider_done *done, void *arg);
    /* All puts on the endpoint are complete at the peer. */
    bool (*flush)(struct provider_endpoint *endpoint, provider_done *done, void *arg);

    /* Whether adapters have atomic operations that are coherent with processors: a processor's load finds what they
     * have stored, and they find what it has. Beside a processor's atomic operation on the word they need not be
     * atomic.  After begin; NULL: they have none. */
    bool (*has_coherent_atomics)(void);
    /* On an aligned word of size bytes at the peer, which may be this process; what was there goes to before. In no
     * order with anything else.  May be called by a provider_done.  True: done already, and done is not called. */
    bool (*atomic)(struct provider_endpoint *endpoint, enum provider_atomic op, uint64_t remote,
                   struct provider_key *key, size_t size, uint64_t value, uint64_t cond, void *before,
                   provider_done *done, void *arg);

    /* True if anything has happened. */
    bool (*progress)(struct provider_port *port);

    /* A descriptor that poll finds readable once progress has something to do, after arm has returned true: also where
     * another thread has called progress since. arm: false if there is something to do now. -1: there is no such thing
     * here. */
    int (*event_fd)(struct provider_port *port);
    bool (*arm)(struct provider_port *port);

    /* For people: which transports and devices the endpoint uses for messages, put and get; a few lines. */
    void (*describe)(struct provider_endpoint *endpoint, char *text, size_t room);
    /* Whether put and get to that peer are executed by hardware, without the peer's processor. */
    bool (*is_one_sided)(struct provider_endpoint *endpoint);
    /* Whether puts on the endpoint and messages arrive in the order they were begun. */
    bool (*keeps_order)(struct provider_endpoint *endpoint);
    /* What messages take; after begin.  False, or NULL in the place of the function: that is not known. */
    bool (*times)(struct net_times *times);
};

#endif
