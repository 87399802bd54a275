/* The provider that wraps UCP, UCX's protocol layer: one UCX context for the process, and a worker for each port.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   explain     texts about UCX's errors and transports
 *   hardware    whether a NIC of this host has RDMA
 *   context     starting UCX, registering memory
 *   operation   operations that have been started and are not yet reported
 *   port        the ports, their endpoints and received messages
 *   bulk        puts and gets as active messages, for transports without remote memory access
 *   move        messages, puts and gets
 *   provider    the interface to the net
 *
 * Only progress makes upcalls, as provider.h promises.  UCX also calls back from within other calls if an endpoint
 * breaks; the port's lists keep these events for the next progress. */
#pragma once

#include "net/provider.h"

#include <ucp/api/ucp.h>
#include <stdbool.h>

/* Active message numbers. */
enum { UCX_MESSAGE, UCX_HELLO, UCX_PUT, UCX_GET, UCX_DATA, UCX_ARRIVED, UCX_KINDS };

/* A provider_done that UCX or the next progress will call. */
struct operation {
    struct operation *next;
    struct provider_port *port;
    provider_done *done;
    void *arg;
    const char *data; /* of a short message over TCP */
    size_t bytes;
    unsigned pieces; /* of a put in messages: the segments that UCX has not completed */
    bool failed;
};

/* An expected reply: a confirmation that a put has arrived, or the data of a get.  It is freed only when the port is
 * closed, so a late reply is detected by its token. */
struct awaited {
    struct awaited *next;
    struct awaited_list *list;
    struct provider_port *port;
    struct operation *operation; /* to complete on arrival; NULL for a put */
    uint32_t number; /* its index in the port's table, from 1 */
    uint64_t token;
    bool arrived;        /* the put or flush has arrived; earlier ones may not have */
    unsigned char *dest; /* of a get */
    size_t bytes, missing;
};

struct awaited_list {
    struct awaited *first, **last;
};

/* The address in struct provider: the port's number, its secret, and UCX's address of the worker. */
struct ucx_address {
    uint64_t id;
    struct secret secret;
    unsigned char worker[];
};

/* The start of each active message's header.  UCX_HELLO, and UCX_MESSAGE without a reply, have only the secret. */
struct ucx_head {
    struct secret secret; /* of the receiving port */
    uint64_t from; /* the sender's number */
};

/* The header of UCX_PUT and UCX_GET. */
struct ucx_request {
    struct ucx_head head;
    uint64_t remote;
    uint64_t bytes;  /* of a get */
    uint32_t answer; /* the number of the sender's struct awaited; 0: no reply */
    uint32_t behind; /* of a get: the sender has other outstanding gets */
    uint64_t token;
};

/* The header of UCX_DATA and UCX_ARRIVED. */
struct ucx_answer {
    struct secret secret;
    uint64_t to; /* the number of the receiver's struct awaited */
    uint64_t token;
    uint64_t at; /* of data: its offset in the destination */
};

struct operations {
    struct operation *first, **last;
};

/* Handles the active messages of one kind.  The header begins with the port's secret, which has been checked. */
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
    struct late *late, **last_late; /* messages to handle at the end of this turn of progress */
    const struct provider_upcalls *upcalls; /* NULL: the port is being closed */
    void *user;

    struct ucx_address *own;
    size_t own_bytes;
    size_t message_most;

    /* All endpoints, hashed by the number of the remote port. */
    struct provider_endpoint **chain;
    size_t n_chains, n_endpoints;

    bool in_progress; /* upcalls are allowed */
    struct operation *spare;
    struct awaited *spare_awaited;
    struct awaited **awaited; /* all, by number: n_awaited entries, in a table with space for room_awaited */
    uint32_t n_awaited, room_awaited;
    uint64_t tokens;
    struct operations finished;       /* the next progress reports them */
    struct provider_endpoint *broken;
    struct provider_endpoint *closed; /* UCX may still use message headers in them */
};

/* The only endpoint of a port to a certain remote port; either side may connect first: UCX pairs the first endpoints of
 * two workers, so they share a connection. */
struct provider_endpoint {
    struct provider_endpoint *next, *next_broken;
    struct provider_port *port;
    ucp_ep_h ep; /* NULL: closed */
    uint64_t id;
    struct ucx_head head; /* the start of messages to it */
    bool replied_to; /* the message upcall knows the endpoint */
    bool introduced; /* the peer knows this port's address */
    bool is_broken;
    ucs_status_t why; /* the reason */
    enum { UCX_NOT_KNOWN, UCX_REMOTE_MEMORY, UCX_MESSAGES_ONLY } kind;
    bool unanswered;                /* puts have followed the last put that the peer will confirm */
    uint32_t n_puts, flushed_puts;  /* puts since the last flush; puts between that flush and the flush before it */
    struct awaited_list puts, gets; /* puts and flushes with a reply, and gets; in the order of their start */
};

