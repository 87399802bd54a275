/* The provider that wraps libfabric: each port has a domain with an endpoint of type FI_EP_RDM, a completion queue and
 * an address vector.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   near        selects the NIC
 *   fabric      selects the libfabric provider, with its requirements; texts about errors and endpoints
 *   registration   registering memory, and the keys to remote memory
 *   slot        the buffers for messages
 *   operation   operations that are posted, queued, or complete and not yet reported
 *   endpoint    endpoints
 *   receive     received messages, in the order they were sent
 *   move        messages, puts and gets
 *   port        opening, progress, sleeping, closing
 *   provider    the interface to the net
 *
 * libfabric has many providers, which differ in their requirements and guarantees.  This code assumes only guarantees
 * that it has requested.  Messages have numbers, since they may be received out of order.  They name their sender,
 * since not all providers do.  Puts request completion at the peer.  No call waits: an operation that libfabric refuses
 * (-FI_EAGAIN) stays in the endpoint's queue until the next progress. */
#pragma once

#include "net/provider.h"

#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

/* Providers' completion queues have 1024 entries or more by default.  With FI_RM_ENABLED a provider refuses operations
 * that would overflow a queue, but fi_domain(3) advises to post no more than fit. */
enum { QUEUE_PLACES = 1024, RECEIVES_POSTED = 128, OPERATIONS_MOST = QUEUE_PLACES - RECEIVES_POSTED };

/* The context of a completion.  libfabric may write to the first field (FI_CONTEXT, FI_CONTEXT2). */
struct posted {
    struct fi_context2 context;
    bool is_slot; /* it is a slot with a received message; else an operation */
};

/* HELLO has the sender's address.  ASKS requests a reply, SILENT does not.  PROBE, empty, tests whether it arrives. */
enum message_kind { MESSAGE_HELLO, MESSAGE_SILENT, MESSAGE_ASKS, MESSAGE_PROBE };

struct message_head {
    struct secret secret; /* of the receiving port */
    uint64_t from;   /* the sender's number */
    uint32_t number; /* of the messages to this port, from 0 */
    uint32_t kind;
};

/* The buffer of a message. */
struct slot {
    struct posted posted;
    struct slot *next;
    size_t bytes; /* received */
    struct message_head head;
    unsigned char data[];
};

/* The address in struct provider: the port's number, its secret, and libfabric's name of the port. */
struct ofi_address {
    uint64_t id;
    struct secret secret;
    unsigned char name[];
};

enum operation_kind { OPERATION_SEND, OPERATION_PUT, OPERATION_GET, OPERATION_FLUSH };

struct operation {
    struct posted posted;
    struct operation *next, **link; /* in one of the lists below */
    struct provider_endpoint *endpoint; /* NULL: reported as failed (abandoned), but libfabric still has it */
    enum operation_kind kind;
    provider_done *done;
    void *arg;
    bool failed;
    struct slot *slot;
    const void *local;     /* source of a put, destination of a get */
    uint64_t remote, key;
    size_t bytes, at;      /* at: the bytes that are complete */
    size_t piece;          /* the bytes that are posted */
    uint64_t number;       /* of puts and flushes, by endpoint */
    size_t puts;           /* of a flush: the puts that it waits for */
};

struct operations {
    struct operation *first, **last;
};

struct provider_port {
    const struct provider_upcalls *upcalls; /* NULL: the port is being closed */
    void *user;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
    struct provider_port *next; /* list of the process's ports, latest first */

    struct ofi_address *own;
    size_t own_bytes;

    /* All endpoints, hashed by the number of the remote port. */
    struct provider_endpoint **chain;
    size_t n_chains, n_endpoints;

    struct slot_block *blocks;
    struct slot *spare_slots;
    struct slot *unposted;  /* receive buffers that could not be posted */
    struct slot *strangers; /* messages whose sender's HELLO has not arrived */
    struct operation *spare;
    struct operations finished;       /* the next progress reports them */
    struct operations abandoned;
    struct provider_endpoint *broken;
    struct provider_endpoint *stuck;  /* endpoints with queued operations */
    size_t begun;                     /* operations that libfabric has */
    struct provider_memory *memories;

    int64_t last_came;  /* time of the last completion; only without cq_fd */
    int64_t probe_due;  /* time at which the endpoints of the next chain are probed */
    size_t probe_next;

    /* A message has been lost, and libfabric does not report which one. */
    int lost;
    size_t asked;             /* peers that are being probed because of it */
    bool asks_again;          /* another message was lost meanwhile */
    bool has_broken;          /* an endpoint has broken: the lost message was for it */

    int event_fd, cq_fd, timer_fd; /* event_fd polls the other two; cq_fd: -1 if the provider has none */
};

