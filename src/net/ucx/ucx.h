/* The provider that wraps UCP, UCX's protocol layer: one context in the process, a worker for each port.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   explain     UCX's errors, and which transports it takes, in words
 *   hardware    whether an adapter of this host could read and write others' memory
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
enum { UCX_MESSAGE, UCX_HELLO, UCX_PUT, UCX_GET, UCX_DATA, UCX_ARRIVED, UCX_KINDS };

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
    uint32_t number; /* its place in the port's table, from 1 on */
    uint64_t token;
    bool arrived;        /* a put or a flush; those before it may not have */
    unsigned char *dest; /* of a get */
    size_t bytes, missing;
};

struct awaited_list {
    struct awaited *first, **last;
};

/* What an address (struct provider's address) consists of: the port's number, its secret, and what UCX calls the
 * worker's address. */
struct ucx_address {
    uint64_t id;
    struct secret secret;
    unsigned char worker[];
};

/* What each active message's header begins with: the secret of the port that it goes to. Of a UCX_MESSAGE that wants no
 * reply, and of a UCX_HELLO, that is all. */
struct ucx_head {
    struct secret secret;
    uint64_t from; /* the sender's number */
};

/* With UCX_PUT and UCX_GET. */
struct ucx_request {
    struct ucx_head head;
    uint64_t remote; /* address */
    uint64_t bytes;  /* of a get */
    uint64_t answer; /* the number of a struct awaited of the sender's; 0: none is wanted */
    uint64_t token;
};

/* With UCX_DATA and UCX_ARRIVED. */
struct ucx_answer {
    struct secret secret;
    uint64_t to; /* the number of a struct awaited of the receiver's */
    uint64_t token;
    uint64_t at; /* of data: where in the destination */
};

struct operations {
    struct operation *first, **last;
};

/* What active messages of a kind are for; the header begins with the port's secret, which has been looked at. */
typedef void ucx_handler(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                         size_t bytes);
struct ucx_receiver {
    struct provider_port *port;
    ucx_handler *handler;
    size_t least; /* bytes of header */
};

struct provider_port {
    ucp_worker_h worker;
    struct ucx_receiver receiver[UCX_KINDS];
    struct late *late, **last_late; /* what has come, and is for the end of this turn of progress */
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
    struct awaited **awaited; /* all that there are, by number; n_awaited of them, and room for so many to come */
    uint32_t n_awaited, room_awaited;
    uint64_t tokens; /* given so far */
    struct operations finished;       /* to be told by the next progress */
    struct provider_endpoint *broken; /* to be told by the next progress */
    struct provider_endpoint *closed; /* UCX may still have messages whose header is there */
};

/* The only one of its port that leads to that other port, whichever side began: UCX pairs the first endpoints of two
 * workers with each other, so that they share a connection. */
struct provider_endpoint {
    struct provider_endpoint *next, *next_broken;
    struct provider_port *port;
    ucp_ep_h ep;
    uint64_t id;     /* of the port it leads to */
    struct ucx_head head; /* what messages there begin with */
    bool replied_to; /* the message upcall knows it */
    bool introduced; /* the peer knows this port's address */
    bool is_broken;
    ucs_status_t why; /* it is broken */
    enum { UCX_NOT_KNOWN, UCX_REMOTE_MEMORY, UCX_MESSAGES_ONLY } kind;
    bool unanswered;                /* there are puts after the last that the peer is to answer */
    struct awaited_list puts, gets; /* puts that are answered, and flushes; in the order they began */
};

struct provider_memory {
    struct provider_memory *next; /* of all that are open */
    uint64_t at, size;
    ucp_mem_h handle;
    void *key;
    size_t key_bytes;
};

#endif