struct provider_memory {
    struct provider_memory *next; /* list of all registered memory */
    uint64_t at, size;
    ucp_mem_h handle;
    void *key;
    size_t key_bytes;
};

/* explain.c */

void ucx_begin_to_listen(void); /* once */
void ucx_listen(void);          /* starts to keep UCX's errors on this thread instead of printing them */
void ucx_hush(void);            /* prints them again */
const char *ucx_why(ucs_status_t status);
void ucx_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ucx_is_one_sided(struct provider_endpoint *endpoint);
bool ucx_has_remote_memory(struct provider_endpoint *endpoint); /* a transport has put and get, in hardware or not */

/* hardware.c */

/* True if a NIC of this host has RDMA, or UCX_TLS names transports that may have it.  If false, UCX must not offer
 * remote memory: UCX would emulate it by messages, with which any sender reads and writes any address. */
bool ucx_wants_remote_memory(void);

/* context.c */

extern ucp_context_h ucx_context;

/* name: UCX and its version; set even on failure. */
const char *ucx_begin(const struct provider_start *start, const char **name);
void ucx_end(void);
struct provider_memory *ucx_memory_open(void *at, size_t bytes, size_t file_at, const char **why);
void ucx_memory_close(struct provider_memory *memory);
bool ucx_memory_is_open(uint64_t at, size_t bytes); /* all of it was registered by one ucx_memory_open */
size_t ucx_memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *ucx_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void ucx_key_close(struct provider_key *key);

/* operation.c */

void *ucx_allocate(size_t bytes); /* ends the job if there is no memory */

struct operation *ucx_take(struct provider_port *port, provider_done *done, void *arg);
void ucx_give_back(struct operation *o);               /* frees it without a report */
void ucx_tell_later(struct operation *o, bool failed); /* the next progress reports it */
void ucx_finish(struct operation *o, bool failed);     /* reports it now, if upcalls are allowed */
/* Returns false; the next progress reports the failure. */
bool ucx_refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool ucx_tell_finished(struct provider_port *port);    /* call in progress; true if there were any */

/* Expected replies of a peer. */
struct awaited *ucx_await(struct provider_port *port, struct awaited_list *list, struct operation *o);
struct awaited *ucx_awaited(const struct provider_port *port, uint64_t number, uint64_t token); /* or NULL */
void ucx_end_await(struct awaited *a);
void ucx_fail_awaited(struct provider_endpoint *endpoint); /* the peer will not reply */

/* Enclose each call that starts an operation in UCX: callbacks during the call are reported by the next progress. */
bool ucx_enter(struct provider_port *port);
void ucx_leave(struct provider_port *port, bool was);

/* port.c */

struct provider_port *ucx_open(const struct provider_upcalls *upcalls, void *user, const char **why);
void ucx_close(struct provider_port *port);
size_t ucx_address(struct provider_port *port, void *to, size_t room);
struct provider_endpoint *ucx_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ucx_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
bool ucx_progress(struct provider_port *port);
int ucx_event_fd(struct provider_port *port);
bool ucx_arm(struct provider_port *port);
void ucx_break(struct provider_endpoint *endpoint); /* marks it broken; the next progress reports it */

/* Sets the handler of active messages of this number.  Headers of less than `least` bytes are from strangers. */
bool ucx_receive(struct provider_port *port, unsigned id, size_t least, ucx_handler *handler);
void ucx_introduce(struct provider_endpoint *endpoint); /* sends the peer this port's address, for its replies */

/* bulk.c: puts and gets as active messages, for endpoints whose transports have no remote memory access (TCP). UCX's
 * own emulation would copy all data twice at each end. */

bool ucx_bulk_receive(struct provider_port *port); /* once per port: sets the handlers */
bool ucx_bulk_put(struct provider_endpoint *endpoint, uint64_t remote, const void *source, size_t bytes,
                  const void *message, size_t message_bytes, provider_done *done, void *arg);
bool ucx_bulk_get(struct provider_endpoint *endpoint, uint64_t remote, void *dest, size_t bytes, provider_done *done,
                  void *arg);
bool ucx_bulk_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);

/* move.c */

void ucx_begin_to_pack(void); /* once, before all others */
bool ucx_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
bool ucx_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ucx_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ucx_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);
bool ucx_keeps_order(struct provider_endpoint *endpoint);
