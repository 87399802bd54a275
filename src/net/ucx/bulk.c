/* A put travels in segments, each an eager message of UCX: it is copied from the source into the socket, and from UCX's
 * buffer to the destination.  For a get the peer sends the data in the same way.  (UCX's rendezvous protocol saves no
 * copy: over TCP UCX 1.13 receives in place only without detection of dead peers.)
 *
 * Messages arrive in order, so a reply confirms all messages before it.  A flush is a put of no bytes that requests a
 * reply; if the last put has requested one, the flush waits for that reply.  The last segment of a put of ANSWERED
 * bytes or more requests a reply if no message is behind it and a flush is likely to be next: after each of the first
 * FEW puts since the last flush, and after as many puts as preceded that flush.  Any other reply would only delay what
 * follows at the target, such as a signal. */
#include "net/ucx/ucx.h"

#include "net/endpoints.h"

#include <stdlib.h>
#include <string.h>

#define ANSWERED ((size_t)8 << 10) /* from this size on, a reply costs little compared to the put */
#define PACKET ((size_t)60 << 10)  /* whole pages in a loopback packet of 65,483 bytes, with headers */
#define LAST ((size_t)28 << 10)    /* least size of the last of several segments */
#define FEW 4

/* --- sending ------------------------------------------------------------------------------------------------------ */

/* The header of UCX_PUT: the last segment may have a message behind it. */
struct put_header {
    struct ucx_request request;
    unsigned char message[PROVIDER_BEHIND];
};

/* A message of UCX.  Its header must stay valid until UCX has completed the message. */
struct piece {
    struct operation *operation; /* completes with its last segment; or NULL */
    union {
        struct put_header put;
        struct ucx_answer answer;
    } header;
};

static void piece_gone(void *request, ucs_status_t status, void *user)
{
    struct piece *piece = user;
    struct operation *o = piece->operation;
    ucp_request_free(request);
    free(piece);
    if (!o)
        return;
    o->failed |= status != UCS_OK;
    if (--o->pieces == 0)
        ucx_finish(o, o->failed);
}

/* Sends a segment with either kind of header.  False: the endpoint is broken. */
static bool send_piece(struct provider_endpoint *endpoint, unsigned id, const void *header, size_t header_bytes,
                       const void *data, size_t bytes, struct operation *o)
{
    struct piece *piece = ucx_allocate(sizeof *piece);
    piece->operation = o;
    memcpy(&piece->header, header, header_bytes);
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA | UCP_OP_ATTR_FIELD_FLAGS,
        .flags = UCP_AM_SEND_FLAG_EAGER,
        .cb.send = piece_gone,
        .user_data = piece,
    };
    const bool was = ucx_enter(endpoint->port);
    ucs_status_ptr_t sent = ucp_am_send_nbx(endpoint->ep, id, &piece->header, header_bytes, data, bytes, &param);
    ucx_leave(endpoint->port, was);
    if (UCS_PTR_IS_PTR(sent)) {
        if (o)
            o->pieces++;
        return true;
    }
    free(piece);
    if (!sent)
        return true;
    endpoint->why = UCS_PTR_STATUS(sent);
    ucx_break(endpoint);
    return false;
}

/* The most data that every transport sends in one message with the header; whole pages, so that copies are aligned. */
static size_t piece_most(const struct provider_port *port)
{
    const size_t room = port->message_most - sizeof(struct put_header);
    return room > 4096 ? room & ~(size_t)4095 : room;
}

/* The size of the next segment.  The last of several segments has LAST to PACKET bytes: it travels while the receiver
 * copies the segment before it, and no segment ends with a packet of few bytes.  All packets before the last segment
 * form one segment, since segments of one to three packets are slower for 512 KiB or more.  If other transfers are
 * outstanding, the receiver copies these meanwhile, and few segments are best. */
static size_t next_piece(const struct provider_port *port, size_t left, bool behind)
{
    const size_t most = piece_most(port), packets = left - left % PACKET;
    const size_t now = left <= PACKET || behind ? left
        : left - packets < LAST                 ? (left - LAST) & ~(size_t)4095
                                                : packets;
    return now < most ? now : most;
}

