/* The interface that wraps a network library, which moves bytes between nodes.
 *
 * A provider knows endpoints, messages and remote memory.  The net, which is src/net, adds PEs, order and, by default,
 * atomics (record.h).  A provider is a module, <libdir>/copal/libcopal-NAME.so, which exports one symbol,
 * copal_provider, and is loaded only if a job spans nodes: a job of one node never loads a network library.
 *
 * One thread at a time calls a port, since the net has a lock for each port.  Upcalls come from within progress, with
 * that lock held; they may call send, but no function that waits.  Other threads may use, open or connect other ports
 * at the same time.  Memory belongs to the first port: its keys work on an endpoint to that port.
 *
 * Any user on a host that reaches this host can send to a port.  Each port therefore has a secret, which is part of its
 * address, and drops messages that do not begin with it.  Only the job's processes receive addresses, through the
 * launcher.  If the provider's software, not hardware, serves remote reads and writes, it accesses only memory that
 * memory_open has opened.  A message never contains an address of this process: it contains an index into a table. */
#pragma once

#include "common/node_costs.h"
#include "common/secret.h"
#include "net/times.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROVIDER_VERSION 11
#define PROVIDER_BEHIND 64
#define PROVIDER_SYMBOL "copal_provider"

struct provider_port;     /* receives messages, and sends those of its endpoints */
struct provider_endpoint; /* the path to one port of another process */
struct provider_memory;   /* memory of this process that others may read and write */
struct provider_key;      /* the right to access another process's memory */

/* What a NIC does to a word of 4 or 8 bytes, in the order of enum amo (node/amo.h). */
enum provider_atomic {
    PROVIDER_FETCH, PROVIDER_SET, PROVIDER_SWAP, PROVIDER_CSWAP, PROVIDER_ADD, PROVIDER_AND, PROVIDER_OR, PROVIDER_XOR,
};

/* Called when an operation has completed: for send, put and get when the local buffer may be reused. failed: the
 * endpoint has broken, and the outcome is unknown. */
typedef void provider_done(void *arg, bool failed);

struct provider_upcalls {
    /* A message has arrived.  reply is an endpoint to the port that sent it, or NULL if the sender expects no reply.
     * reply stays valid until the port is closed or broken is called for it. */
    void (*message)(void *user, const void *data, size_t bytes, struct provider_endpoint *reply);

    /* The endpoint is broken: its peer has died or cannot be reached.  why is the library's text. */
    void (*broken)(void *user, struct provider_endpoint *endpoint, const char *why);

    /* The last four may be NULL.  A message without the port's secret has been dropped. */
    void (*stranger)(void *user);
    /* A message with the secret names memory that is not open; it has been ignored. */
    void (*outside)(void *user, uint64_t at, size_t bytes);
    /* Progress has answered a peer's put, get or flush. */
    void (*answered)(void *user);
    /* Progress has stored a segment of a peer's put, on an endpoint that keeps order. */
    void (*stored)(void *user, uint64_t at, size_t bytes);
};

/* The job's emulated time, in picoseconds.  A provider whose network emulates time starts it in begin; the library's
 * waits then last in emulated time, and there is no progress thread. */
struct provider_clock {
    void (*start)(const struct node_costs *costs);
    uint64_t (*clock)(void);
    uint64_t (*now)(void);             /* this PE's time: the clock plus the time that its processor is busy after it */
    void (*spend)(uint64_t ps);        /* its processor is busy for that long */
    void (*wake)(int pe, uint64_t at); /* makes a PE call progress at that time, which is not before the clock */
};

/* For a network in this machine's memory: all PEs of the job run here and share the job file. */
struct provider_job {
    const char *fabric; /* SHMEM_FABRIC, or NULL */
    int pe, n_pes, n_nodes;
    const int *node;
    char *memory;       /* the job file, with the symmetric memory of all PEs */
    /* Memory that all PEs share, zero at first; each PE requests the same, from within begin.  NULL: none is left. */
    void *(*share)(size_t bytes);
    const struct provider_clock *clock;
    const size_t *sends; /* limit of a port's outstanding messages: the sender waits until one is complete */
};

struct provider_start {
    bool no_shared_memory; /* peers are on other nodes, or are treated so: shared-memory transports are not used,
                              unless the user selects them by the library's own settings */
    bool loopback;         /* all peers are on this machine: only the loopback device is used, so that no other machine
                              reaches this PE, unless the user names other devices */
    bool devices_only;     /* the network must be a device that the library has its own driver for */
    bool watched;          /* the launcher notices dead peers: connections need not be probed */
    int nth;               /* this PE's index among the PEs of its node, from 0 */
    int n_far;             /* PEs of other nodes; 0: unknown */
    const struct provider_job *job; /* NULL: some PEs run on other machines */
};

