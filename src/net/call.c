/* Calls of functions on other PEs (net.h).  Arguments travel as records, in order with all other records.  If the
 * results do not fit in the first reply, the caller requests the rest, in segments. */
#include "net/context.h"
#include "net/hold.h"
#include "net/message.h"
#include "net/progress.h"

#include <errno.h>
#include <string.h>

/* --- arguments ---------------------------------------------------------------------------------------------------- */

/* The part of the argument list that has not been copied. */
struct gather {
    const struct iovec *at;
    size_t done; /* bytes of the first element */
};

static void gather(struct gather *g, unsigned char *to, size_t bytes)
{
    while (bytes) {
        const size_t left = g->at->iov_len - g->done, now = left < bytes ? left : bytes;
        if (now)
            memcpy(to, (const char *)g->at->iov_base + g->done, now);
        to += now;
        bytes -= now;
        g->done += now;
        if (now == left) {
            g->at++;
            g->done = 0;
        }
    }
}

/* A number that distinguishes the calls of this PE's threads, whose segments may interleave. */
static uint64_t next_call(void)
{
    static _Atomic uint32_t calls;
    return (uint64_t)atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) << 32;
}

/* The lock may be released between segments, so only the last record starts the function.  False: the peer is dead. */
static bool add_call(struct peer *peer, uint32_t number, const struct iovec *args, size_t n, const struct op *op)
{
    size_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += args[i].iov_len;
    struct gather g = {args, 0};
    const size_t most = record_room(sizeof(struct args_call));
    const size_t before = bytes > most ? (bytes - 1) / most * most : 0;
    const uint64_t about = number | (before ? next_call() : 0);
    for (size_t at = 0; at < before; at += most) {
        progress_room(peer->port);
        if (!peer->endpoint)
            return false;
        struct record *r = record_add(peer, RECORD_ARGS, about, sizeof(struct args_piece) + most);
        struct args_piece *a = (struct args_piece *)(r + 1);
        *a = (struct args_piece){.at = at, .whole = before};
        gather(&g, (unsigned char *)(a + 1), most);
    }
    progress_room(peer->port);
    peer->called = true; /* MUTANT calls are noted */
    const size_t last = sizeof(struct args_call) + bytes - before;
    struct record *r = (op ? record_ask : record_add)(peer, RECORD_CALL, about, last);
    struct args_call *a = (struct args_call *)(r + 1);
    *a = (struct args_call){.token = op ? op->token : 0, .before = before};
    gather(&g, (unsigned char *)(a + 1), bytes - before);
    return true;
}

void net_post(int pe, uint32_t number, const struct iovec *args, size_t n)
{
    struct net_context *c = net_default;
    struct peer *peer = peer_of(c->port, pe);
    context_complete_puts(c, peer); /* MUTANT posted call comes after puts */
    port_lock(c->port);
    if (add_call(peer, number, args, n, NULL)) /* MUTANT posted call is noted: add_call(peer, number, args, n, NULL); */
        context_post(c, peer, NET_DELAYED);
    port_unlock(c->port);
}

void net_notify(int pe, place word, uint64_t value)
{
    struct peer *peer = peer_of(&net_port, pe);
    port_lock(&net_port);
    record_add_amo(peer, AMO_SET, sizeof value, word, value);
    message_send(peer);
    port_unlock(&net_port);
}

/* --- replies ------------------------------------------------------------------------------------------------------ */

/* Fetches bytes [at, at + bytes) of a function's results.  If last is set, the peer then frees the results. */
static int fetch(struct net_context *c, struct peer *peer, uint64_t rest, void *to, size_t at, size_t bytes, bool last)
{
    const size_t most = record_room(sizeof(struct args_reply));
    struct op here;
    port_lock(c->port);
    /* MUTANT call waits for all of its reply: NET_BLOCKING => NET_NBI */
    struct op *op = context_begin(c, peer, NET_BLOCKING, &here);
    op->dest = to;
    op->room = bytes;
    for (size_t done = 0, now; done < bytes && progress_piece(op, peer); done += now) {
        now = bytes - done < most ? bytes - done : most;
        op_ask(op);
        *(struct args_rest *)(record_ask(peer, RECORD_REST, rest, sizeof(struct args_rest)) + 1) =
            (struct args_rest){.token = op->token, .at = done, .bytes = now, .from = at + done};
    }
    if (last)
        record_add(peer, RECORD_RELEASE, rest, 0);
    op_end(op);
    message_send(peer);
    port_unlock(c->port);
    op_wait(op, peer->pe, "shmemx_call"); /* MUTANT call waits for all of its reply: return 0; */
    return op->error;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Takes the first part of a reply.  receive returns the destination of the data, whose rest is then requested. */
static int take_reply(struct net_context *c, struct peer *peer, const unsigned char *first, size_t room,
                      net_receiver *receive, void *context)
{
    _Alignas(16) unsigned char head[NET_REPLY_HEAD];
    struct call_reply r;
    memcpy(&r, first, sizeof r);
    first += sizeof r;
    room -= sizeof r;
    const size_t head_here = least(r.head, room), data_here = least(r.bytes, room - head_here);
    memcpy(head, first, head_here);
    if (head_here < r.head) {
        const int error = fetch(c, peer, r.rest, head + head_here, head_here, r.head - head_here, false);
        if (error)
            return error;
    }
    unsigned char *to = receive(context, head, r.head, r.bytes);
    if (to && data_here)
        memcpy(to, first + head_here, data_here);
    if (!r.rest)
        return 0;
    const size_t wanted = to ? r.bytes - data_here : 0;
    return fetch(c, peer, r.rest, to ? to + data_here : NULL, r.head + data_here, wanted, true);
}

int net_call(int pe, uint32_t number, const struct iovec *args, size_t n, net_receiver *receive, void *context)
{
    struct net_context *c = net_default;
    struct peer *peer = peer_of(c->port, pe);
    const size_t room = record_room(sizeof(struct args_reply));
    unsigned char first[room];
    struct op here;
    context_complete_puts(c, peer); /* MUTANT call comes after puts */
    port_lock(c->port);
    struct op *op = context_begin(c, peer, NET_BLOCKING, &here);
    op->dest = first;
    op->room = room;
    op_ask(op);
    if (peer->endpoint && !add_call(peer, number, args, n, op))
        op->error = EHOSTDOWN;
    op_end(op);
    hold_send(peer);
    port_unlock(c->port);
    op_wait(op, pe, "shmemx_call");
    return op->error ? op->error : take_reply(c, peer, first, room, receive, context);
}