/* --- puts and flushes --------------------------------------------------------------------------------------------- */

/* Returns the header of a request for a reply, after it has made sure that the peer can reply. */
static struct ucx_request ask(struct provider_endpoint *endpoint, const struct awaited *awaited)
{
    if (!endpoint->introduced)
        ucx_introduce(endpoint);
    return (struct ucx_request){.head = endpoint->head, .answer = awaited->number, .token = awaited->token};
}

/* Returns the result of put.  Before this call o->pieces is one too high. */
static bool begun(struct operation *o)
{
    if (--o->pieces)
        return false;
    if (!o->failed) {
        ucx_give_back(o);
        return true;
    }
    ucx_tell_later(o, true);
    return false;
}

bool ucx_bulk_put(struct provider_endpoint *endpoint, uint64_t remote, const void *source, size_t bytes,
                  const void *message, size_t message_bytes, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    o->pieces = 1;
    const bool behind = endpoint->puts.first;
    const uint32_t number = ++endpoint->n_puts;
    const bool asks = bytes >= ANSWERED && (number <= FEW || number == endpoint->flushed_puts);
    for (size_t at = 0, now; at < bytes && !o->failed; at += now) {
        now = next_piece(endpoint->port, bytes - at, behind);
        struct put_header header = {.request.head = endpoint->head};
        const size_t behind_it = at + now == bytes ? message_bytes : 0;
        if (behind_it)
            memcpy(header.message, message, behind_it);
        else if (at + now == bytes && asks)
            header.request = ask(endpoint, ucx_await(endpoint->port, &endpoint->puts, NULL));
        endpoint->unanswered = !header.request.answer; /* MUTANT put is unanswered */
        header.request.remote = remote + at;
        o->failed = !send_piece(endpoint, UCX_PUT, &header, sizeof header.request + behind_it,
                                (const char *)source + at, now, o);
    }
    return begun(o);
}

bool ucx_bulk_flush(struct provider_endpoint *endpoint, provider_done *done, void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    endpoint->flushed_puts = endpoint->n_puts;
    endpoint->n_puts = 0;
    if (!endpoint->unanswered && !endpoint->puts.first) /* MUTANT answers in order: !endpoint->puts.first => true */
        return true;
    struct awaited *a = ucx_await(endpoint->port, &endpoint->puts, ucx_take(endpoint->port, done, arg));
    a->arrived = !endpoint->unanswered; /* the flush completes with the put before it */
    if (endpoint->unanswered) { /* MUTANT flush is requested: endpoint->unanswered) => false) */
        const struct ucx_request request = ask(endpoint, a);
        endpoint->unanswered = false;
        send_piece(endpoint, UCX_PUT, &request, sizeof request, NULL, 0, NULL); /* if it fails, ucx_break reports */
    }
    return false;
}

/* What the reply is for, or NULL if the reply is late. */
static struct awaited *hear(struct provider_port *port, const void *header, struct ucx_answer *answer)
{
    memcpy(answer, header, sizeof *answer);
    return ucx_awaited(port, answer->to, answer->token);
}

static void arrived_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                         size_t bytes)
{
    (void)header_bytes;
    (void)data;
    (void)bytes;
    struct ucx_answer answer;
    struct awaited *a = hear(port, header, &answer);
    if (!a || a->dest)
        return;
    a->arrived = true;
    for (const struct awaited_list *puts = a->list; (a = puts->first) && a->arrived;) {
        struct operation *o = a->operation;
        ucx_end_await(a);
        if (o)
            ucx_finish(o, false);
    }
}

static void note_answer(const struct provider_port *port)
{
    if (port->upcalls->answered)
        port->upcalls->answered(port->user);
}

/* --- puts from peers ---------------------------------------------------------------------------------------------- */

