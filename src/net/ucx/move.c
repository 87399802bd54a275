#include "net/ucx/ucx.h"

#include <string.h>

#define PACKED_MOST ((size_t)2048)

static void completed(void *request, ucs_status_t status, void *user)
{
    ucp_request_free(request);
    ucx_finish(user, status != UCS_OK);
}

/* Converts UCX's result to the result of send, put, get and flush. */
static bool leave(struct provider_endpoint *endpoint, bool was, struct operation *o, ucs_status_ptr_t answer)
{
    ucx_leave(endpoint->port, was);
    if (!answer) {
        ucx_give_back(o);
        return true;
    }
    if (UCS_PTR_IS_ERR(answer)) {
        endpoint->why = UCS_PTR_STATUS(answer);
        ucx_break(endpoint);
        ucx_tell_later(o, true);
    }
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

/* Determined once for an endpoint, by a text that UCX prints. */
static bool has_remote_memory(struct provider_endpoint *endpoint)
{
    if (endpoint->kind == UCX_NOT_KNOWN)
        endpoint->kind = ucx_has_remote_memory(endpoint) ? UCX_REMOTE_MEMORY : UCX_MESSAGES_ONLY;
    return endpoint->kind == UCX_REMOTE_MEMORY;
}

/* --- messages ----------------------------------------------------------------------------------------------------- */

/* Over TCP, UCX passes a message to the kernel in place, in three or four parts.  If the message is short, one part is
 * faster, despite the copy by this packing routine. */
static void *start_pack(void *unused, const void *operation, size_t count)
{
    (void)unused;
    (void)count;
    return (void *)(uintptr_t)operation;
}

static size_t packed_size(void *operation)
{
    return ((const struct operation *)operation)->bytes;
}

static size_t pack(void *operation, size_t at, void *to, size_t room)
{
    const struct operation *o = operation;
    const size_t bytes = o->bytes - at < room ? o->bytes - at : room;
    memcpy(to, o->data + at, bytes);
    return bytes;
}

static void end_pack(void *operation)
{
    (void)operation;
}

static ucp_datatype_t packed; /* 0: no memory */

void ucx_begin_to_pack(void)
{
    static const ucp_generic_dt_ops_t routines = {
        .start_pack = start_pack, .packed_size = packed_size, .pack = pack, .finish = end_pack};
    if (!packed && ucp_dt_create_generic(&routines, NULL, &packed) != UCS_OK)
        packed = 0;
}

bool ucx_send(struct provider_endpoint *endpoint, const void *data, size_t bytes, bool with_reply, provider_done *done,
              void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    if (with_reply && !endpoint->introduced)
        ucx_introduce(endpoint);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_AM_SEND_FLAG_EAGER;
    if (bytes <= PACKED_MOST && packed && !has_remote_memory(endpoint)) {
        o->data = data;
        o->bytes = bytes;
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
        param.datatype = packed;
        data = o;
        bytes = 1;
    }
    const size_t header_bytes = with_reply ? sizeof endpoint->head : sizeof endpoint->head.secret;
    bool was = ucx_enter(endpoint->port);
    return leave(endpoint, was, o,
                 ucp_am_send_nbx(endpoint->ep, UCX_MESSAGE, &endpoint->head, header_bytes, data, bytes, &param));
}

bool ucx_put(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, const void *source,
             size_t bytes, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    if (!has_remote_memory(endpoint))
        return ucx_bulk_put(endpoint, remote, source, bytes, NULL, 0, done, arg);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = ucx_enter(endpoint->port);
    return leave(endpoint, was, o, ucp_put_nbx(endpoint->ep, source, bytes, remote, (ucp_rkey_h)key, &param));
}

bool ucx_get(struct provider_endpoint *endpoint, uint64_t remote, struct provider_key *key, void *dest, size_t bytes,
             provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    if (!has_remote_memory(endpoint))
        return ucx_bulk_get(endpoint, remote, dest, bytes, done, arg);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = ucx_enter(endpoint->port);
    return leave(endpoint, was, o, ucp_get_nbx(endpoint->ep, dest, bytes, remote, (ucp_rkey_h)key, &param));
}

bool ucx_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    if (!has_remote_memory(endpoint))
        return ucx_bulk_flush(endpoint, done, arg);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    ucp_request_param_t param = param_of(o);
    bool was = ucx_enter(endpoint->port);
    return leave(endpoint, was, o, ucp_ep_flush_nbx(endpoint->ep, &param));
}

bool ucx_keeps_order(struct provider_endpoint *endpoint)
{
    return !has_remote_memory(endpoint);
}