struct provider {
    uint32_t version;
    const char *name; /* "UCX 1.13.1" */

    /* First call, and again after end.  NULL, or a sentence that says why the network cannot be used. */
    const char *(*begin)(const struct provider_start *start);
    /* Last call.  Ends the provider's threads, which could outlive a main thread that calls pthread_exit.  Or NULL. */
    void (*end)(void);

    /* Opens a port.  Other processes pass its address to connect.  On failure NULL, and *why. */
    struct provider_port *(*open)(const struct provider_upcalls *upcalls, void *user, const char **why);
    void (*close)(struct provider_port *port); /* with its endpoints; the peers are not notified */
    /* How many ports a process may have open besides the first; after begin.  NULL: none. */
    unsigned (*more_ports)(void);
    size_t (*address)(struct provider_port *port, void *to, size_t room); /* its size; over room: it did not fit */

    /* Starts connecting; progress continues it.  Messages may be sent immediately.  NULL and *why on failure. */
    struct provider_endpoint *(*connect)(struct provider_port *port, const void *address, size_t bytes,
                                         const char **why);
    /* The peer is dead: the endpoint's outstanding operations fail, even if the connection is still open.  If the
     * message upcall may know the endpoint, it stays valid, and the next progress reports it as broken. */
    void (*disconnect)(struct provider_port *port, struct provider_endpoint *endpoint);

    /* Memory for put and get; memory_key packs its key for key_open elsewhere. file_at: its offset in the job file. */
    struct provider_memory *(*memory_open)(void *at, size_t bytes, size_t file_at, const char **why);
    void (*memory_close)(struct provider_memory *memory);
    size_t (*memory_key)(struct provider_memory *memory, void *to, size_t room);
    struct provider_key *(*key_open)(struct provider_endpoint *endpoint, const void *packed, const char **why);
    void (*key_close)(struct provider_key *key);

    /* Sends a message of at most message_most bytes (known once a port is open).  Messages over one endpoint arrive in
     * order.  True: data may be reused already (a small message may have been copied), and done is not called.
     * with_reply: the receiver gets an endpoint to this port. */
    size_t message_most;
    bool (*send)(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply,
                 provider_done *done, void *arg);

    /* Copy to and from remote memory. remote: an address of the peer.  Puts, gets and messages are unordered among each
     * other, except as keeps_order says.  True: complete already (a put: its source may be reused; a get: its data has
     * arrived), and done is not called. */
    bool (*put)(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
                size_t bytes, provider_done *done, void *arg);
    bool (*get)(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
                provider_done *done, void *arg);
    /* A put to an endpoint that keeps order, and behind it a message of at most PROVIDER_BEHIND bytes, which is copied
     * and requests no reply.  NULL: not available. */
    bool (*put_message)(struct provider_endpoint *endpoint, uint64_t remote, const void *source, size_t bytes,
                        const void *message, size_t message_bytes, provider_done *done, void *arg);
    /* Completes when all puts on the endpoint are complete at the peer. */
    bool (*flush)(struct provider_endpoint *endpoint, provider_done *done, void *arg);

    /* Whether the NICs' atomic operations are coherent with processors: a processor's load finds what a NIC has stored,
     * and the reverse.  They need not be atomic with a processor's atomic operation on the same word.  After begin;
     * NULL: the NICs have no atomics. */
    bool (*has_coherent_atomics)(void);
    /* An atomic operation on an aligned word of size bytes at the peer, which may be this process; before receives the
     * previous value.  Unordered.  A provider_done may call it.  True: complete already, and done is not called. */
    bool (*atomic)(struct provider_endpoint *endpoint, enum provider_atomic op, uint64_t remote,
                   struct provider_key *key, size_t size, uint64_t value, uint64_t cond, void *before,
                   provider_done *done, void *arg);

    /* True if anything has happened. */
    bool (*progress)(struct provider_port *port);

    /* After arm has returned true, the descriptor becomes readable when progress has something to do, even if another
     * thread has called progress meanwhile.  arm returns false if there is something to do now.  -1: not available. */
    int (*event_fd)(struct provider_port *port);
    bool (*arm)(struct provider_port *port);

    /* Text for the user: the transports and devices that the endpoint uses for messages, put and get; a few lines. */
    void (*describe)(struct provider_endpoint *endpoint, char *text, size_t room);
    /* Whether hardware executes put and get to that peer, without the peer's processor. */
    bool (*is_one_sided)(struct provider_endpoint *endpoint);
    /* Whether puts and messages on the endpoint arrive in the order they were begun. */
    bool (*keeps_order)(struct provider_endpoint *endpoint);
    /* Durations of messages; after begin.  False, or a NULL function: unknown. */
    bool (*times)(struct net_times *times);
};