/* The only endpoint of a port to a certain remote port; either side may connect first. */
struct provider_endpoint {
    struct provider_endpoint *next, *next_broken, *next_stuck;
    struct provider_port *port;
    uint64_t id; /* id, secret: of the remote port */
    struct secret secret;
    fi_addr_t address;
    bool said_hello; /* the peer's HELLO has arrived: the message upcall may know the endpoint */
    bool introduced; /* HELLO has been sent */
    bool is_broken, is_stuck;
    bool is_told;    /* the break has been reported */
    char why[160];   /* the reason */
    uint32_t sent, received;     /* the numbers of the next messages */
    struct slot *early;          /* messages that have overtaken others */
    struct operations queue;     /* operations to post, in this order */
    struct operations under_way; /* operations that libfabric has */
    struct operations flushes;
    uint64_t numbered;
    int64_t refused; /* when a probe first found only queued operations, none posted; 0: libfabric accepts them */
    size_t puts; /* puts that are not complete */
};

struct provider_memory {
    struct provider_memory *next, **link;
    unsigned char *at;
    struct fid_mr *mr; /* NULL: its port has been closed */
};

struct provider_key {
    uint64_t key, base; /* base is subtracted from the peer's addresses: 0, or the start of its memory */
};

/* near.c */

/* Selects, from `first` and the following entries with the same provider and fabric, a NIC whose link is up and that is
 * near this process's processors.  If there are several, nth, the PE's index on its node, selects one. */
const struct fi_info *near_adapter(const struct fi_info *first, int nth);

/* fabric.c */

extern struct fi_info *ofi_info;
extern struct fid_fabric *ofi_fabric;
extern bool ofi_probes; /* this process must detect dead peers itself */

/* name: libfabric, its version, and its provider. */
const char *ofi_begin(const struct provider_start *start, const char **name);
bool ofi_asks(int mr_mode); /* the provider requires all of these bits */
bool ofi_wakes(void);       /* a completion queue's descriptor, if any, becomes readable during a sleep */
const char *ofi_why(const char *what, int error); /* "fi_endpoint: Resource temporarily unavailable" */
void ofi_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ofi_is_one_sided(struct provider_endpoint *endpoint);

/* registration.c */

/* port: the process's first port, whose address other PEs have.  The memory belongs to it. */
struct provider_memory *memory_open(struct provider_port *port, void *at, size_t bytes, const char **why);
void memory_close(struct provider_memory *memory);
void memory_orphan(struct provider_port *port); /* call before the port is closed */
size_t memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *ofi_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void ofi_key_close(struct provider_key *key);

/* slot.c: the buffers for messages to send and to receive; each has space for the head. */

/* The size of the net's messages.  A message with its head has the largest size that ofi_rxm (over TCP) sends eagerly.
 * ofi_rxm would announce a larger message, and the peer would fetch it, which is no faster. */
enum { SLOT_DATA = 16384 - sizeof(struct message_head) };

struct slot *slot_take(struct provider_port *port); /* ends the process if there is no memory */
void slot_give_back(struct provider_port *port, struct slot *slot);
void slot_free_all(struct provider_port *port);

/* operation.c */

void operations_begin(struct operations *list);
struct operation *operation_take(struct provider_endpoint *endpoint, enum operation_kind kind, provider_done *done,
                                 void *arg);
void operation_tell_later(struct provider_port *port, provider_done *done, void *arg, bool failed);

/* Posts the operation when all operations queued before it have been posted. */
void operation_begin(struct operation *o);
/* Tries again to post the queued operations of all endpoints.  True if there was one. */
bool operation_begin_stuck(struct provider_port *port);
/* libfabric has completed the posted part of the operation, or reports an error. */
void operation_came(struct provider_port *port, struct operation *o, int error);

/* The flush completes when all puts before it have completed. */
void operation_await_puts(struct operation *flush);

/* Marks the endpoint broken and fails all its operations; the next progress reports that. */
void operation_break(struct provider_endpoint *endpoint, const char *why);
/* Reports complete operations and broken endpoints.  True if there were any. */
bool operation_tell(struct provider_port *port);
void operation_free_all(struct provider_port *port);

/* endpoint.c: one for each remote port that this port has communicated with. */

struct provider_endpoint *ofi_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ofi_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
void endpoint_free_all(struct provider_port *port);

/* receive.c */

void receive_start(struct provider_port *port);
void receive_came(struct provider_port *port, struct slot *slot, size_t bytes);
void receive_post(struct provider_port *port, struct slot *slot);
void receive_again(struct provider_port *port); /* retries to post the unposted slots */

/* move.c */

bool ofi_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
void move_probe(struct provider_endpoint *endpoint, int64_t now); /* tests whether the peer is alive; now in ns */
/* Call when a message without context is lost.  If no peer proves to be dead, no endpoint is reliable: all break. */
void move_lost(struct provider_port *port, int error);
void move_break_all(struct provider_port *port, const char *why);
bool ofi_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ofi_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ofi_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);

/* port.c */

struct provider_port *port_first(void); /* the first open port, or NULL */

/* message_most: see struct provider. */
struct provider_port *ofi_open(const struct provider_upcalls *upcalls, void *user, size_t *message_most,
                               const char **why);
void ofi_close(struct provider_port *port);
size_t ofi_address(struct provider_port *port, void *to, size_t room);
bool ofi_progress(struct provider_port *port);
int ofi_event_fd(struct provider_port *port);
bool ofi_arm(struct provider_port *port);
