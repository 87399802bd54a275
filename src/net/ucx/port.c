#include "net/ucx/ucx.h"

#include "net/endpoints.h"
#include "common/clock.h"

#include <stdlib.h>
#include <string.h>

#define CLOSE_TIME 1000000000u /* ns that close waits for outstanding operations */

/* A number that is unique among all ports of all jobs. */
static uint64_t new_id(void)
{
    uint64_t id;
    while (!(id = secret_new().word[0]))
        ;
    return id;
}

/* --- endpoints ---------------------------------------------------------------------------------------------------- */

void ucx_break(struct provider_endpoint *endpoint)
{
    if (endpoint->is_broken)
        return;
    endpoint->is_broken = true;
    endpoint->next_broken = endpoint->port->broken;
    endpoint->port->broken = endpoint;
    ucx_fail_awaited(endpoint); /* MUTANT answers of the dead */
}

static void endpoint_failed(void *user, ucp_ep_h ep, ucs_status_t status)
{
    (void)ep;
    struct provider_endpoint *endpoint = user;
    endpoint->why = status;
    ucx_break(endpoint);
}

static struct provider_endpoint *make_endpoint(struct provider_port *port, const struct ucx_address *to,
                                               ucs_status_t *status)
{
    struct provider_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (!endpoint) {
        *status = UCS_ERR_NO_MEMORY;
        return NULL;
    }
    *endpoint = (struct provider_endpoint){
        .port = port, .id = to->id, .head = {.secret = to->secret, .from = port->own->id}};
    endpoint->puts.last = &endpoint->puts.first;
    endpoint->gets.last = &endpoint->gets.first;
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
            UCP_EP_PARAM_FIELD_ERR_HANDLER | UCP_EP_PARAM_FIELD_USER_DATA,
        .address = (const ucp_address_t *)to->worker,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {.cb = endpoint_failed, .arg = endpoint},
        .user_data = endpoint,
    };
    ucx_listen();
    *status = ucp_ep_create(port->worker, &params, &endpoint->ep);
    ucx_hush();
    if (*status != UCS_OK) {
        free(endpoint);
        return NULL;
    }
    endpoint_add(port, endpoint);
    return endpoint;
}

struct provider_endpoint *ucx_connect(struct provider_port *port, const void *address, size_t bytes, const char **why)
{
    struct ucx_address *to = malloc(bytes); /* aligned */
    if (!to || bytes <= sizeof *to) {
        free(to);
        *why = "no memory, or no address";
        return NULL;
    }
    memcpy(to, address, bytes);
    struct provider_endpoint *endpoint = endpoint_find(port, to->id);
    ucs_status_t status = UCS_OK;
    if (!endpoint || endpoint->is_broken)
        endpoint = make_endpoint(port, to, &status);
    if (!endpoint)
        *why = ucx_why(status);
    free(to);
    return endpoint;
}

/* Makes UCX cancel outstanding operations, which it completes with an error. */
static void close_endpoint(struct provider_endpoint *endpoint)
{
    if (!endpoint->ep)
        return;
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_EP_CLOSE_FLAG_FORCE};
    ucs_status_ptr_t request = ucp_ep_close_nbx(endpoint->ep, &param);
    if (UCS_PTR_IS_PTR(request))
        ucp_request_free(request);
    endpoint->ep = NULL;
}

/* UCX's connection may still be open: a child process of the peer may have its descriptors. */
void ucx_disconnect(struct provider_port *port, struct provider_endpoint *endpoint)
{
    if (endpoint->replied_to && !endpoint->is_broken) {
        endpoint->why = UCS_ERR_CANCELED;
        ucx_break(endpoint);
    } else {
        endpoint_remove(port, endpoint);
        ucx_fail_awaited(endpoint);
        endpoint->is_broken = true; /* so that it is not reported */
        endpoint->next = port->closed;
        port->closed = endpoint;
    }
    close_endpoint(endpoint);
}

void ucx_introduce(struct provider_endpoint *endpoint)
{
    struct provider_port *port = endpoint->port;
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
    bool was = ucx_enter(port);
    ucs_status_ptr_t answer = ucp_am_send_nbx(endpoint->ep, UCX_HELLO, &endpoint->head, sizeof endpoint->head.secret,
                                              port->own, port->own_bytes, &param);
    ucx_leave(port, was);
    if (UCS_PTR_IS_PTR(answer))
        ucp_request_free(answer); /* UCX frees it when it is complete */
    endpoint->introduced = true;
}

