#include "net/ucx/move.h"

#include "net/ucx/port.h"

#include <stdio.h>
#include <stdlib.h>

static struct operation *take(struct provider_port *port, provider_done *done, void *arg)
{
    struct operation *o = port->spare;
    if (o)
        port->spare = o->next;
    else if (!(o = malloc(sizeof *o))) {
        fputs("Copal: no memory for an operation of the network; the job cannot go on\n", stderr);
        abort();
    }
    *o = (struct operation){.port = port, .done = done, .arg = arg};
    return o;
}

static void give_back(struct operation *o)
{
    o->next = o->port->spare;
    o->port->spare = o;
}

static void tell_later(struct operation *o, bool failed)
{
    o->failed = failed;
    o->next = NULL;
    *o->port->finished.last = o;
    o->port->finished.last = &o->next;
}

static void completed(void *request, ucs_status_t status, void *user)
{
    struct operation *o = user;
    if (request)
        ucp_request_free(request);
    if (!o->port->in_progress) {
        tell_later(o, status != UCS_OK);
        return;
    }
    provider_done *done = o->done;
    void *arg = o->arg;
    give_back(o);
    done(arg, status != UCS_OK);
}

/* Around each of UCX's routines that begin something: what it calls back from within waits for the next progress. */
static bool enter(struct provider_port *port)
{
    bool was = port->in_progress;
    port->in_progress = false;
    return was;
}

/* What the routine has answered, in the words of send, put, get and flush. */
static bool leave(struct provider_endpoint *endpoint, bool was, struct operation *o, ucs_status_ptr_t answer)
{
    endpoint->port->in_progress = was;
    if (!answer) {
        give_back(o);
        return true;
    }
    if (UCS_PTR_IS_ERR(answer)) {
        endpoint->why = UCS_PTR_STATUS(answer);
        ucx_break(endpoint);
        tell_later(o, true);
    }
    return false;
}

static bool refuse(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    tell_later(take(endpoint->port, done, arg), true);
    return false;
}

static ucp_request_param_t param_of(struct operation *o)
{
    return (ucp_request_param_t){
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = completed,
        .user_data = o,
    };
}

/* Tells the peer how to reach this port. */
static void introduce(struct provider_endpoint *endpoint)
{
    struct provider_port *port = endpoint->port;
    ucp_request_param_t param = {.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS, .flags = UCP_AM_SEND_FLAG_EAGER};
    bool was = enter(port);
    ucs_status_ptr_t answer = ucp_am_send_nbx(endpoint->ep, UCX_HELLO, NULL, 0, port->own, port->own_bytes, &param);
    port->in_progress = was;
    if (UCS_PTR_IS_PTR(answer))
        ucp_request_free(answer); /* when it is complete */
    endpoint->introduced = true;
}

bool ucx_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg)
{
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    if (with_reply && !endpoint->introduced)
        introduce(endpoint);
    struct operation *o = take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_AM_SEND_FLAG_EAGER;
    const void *header = with_reply ? &endpoint->port->own->id : NULL;
    bool was = enter(endpoint->port);
    return leave(
        endpoint, was, o,
        ucp_am_send_nbx(endpoint->ep, UCX_MESSAGE, header, with_reply ? sizeof(uint64_t) : 0, data, bytes, &param));
}

bool ucx_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    struct operation *o = take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = enter(endpoint->port);
    return leave(endpoint, was, o, ucp_put_nbx(endpoint->ep, source, bytes, remote, (ucp_rkey_h)key, &param));
}

bool ucx_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    struct operation *o = take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = enter(endpoint->port);
    return leave(endpoint, was, o, ucp_get_nbx(endpoint->ep, dest, bytes, remote, (ucp_rkey_h)key, &param));
}

bool ucx_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return refuse(endpoint, done, arg);
    struct operation *o = take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = enter(endpoint->port);
    return leave(endpoint, was, o, ucp_ep_flush_nbx(endpoint->ep, &param));
}
