/* The provider that wraps libfabric: for each port a domain with an endpoint of type FI_EP_RDM, its completion queue
 * and its table of addresses.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   near        which adapter
 *   fabric      which of libfabric's providers, and what it asks for; errors and endpoints in words
 *   registration   registering memory, and the keys to others'
 *   slot        the buffers that messages leave from and come to
 *   operation   what is under way, waits for its turn, or is to be told
 *   endpoint    who is at the other end
 *   receive     messages that come, in the order in which they were sent
 *   move        what is sent, put and got
 *   port        opening, progress, sleeping, closing
 *   provider    all of it, as the net sees it
 *
 * libfabric has many providers, and they differ in what they ask of their user and in what they do for him. What is
 * not asked for here is not assumed: messages are numbered, for they may be complete in another order than they are
 * matched in; they say whom they are from, for not all providers do; puts are asked to be complete at the peer. Nothing
 * of libfabric's waits: what it does not take now (-FI_EAGAIN) waits in the endpoint's queue for the next progress. */
#ifndef COPAL_OFI_H
#define COPAL_OFI_H

#include "net/provider.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

/* Providers have completion queues of 1024 places and more by default.  fi_domain(3) promises that what would fill one
 * is refused (FI_RM_ENABLED), but says too how not to come near: by having no more under way. */
enum { QUEUE_PLACES = 1024, RECEIVES_POSTED = 128, OPERATIONS_MOST = QUEUE_PLACES - RECEIVES_POSTED };

/* What a completion leads back to. libfabric may want the context for itself (FI_CONTEXT, FI_CONTEXT2). */
struct posted {
    struct fi_context2 context;
    bool is_slot; /* a slot that a message has come to, else an operation */
};

/* The sender's address; a message that wants no reply, or one that does; nothing, to see whether it arrives. */
enum message_kind { MESSAGE_HELLO, MESSAGE_SILENT, MESSAGE_ASKS, MESSAGE_PROBE };

struct message_head {
    struct secret secret; /* of the port that it goes to */
    uint64_t from;   /* the sender's number */
    uint32_t number; /* of those to this port, from 0 */
    uint32_t kind;
};

/* Room for a message. */
struct slot {
    struct posted posted;
    struct slot *next;
    size_t bytes; /* that have come */
    struct message_head head;
    unsigned char data[];
};

/* What an address (struct provider's address) consists of: the port's number, its secret, and what libfabric calls
 * it. */
struct ofi_address {
    uint64_t id;
    struct secret secret;
    unsigned char name[];
};

enum operation_kind { OPERATION_SEND, OPERATION_PUT, OPERATION_GET, OPERATION_FLUSH };

struct operation {
    struct posted posted;
    struct operation *next, **link; /* in one of the lists below */
    struct provider_endpoint *endpoint; /* NULL: abandoned: it was told to have failed, and libfabric has it yet */
    enum operation_kind kind;
    provider_done *done;
    void *arg;
    bool failed;
    struct slot *slot;     /* of a message */
    const void *local;     /* the source or, of a get, the destination */
    uint64_t remote, key;
    size_t bytes, at;      /* of these so many are complete */
    size_t piece;          /* and so many libfabric has */
    uint64_t number;       /* of puts and flushes, by endpoint */
    size_t puts;           /* a flush: that it waits for */
};

struct operations {
    struct operation *first, **last;
};

struct provider_port {
    const struct provider_upcalls *upcalls; /* NULL: it is being closed */
    void *user;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
    struct provider_port *next; /* of all of the process, the latest first */

    struct ofi_address *own;
    size_t own_bytes;

    /* All endpoints, in chains by the number of the port they lead to. */
    struct provider_endpoint **chain;
    size_t n_chains, n_endpoints;

    struct slot_block *blocks;
    struct slot *spare_slots;
    struct slot *unposted;  /* to receive with */
    struct slot *strangers; /* messages of who has not said hello */
    struct operation *spare;
    struct operations finished;       /* to be told by the next progress */
    struct operations abandoned;
    struct provider_endpoint *broken; /* to be told by the next progress */
    struct provider_endpoint *stuck;  /* those with a queue */
    size_t begun;                     /* operations that libfabric has */
    struct provider_memory *memories;

    int64_t last_came;  /* when there was a completion; only where no descriptor tells of one */
    int64_t probe_due;  /* when the endpoints of the next chain are probed */
    size_t probe_next;

    /* Something has been lost of which libfabric does not say whose it was. */
    int lost;                 /* its error */
    size_t asked;             /* peers that are being asked for it */
    bool asks_again;          /* more was lost meanwhile */
    bool has_broken;          /* an endpoint has, at any time: it was that one's */

    int event_fd, cq_fd, timer_fd; /* the first has the others; cq_fd: -1 where the provider has no such thing */
};

/* The only one of its port that leads to that other port, whichever side began. */
struct provider_endpoint {
    struct provider_endpoint *next, *next_broken, *next_stuck;
    struct provider_port *port;
    uint64_t id; /* of the port it leads to, */
    struct secret secret; /* and its secret */
    fi_addr_t address;
    bool said_hello; /* the peer has: the message upcall may know the endpoint */
    bool introduced; /* to the peer */
    bool is_broken, is_stuck;
    char why[160];   /* it is broken */
    uint32_t sent, received;     /* messages: the numbers of the next */
    struct slot *early;          /* messages that have overtaken others */
    struct operations queue;     /* to be begun, in this order */
    struct operations under_way; /* libfabric has them */
    struct operations flushes;
    uint64_t numbered;
    int64_t refused; /* when libfabric was first seen to have nothing of it and to take nothing; 0: it does */
    size_t puts; /* that are not complete */
};

struct provider_memory {
    struct provider_memory *next, **link;
    unsigned char *at;
    struct fid_mr *mr; /* NULL: its port has been closed */
};

struct provider_key {
    uint64_t key, base; /* what is subtracted from an address of the peer's: 0, or where its memory begins */
};

#endif