/* --- received messages -------------------------------------------------------------------------------------------- */

/* A hello, or a message after it, is kept until UCX's progress has returned: if only TCP is used, UCX 1.13 crashes when
 * an endpoint to a peer is created within the handler of a message from that peer. */
struct late {
    struct late *next;
    struct ucx_receiver *to;
    size_t header_bytes, bytes;
    _Alignas(16) unsigned char text[]; /* header and data */
};

static void put_off(struct ucx_receiver *to, const void *header, size_t header_bytes, const void *data, size_t bytes)
{
    struct provider_port *port = to->port;
    struct late *late = ucx_allocate(sizeof *late + header_bytes + bytes);
    *late = (struct late){.to = to, .header_bytes = header_bytes, .bytes = bytes};
    memcpy(late->text, header, header_bytes);
    if (bytes)
        memcpy(late->text + header_bytes, data, bytes);
    *port->last_late = late;
    port->last_late = &late->next;
}

static void look_at_late(struct provider_port *port)
{
    for (struct late *late; (late = port->late);) {
        late->to->handler(port, late->text, late->header_bytes, late->text + late->header_bytes, late->bytes);
        port->late = late->next;
        free(late);
    }
    port->last_late = &port->late;
}

/* All messages of the job are eager.  A rendezvous message, whose data is a handle, is from a stranger. */
static ucs_status_t came(void *arg, const void *header, size_t header_bytes, void *data, size_t bytes,
                         const ucp_am_recv_param_t *param)
{
    struct ucx_receiver *to = arg;
    struct provider_port *port = to->port;
    if (!port->upcalls)
        return UCS_OK; /* the port is being closed */
    if (header_bytes < to->least || !secret_is(&port->own->secret, header) ||
        (param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)) {
        if (port->upcalls->stranger)
            port->upcalls->stranger(port->user);
    } else if (port->late || to == &port->receiver[UCX_HELLO]) {
        put_off(to, header, header_bytes, data, bytes);
    } else {
        to->handler(port, header, header_bytes, data, bytes);
    }
    return UCS_OK;
}

bool ucx_receive(struct provider_port *port, unsigned id, size_t least, ucx_handler *handler)
{
    port->receiver[id] = (struct ucx_receiver){.port = port, .handler = handler, .least = least};
    ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS | UCP_AM_HANDLER_PARAM_FIELD_CB |
            UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = id,
        .flags = UCP_AM_FLAG_WHOLE_MSG,
        .cb = came,
        .arg = &port->receiver[id],
    };
    return ucp_worker_set_am_recv_handler(port->worker, &param) == UCS_OK;
}

/* UCX's reply_ep is not used, since it disappears without notice when the peer dies.  Instead a peer sends its address
 * once, before its first message that requests a reply. */
static void hello_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                       size_t bytes)
{
    (void)header;
    (void)header_bytes;
    const char *why;
    struct provider_endpoint *endpoint = ucx_connect(port, data, bytes, &why);
    if (endpoint)
        endpoint->replied_to = true;
}

static void message_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                         size_t bytes)
{
    struct provider_endpoint *reply = NULL;
    struct ucx_head head;
    if (header_bytes >= sizeof head) {
        memcpy(&head, header, sizeof head);
        reply = endpoint_find(port, head.from);
        if (!reply || reply->is_broken)
            return; /* the peer counts as dead */
    }
    port->upcalls->message(port->user, data, bytes, reply);
}

/* Reports the operations and breaks that were found outside progress. */
static bool tell(struct provider_port *port)
{
    bool any = ucx_tell_finished(port);
    struct provider_endpoint *e;
    while ((e = port->broken)) {
        port->broken = e->next_broken;
        port->upcalls->broken(port->user, e, ucx_why(e->why));
        any = true;
    }
    return any;
}

bool ucx_progress(struct provider_port *port)
{
    port->in_progress = true;
    ucx_listen();
    bool any = ucp_worker_progress(port->worker) != 0;
    if (port->late)
        look_at_late(port);
    if (port->finished.first || port->broken)
        any |= tell(port);
    ucx_hush();
    port->in_progress = false;
    return any;
}

int ucx_event_fd(struct provider_port *port)
{
    int fd;
    return ucp_worker_get_efd(port->worker, &fd) == UCS_OK ? fd : -1;
}