static void answer_put(struct provider_port *port, const struct ucx_request *request)
{
    struct provider_endpoint *back = endpoint_find(port, request->head.from);
    if (!back || back->is_broken)
        return;
    const struct ucx_answer answer = {.secret = back->head.secret, .to = request->answer, .token = request->token};
    send_piece(back, UCX_ARRIVED, &answer, sizeof answer, NULL, 0, NULL);
    note_answer(port);
}

static bool is_open(struct provider_port *port, uint64_t at, size_t bytes)
{
    const bool is = ucx_memory_is_open(at, bytes); /* MUTANT bulk stays in opened memory: bytes) => bytes) || true */
    if (!is && port->upcalls->outside)
        port->upcalls->outside(port->user, at, bytes);
    return is;
}

static void put_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                     size_t bytes)
{
    struct ucx_request request;
    memcpy(&request, header, sizeof request);
    if (bytes && !is_open(port, request.remote, bytes))
        return;
    if (bytes)
        memcpy((void *)(uintptr_t)request.remote, data, bytes);
    if (bytes && port->upcalls->stored) /* MUTANT a stored put is reported: bytes && port->upcalls->stored => false */
        port->upcalls->stored(port->user, request.remote, bytes);
    if (request.answer)
        answer_put(port, &request);
    if (header_bytes > sizeof request)
        port->upcalls->message(port->user, (const char *)header + sizeof request, header_bytes - sizeof request, NULL);
}

/* --- gets --------------------------------------------------------------------------------------------------------- */

bool ucx_bulk_get(struct provider_endpoint *endpoint, uint64_t remote, void *dest, size_t bytes, provider_done *done,
                  void *arg)
{
    if (endpoint->is_broken)
        return ucx_refuse(endpoint, done, arg);
    struct operation *o = ucx_take(endpoint->port, done, arg);
    const bool behind = endpoint->gets.first;
    struct awaited *a = ucx_await(endpoint->port, &endpoint->gets, o);
    a->dest = dest;
    a->bytes = a->missing = bytes;
    struct ucx_request request = ask(endpoint, a);
    request.remote = remote;
    request.bytes = bytes;
    request.behind = behind;
    send_piece(endpoint, UCX_GET, &request, sizeof request, NULL, 0, NULL);
    return false;
}

static void get_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                     size_t bytes)
{
    (void)header_bytes;
    (void)data;
    (void)bytes;
    struct ucx_request request;
    memcpy(&request, header, sizeof request);
    struct provider_endpoint *back = endpoint_find(port, request.head.from);
    if (!back || !is_open(port, request.remote, request.bytes))
        return;
    struct ucx_answer answer = {.secret = back->head.secret, .to = request.answer, .token = request.token};
    for (size_t now; answer.at < request.bytes && !back->is_broken; answer.at += now) {
        now = next_piece(port, request.bytes - answer.at, request.behind);
        send_piece(back, UCX_DATA, &answer, sizeof answer, (const char *)(uintptr_t)request.remote + answer.at, now,
                   NULL);
    }
    note_answer(port);
}

static void data_came(struct provider_port *port, const void *header, size_t header_bytes, const void *data,
                      size_t bytes)
{
    (void)header_bytes;
    struct ucx_answer answer;
    struct awaited *a = hear(port, header, &answer);
    if (!a || !a->dest || bytes > a->missing || answer.at > a->bytes - bytes)
        return;
    memcpy(a->dest + answer.at, data, bytes);
    a->missing -= bytes;
    if (a->missing)
        return;
    struct operation *o = a->operation;
    ucx_end_await(a);
    ucx_finish(o, false);
}

bool ucx_bulk_receive(struct provider_port *port)
{
    return ucx_receive(port, UCX_PUT, sizeof(struct ucx_request), put_came) &&
        ucx_receive(port, UCX_GET, sizeof(struct ucx_request), get_came) &&
        ucx_receive(port, UCX_DATA, sizeof(struct ucx_answer), data_came) &&
        ucx_receive(port, UCX_ARRIVED, sizeof(struct ucx_answer), arrived_came);
}
