/* The provider of an emulated network, between the nodes that SHMEM_NODES makes of one machine.  It maps the job file
 * with the memory of all PEs, and acts as the NICs that access it.  Messages travel through inboxes in shared memory.
 *
 * The fabric selects one of two modes.  Disorder: real time, random delays, and any order that the interface allows.
 * Times: each step of an operation happens at a computed moment of the job's emulated time.
 *
 * Each process executes its own operations in turns of progress: a list of items, whose steps depend on the mode.
 *
 * The files of this folder, each of which uses only those before it:
 *
 *   topology, server, fabric, fabric_read   the model: durations of messages
 *   inbox       the queues of received messages
 *   registration   memory that other PEs may access
 *   lot         the probabilities of disorder
 *   item        outstanding operations
 *   receive     endpoints, received messages, and checks whether peers are alive
 *   atomic      a NIC's atomic operations
 *   disorder    the steps in disorder
 *   timed       the steps in emulated time
 *   port        ports, their operations, and a turn of progress
 *   provider    the interface to the net */
#pragma once

#include "net/provider.h"

#include "fabric.h"
#include "inbox.h"
#include "lot.h"

struct item;

struct emu {
    struct provider_job job;
    struct fabric fabric;
    int ports;           /* most ports of a PE; the first port of PE k has number k * ports */
    char *inboxes;       /* one for each port, inbox_bytes apart */
    size_t inbox_bytes;
    void *servers;       /* the shared state of the model; NULL in disorder mode */
    _Atomic uint32_t *at_atomic; /* for each PE: number plus 1 of the port that executes an atomic operation on the PE's
                                    memory; 0: none */
    int *seat;           /* for each PE: its index on its node */
};
extern struct emu emu;

static inline struct inbox *emu_inbox(int port)
{
    return (struct inbox *)(emu.inboxes + (size_t)port * emu.inbox_bytes);
}

/* An endpoint to one port of another PE, for one life of that port, which is the time from open to close. */
struct provider_endpoint {
    struct provider_endpoint *next;
    struct provider_port *port;
    int pe, to; /* to: the number of the port */
    uint32_t life;
    const char *broken;       /* the reason; or NULL */
    bool told;                /* the break has been reported to the net */
    uint64_t sent, landed;    /* number of messages started, and of those in the peer's inbox */
    uint64_t put, last_put;   /* puts not yet at the peer; when the last one arrives (timed) */
    uint64_t last_arrival;    /* when the last message arrives (timed) */
};

struct provider_port {
    const struct provider_upcalls *upcalls; /* NULL: the port is being closed */
    void *user;
    int number;
    int bell;                            /* a socket, by which other ports wake this one if it is armed */
    uint32_t life, armed;
    struct provider_endpoint **of;       /* the latest endpoint to each port */
    struct provider_endpoint *endpoints;
    struct item *first, **last;          /* outstanding operations, oldest first */
    struct item *spare;
    size_t n_copies;                     /* items that have copied their data */
    uint64_t operations;
    uint64_t looked;                     /* time (in emulated time: turn) of the last check whether peers are alive */
    struct lot_wait comes;               /* disorder: delay of the next message's reception */
    unsigned busy_turns;                 /* turns that have found the inbox's first message incomplete */
    bool any_broken;                     /* the break of an endpoint has not been reported */
    struct inbox_message *arrivals;      /* timed: messages on their way, in a heap by arrival */
    int n_arrivals;
    uint64_t served;                     /* timed: the processor is busy with received messages until then */
};

/* registration.c: memory that other PEs may access.  It is in the job file, which every PE has mapped. */

struct provider_memory *emu_memory_open(void *at, size_t bytes, size_t file_at, const char **why);
void emu_memory_close(struct provider_memory *memory);
size_t emu_memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *emu_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void emu_key_close(struct provider_key *key);

/* The address of [remote, remote + bytes) in this process; NULL: it is not within the key's memory. */
char *emu_reach(const struct provider_key *key, uint64_t remote, size_t bytes);

/* receive.c: endpoints, received messages, and checks whether peers are alive. */

/* A new endpoint to that life of a PE's port; NULL: no memory. */
struct provider_endpoint *receive_new_endpoint(struct provider_port *port, int pe, uint32_t life);

/* Fails the endpoint's operations; the next progress reports that it is broken. */
void receive_break(struct provider_endpoint *endpoint, const char *why);

/* Notifies the peer that the endpoint is broken, unless the peer is gone or its inbox stays full. */
void receive_say_broken(struct provider_endpoint *endpoint);

bool receive_lives(int port); /* whether the port's process is alive */

/* Breaks the endpoints whose peers are gone. */
void receive_look(struct provider_port *port);
/* Reports newly broken endpoints.  True: there were any. */
bool receive_tell_broken(struct provider_port *port);

/* Gets the inbox's first message, which stays there.  False: there is none, or it is incomplete. */
bool receive_first(struct provider_port *port, struct inbox_message *m);
/* Delivers the message to the net, unless it is for an earlier life of this port. */
void receive_tell(struct provider_port *port, const struct inbox_message *m);

/* atomic.c: a NIC's atomic operations.  They are atomic only with respect to other atomics of the NIC: a NIC reads the
 * word and stores it later, so a store by a processor in between is lost, as on hardware. */

/* Returns false if the target's NIC is executing another atomic; the caller must retry. */
bool atomic_execute(struct item *it);

/* disorder.c: operations on a network that guarantees only what provider.h promises: messages over one endpoint arrive
 * in order, a flush follows the puts before it, and sources are read until done is called.  Puts arrive late, in
 * segments, and unordered with all other operations; gets read at any time; completions are late, and inboxes are often
 * full. */

/* Draws the random delays of a started operation.  True: the operation is done already. */
bool disorder_begin(struct item *it);

/* Executes the due steps of the operation, which may call the net.  True: there were any. */
bool disorder_step(struct item *it, uint64_t now);

/* Called after an event: this PE sometimes pauses. */
void disorder_pause(void);

/* timed.c: operations in emulated time, by the model (fabric.h): executes the steps that are due at the job's clock.
 * When the NIC has a message or put, the model is called, and returns the time of arrival.  Calls of the model are
 * therefore in the order of emulated time, although processes run in any order.  The source's process executes a put's
 * store and a get's load in the target's memory. */

/* Starts the operation: the processor is busy for its overhead, and then the NIC has the operation. */
void timed_begin(struct item *it);

/* Executes the due steps of the operation, which may call the net.  True: there were any. */
bool timed_step(struct item *it, uint64_t clock);

/* Sorts the inbox's messages by arrival, and delivers those that have arrived.  True: there were any. */
bool timed_receive(struct provider_port *port, uint64_t clock);

/* The time of this PE's next step or arrival; UINT64_MAX: none. */
uint64_t timed_next(const struct provider_port *port);

/* Prints the traffic since the start. */
void timed_report(void);

void timed_forget(struct provider_port *port);

/* port.c: ports and their operations. */

struct provider_port *emu_open(const struct provider_upcalls *upcalls, void *user, const char **why);
void emu_close(struct provider_port *port);
size_t emu_address(struct provider_port *port, void *to, size_t room);
struct provider_endpoint *emu_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void emu_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);

bool emu_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
bool emu_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool emu_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool emu_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool emu_atomic(struct provider_endpoint *endpoint, enum provider_atomic op, uint64_t remote, struct provider_key *key,
                size_t size, uint64_t value, uint64_t cond, void *before, provider_done *done, void *arg);

bool emu_progress(struct provider_port *port);
int emu_event_fd(struct provider_port *port);
bool emu_arm(struct provider_port *port);
