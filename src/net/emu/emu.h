/* The provider of an emulated network: between the nodes that SHMEM_NODES makes of one machine, whose PEs are all in
 * one job file.  It maps their memory, and is the adapter that reads and writes it without the target's processor;
 * messages travel through inboxes in shared memory.
 *
 * Two ways, by the fabric.  Disorder: real time, and what a network may do, it does, by lot.  Times: each step of an
 * operation has its moment in the job's emulated time.
 *
 * Each process carries out what it has begun itself, in turns of progress: what is under way is a list of items, at
 * whose steps the two ways differ.
 *
 * The files of this folder, each of which uses only those before it:
 *
 *   topology, server, fabric, fabric_read   the model: how long what is sent takes
 *   inbox       what messages come to
 *   registration   memory that others may reach
 *   lot         the odds of disorder
 *   item        what is under way
 *   receive     endpoints, what comes over them, and whether their peers live
 *   atomic      an adapter's atomic operations
 *   disorder    its steps where order is what the interface promises, and no more
 *   timed       its steps in emulated time
 *   port        ports, what they begin, and a turn of progress
 *   provider    all of it, as the net sees it */
#ifndef COPAL_EMU_H
#define COPAL_EMU_H

#include "net/provider.h"

#include "fabric.h"
#include "inbox.h"
#include "lot.h"

struct item;

struct emu {
    struct provider_job job;
    struct fabric fabric;
    int ports;           /* of each PE at most: its first is its own number times that */
    char *inboxes;       /* one for each port, inbox_bytes apart */
    size_t inbox_bytes;
    void *servers;       /* the model's shared state; NULL: disorder */
    _Atomic uint32_t *at_atomic; /* of each PE: the port that is at an atomic operation on its memory, its number plus
                                    1; or 0 */
    int *seat;           /* of each PE, which of its node it is */
};
extern struct emu emu;

static inline struct inbox *emu_inbox(int port)
{
    return (struct inbox *)(emu.inboxes + (size_t)port * emu.inbox_bytes);
}

/* To one port of another PE: from when it is opened to when it is closed it is one, its life. */
struct provider_endpoint {
    struct provider_endpoint *next;
    struct provider_port *port;
    int pe, to; /* to: the number of the port */
    uint32_t life;
    const char *broken;       /* why it is; or NULL */
    bool told;                /* the net has been told of it */
    uint64_t sent, landed;    /* messages: begun, and in the peer's inbox */
    uint64_t put, last_put;   /* puts not yet at the peer; when the last of them is complete (timed) */
    uint64_t last_arrival;    /* of a message (timed) */
};

struct provider_port {
    const struct provider_upcalls *upcalls; /* NULL: it is being closed */
    void *user;
    int number;                          /* whose inbox it has */
    int bell;                            /* a socket: others ring, where this one has armed it */
    uint32_t life, armed;
    struct provider_endpoint **of;       /* by port: the latest */
    struct provider_endpoint *endpoints; /* all */
    struct item *first, **last;          /* what is under way, in the order of its beginning */
    struct item *spare;
    size_t n_copies;                     /* items that have taken their data */
    uint64_t operations;                 /* begun so far */
    uint64_t looked;                     /* when it was last seen to that peers live: a time, or a turn */
    struct lot_wait comes;               /* disorder: until the next message is received */
    unsigned busy_turns;                 /* in which the inbox's first message was not finished */
    bool any_broken;                     /* which has not been told */
    struct inbox_message *arrivals;      /* timed: messages on their way, the first to come first */
    int n_arrivals;
    uint64_t served;                     /* timed: until then the processor is at messages it has received */
};

#endif
