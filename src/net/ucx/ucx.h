/* The provider that wraps UCP, UCX's protocol layer: one context in the process, a worker for each port.
 *
 * context.c starts UCX and registers memory; port.c has the ports, their endpoints and the messages' arrival; move.c
 * what is sent, put and got; explain.c says in words which transports that takes.
 *
 * Upcalls come from progress alone, as provider.h promises. UCX calls back from within other calls too, when an
 * endpoint turns out to be broken: such news waits in the port's lists for the next progress. */
#ifndef COPAL_UCX_H
#define COPAL_UCX_H

#include "net/provider.h"

#include <ucp/api/ucp.h>

/* Active message numbers. */
enum { UCX_MESSAGE, UCX_HELLO };

/* A provider_done that UCX or the next progress is to call. */
struct operation {
    struct operation *next;
    struct provider_port *port;
    provider_done *done;
    void *arg;
    bool failed;
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

    /* All endpoints, in chains by the number of the port they lead to. */
    struct provider_endpoint **chain;
    size_t n_chains, n_endpoints;

    bool in_progress; /* upcalls may be made */
    struct operation *spare;
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
};

struct provider_memory {
    ucp_mem_h handle;
    void *key;
    size_t key_bytes;
};

extern ucp_context_h ucx_context;
extern struct provider copal_provider __attribute__((visibility("default")));

/* context.c */
const char *ucx_begin(bool no_shared_memory, bool watched);
struct provider_memory *ucx_memory_open(void *at, size_t bytes, const char **why);
void ucx_memory_close(struct provider_memory *memory);
size_t ucx_memory_key(struct provider_memory *memory, void *to, size_t room);
struct provider_key *ucx_key_open(struct provider_endpoint *endpoint, const void *packed, const char **why);
void ucx_key_close(struct provider_key *key);

/* port.c */
struct provider_port *ucx_open(const struct provider_upcalls *upcalls, void *user);
void ucx_close(struct provider_port *port);
size_t ucx_address(struct provider_port *port, void *to, size_t room);
struct provider_endpoint *ucx_connect(struct provider_port *port, const void *address, size_t bytes, const char **why);
void ucx_disconnect(struct provider_port *port, struct provider_endpoint *endpoint);
bool ucx_progress(struct provider_port *port);
int ucx_event_fd(struct provider_port *port);
bool ucx_arm(struct provider_port *port);
void ucx_break(struct provider_endpoint *endpoint); /* marks it; the next progress tells */

/* move.c */
bool ucx_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg);
bool ucx_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg);
bool ucx_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg);
bool ucx_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg);

/* explain.c */
void ucx_begin_to_listen(void); /* once */
void ucx_listen(void);          /* from here on UCX's errors on this thread are kept, not printed, */
void ucx_hush(void);            /* to here */
const char *ucx_why(ucs_status_t status);
void ucx_describe(struct provider_endpoint *endpoint, char *text, size_t room);
bool ucx_is_one_sided(struct provider_endpoint *endpoint);

#endif