bool ucx_arm(struct provider_port *port)
{
    return !port->finished.first && !port->broken && ucp_worker_arm(port->worker) == UCS_OK;
}

/* --- ports -------------------------------------------------------------------------------------------------------- */

static bool make_address(struct provider_port *port)
{
    ucp_address_t *worker;
    size_t bytes;
    if (ucp_worker_get_address(port->worker, &worker, &bytes) != UCS_OK)
        return false;
    port->own_bytes = sizeof *port->own + bytes;
    port->own = malloc(port->own_bytes);
    if (port->own) {
        port->own->id = new_id();
        port->own->secret = secret_new();
        memcpy(port->own->worker, worker, bytes);
    }
    ucp_worker_release_address(port->worker, worker);
    return port->own;
}

/* The largest message, without UCX's headers, that every transport sends in one part; the same for all ports. */
static bool find_message_most(struct provider_port *port, const char **why)
{
    ucp_worker_attr_t attr = {.field_mask = UCP_WORKER_ATTR_FIELD_MAX_AM_HEADER};
    if (ucp_worker_query(port->worker, &attr) != UCS_OK || attr.max_am_header < 512) {
        *why = "some transport's messages are too short: leave it out of UCX_TLS, or raise the device's MTU";
        return false;
    }
    port->message_most = (attr.max_am_header - sizeof(struct ucx_head)) & ~(size_t)7;
    return true;
}

static ucs_status_t create_worker(const ucp_worker_params_t *params, ucp_worker_h *worker)
{
    ucx_listen();
    ucs_status_t status = ucp_worker_create(ucx_context, params, worker);
    ucx_hush();
    return status;
}

struct provider_port *ucx_open(const struct provider_upcalls *upcalls, void *user, const char **why)
{
    struct provider_port *port = calloc(1, sizeof *port);
    *why = "no memory";
    if (!port)
        return NULL;
    port->upcalls = upcalls;
    port->user = user;
    port->finished.last = &port->finished.first;
    port->last_late = &port->late;
    ucp_worker_params_t params = {.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE,
                                  .thread_mode = UCS_THREAD_MODE_SERIALIZED};
    ucs_status_t status = endpoints_begin(port) ? create_worker(&params, &port->worker) : UCS_ERR_NO_MEMORY;
    if (status == UCS_OK) {
        if (find_message_most(port, why) && make_address(port) &&
            ucx_receive(port, UCX_MESSAGE, sizeof(struct secret), message_came) &&
            ucx_receive(port, UCX_HELLO, sizeof(struct secret), hello_came))
            return port;
        free(port->own);
        ucp_worker_destroy(port->worker);
    } else {
        *why = ucx_why(status);
    }
    free(port->chain);
    free(port);
    return NULL;
}

/* Sent messages may still be in this process.  Waits until they are in the connections, but at most CLOSE_TIME. */
static void let_leave(struct provider_port *port)
{
    ucp_request_param_t param = {0};
    ucs_status_ptr_t request = ucp_worker_flush_nbx(port->worker, &param);
    if (!UCS_PTR_IS_PTR(request))
        return;
    uint64_t since = clock_told();
    while (ucp_request_check_status(request) == UCS_INPROGRESS && clock_told() - since < CLOSE_TIME)
        ucp_worker_progress(port->worker);
    ucp_request_free(request);
}

static void free_list(struct provider_endpoint *first)
{
    for (struct provider_endpoint *e = first, *next; e; e = next) {
        next = e->next;
        free(e);
    }
}

void ucx_close(struct provider_port *port)
{
    port->upcalls = NULL;
    let_leave(port);
    for (size_t i = 0; i < port->n_chains; i++)
        for (struct provider_endpoint *e = port->chain[i], *next; e; e = next) {
            next = e->next;
            ucx_fail_awaited(e);
            close_endpoint(e);
        }
    ucp_worker_destroy(port->worker);
    free_list(port->closed);
    for (size_t i = 0; i < port->n_chains; i++)
        free_list(port->chain[i]);
    for (struct operation *o = port->spare, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    for (struct operation *o = port->finished.first, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    for (uint32_t i = 0; i < port->n_awaited; i++)
        free(port->awaited[i]);
    free(port->awaited);
    free(port->chain);
    free(port->own);
    free(port);
}

size_t ucx_address(struct provider_port *port, void *to, size_t room)
{
    if (port->own_bytes <= room)
        memcpy(to, port->own, port->own_bytes);
    return port->own_bytes;
}
