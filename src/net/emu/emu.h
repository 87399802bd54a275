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
