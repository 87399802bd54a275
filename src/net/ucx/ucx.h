/* The provider that wraps UCP, UCX's protocol layer: one context in the process, a worker for each port.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   explain     UCX's errors, and which transports it takes, in words
 *   context     starting UCX, registering memory
 *   operation   what has been begun, and is to be told
 *   port        the ports, their endpoints and the messages' arrival
 *   bulk        puts and gets as active messages, where no transport has remote memory access
 *   move        what is sent, put and got
 *   provider    all of it, as the net sees it
 *
 * Upcalls come from progress alone, as provider.h promises. UCX calls back from within other calls too, when an
 * endpoint turns out to be broken: such news waits in the port's lists for the next progress. */
#ifndef COPAL_UCX_H
#define COPAL_UCX_H

#include "net/provider.h"

#include <ucp/api/ucp.h>

/* Active message numbers. */
enum { UCX_MESSAGE, UCX_HELLO, UCX_PUT, UCX_GET, UCX_DATA, UCX_ARRIVED };

/* A provider_done that UCX or the next progress is to call. */
struct operation {
    struct operation *next;
    struct provider_port *port;
    provider_done *done;
    void *arg;
    const char *data; /* of a short message over TCP */
    size_t bytes;
    unsigned pieces; /* of a put in messages: those that UCX still has */
    bool failed;
};

/* What the peer is to answer: that what was put has arrived, or with the data of a get.  Never freed before the port
 * is closed, so that an answer that comes too late finds another token there. */
struct awaited {
    struct awaited *next;
    struct awaited_list *list;
    struct provider_port *port;
    struct operation *operation; /* to be told; NULL: a put */
    uint64_t token;
    bool arrived;        /* a put or a flush; those before it may not have */
    unsigned char *dest; /* of a get */
    size_t missing;
};

struct awaited_list {
    struct awaited *first, **last;
};

/* What an address (struct provider's address) consists of: the sender's number, then what UCX calls the worker's
 * address. */
struct ucx_address {
    uint64_t id;
    unsigned char worker[];
};

struct operations {
    struct operation *first, **last;
};

struct provider_port {
    ucp_worker_h worker;
    const struct provider_upcalls *upcalls; /* NULL: it is being closed */
    void *user;

    struct ucx_address *own;
    size_t own_bytes;
    size_t message_most; /* as the provider has it */

    /* All endpoints, in chains by the number of the port they lead to. */
    struct provider_endpoint **chain;
    size_t n_chains, n_endpoints;

    bool in_progress; /* upcalls may be made */
    struct operation *spare;
    struct awaited *spare_awaited;
    uint64_t tokens; /* given so far */
    struct operations finished;       /* to be told by the next progress */
    struct provider_endpoint *broken; /* to be told by the next progress */
};

/* The only one of its port that leads to that other port, whichever side began: UCX pairs the first endpoints of two
 * workers with each other, so that they share a connection. */
struct provider_endpoint {
    struct provider_endpoint *next, *next_broken;
    struct provider_port *port;
    ucp_ep_h ep;
    uint64_t id;     /* of the port it leads to */
    bool replied_to; /* the message upcall knows it */
    bool introduced; /* the peer knows this port's address */
    bool is_broken;
    ucs_status_t why; /* it is broken */
    enum { UCX_NOT_KNOWN, UCX_REMOTE_MEMORY, UCX_MESSAGES_ONLY } kind;
    bool unanswered;                /* there are puts after the last that the peer is to answer */
    struct awaited_list puts, gets; /* puts that are answered, and flushes; in the order they began */
};

struct provider_memory {
    ucp_mem_h handle;
    void *key;
    size_t key_bytes;
};

#endif
