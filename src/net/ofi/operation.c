#include "net/ofi/ofi.h"

#include <stdio.h>
#include <stdlib.h>

/* Providers' limits are 1 GiB or more.  A lower limit exercises every code path with every provider. */
#define PIECE_MOST ((size_t)16 << 20)

/* --- lists -------------------------------------------------------------------------------------------------------- */

void operations_begin(struct operations *list)
{
    list->first = NULL;
    list->last = &list->first;
}

static void append(struct operations *list, struct operation *o)
{
    o->next = NULL;
    o->link = list->last;
    *list->last = o;
    list->last = &o->next;
}

static void take_out(struct operations *list, struct operation *o)
{
    *o->link = o->next;
    if (o->next)
        o->next->link = o->link;
    else
        list->last = o->link;
}

static struct operation *take(struct provider_port *port)
{
    struct operation *o = port->spare;
    if (o)
        port->spare = o->next;
    else if (!(o = malloc(sizeof *o))) {
        fputs("Copal: no memory for an operation of the network; the job cannot go on\n", stderr);
        abort();
    }
    return o;
}

static void give_back(struct provider_port *port, struct operation *o)
{
    o->next = port->spare;
    port->spare = o;
}

struct operation *operation_take(struct provider_endpoint *endpoint, enum operation_kind kind, provider_done *done,
                                 void *arg)
{
    struct operation *o = take(endpoint->port);
    *o = (struct operation){.endpoint = endpoint, .kind = kind, .done = done, .arg = arg};
    if (kind == OPERATION_PUT || kind == OPERATION_FLUSH)
        o->number = endpoint->numbered++;
    endpoint->puts += kind == OPERATION_PUT;
    return o;
}

void operation_tell_later(struct provider_port *port, provider_done *done, void *arg, bool failed)
{
    struct operation *o = take(port);
    *o = (struct operation){.done = done, .arg = arg, .failed = failed};
    append(&port->finished, o);
}

static void release(struct provider_port *port, struct operation *o)
{
    if (o->slot)
        slot_give_back(port, o->slot);
    give_back(port, o);
}

/* --- completion --------------------------------------------------------------------------------------------------- */

static void finish(struct provider_port *port, struct operations *list, struct operation *o)
{
    provider_done *done = o->done;
    void *arg = o->arg;
    take_out(list, o);
    release(port, o);
    if (done)
        done(arg, false);
}

static void put_is_complete(struct provider_endpoint *endpoint, uint64_t number)
{
    endpoint->puts--;
    for (struct operation *flush = endpoint->flushes.first, *next; flush; flush = next) {
        next = flush->next;
        if (flush->number > number && --flush->puts == 0) {
            operation_tell_later(endpoint->port, flush->done, flush->arg, false);
            take_out(&endpoint->flushes, flush);
            give_back(endpoint->port, flush);
        }
    }
}

void operation_await_puts(struct operation *flush)
{
    flush->puts = flush->endpoint->puts;
    append(&flush->endpoint->flushes, flush);
}

static void abandon_all(struct provider_port *port, struct operations *list, bool libfabric_has_it)
{
    for (struct operation *o; (o = list->first);) {
        take_out(list, o);
        if (o->done)
            operation_tell_later(port, o->done, o->arg, true);
        o->endpoint = NULL;
        if (libfabric_has_it)
            append(&port->abandoned, o);
        else
            release(port, o);
        port->begun -= libfabric_has_it; /* it may stay there for ever, and other endpoints must not wait for it */
    }
}

void operation_break(struct provider_endpoint *endpoint, const char *why)
{
    struct provider_port *port = endpoint->port;
    abandon_all(port, &endpoint->queue, false);
    abandon_all(port, &endpoint->under_way, true);
    abandon_all(port, &endpoint->flushes, false);
    endpoint->puts = 0;
    if (endpoint->is_broken)
        return;
    endpoint->is_broken = port->has_broken = true;
    snprintf(endpoint->why, sizeof endpoint->why, "%s", why);
    endpoint->next_broken = port->broken;
    port->broken = endpoint;
}

/* --- posting ------------------------------------------------------------------------------------------------------ */

static int begin_put(struct fid_ep *ep, struct operation *o)
{
    const struct iovec from = {.iov_base = (unsigned char *)o->local + o->at, .iov_len = o->piece};
    const struct fi_rma_iov to = {.addr = o->remote + o->at, .len = o->piece, .key = o->key};
    const struct fi_msg_rma message = {
        .msg_iov = &from,
        .desc = (void *[]){NULL},
        .iov_count = 1,
        .addr = o->endpoint->address,
        .rma_iov = &to,
        .rma_iov_count = 1,
        .context = &o->posted.context,
    };
    return (int)fi_writemsg(ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE);
}

/* FI_DELIVERY_COMPLETE: a plain send would complete before it has arrived. */
static int begin_probe(struct fid_ep *ep, struct operation *o)
{
    const struct iovec from = {.iov_base = &o->slot->head, .iov_len = o->bytes};
    const struct fi_msg message = {
        .msg_iov = &from,
        .desc = (void *[]){NULL},
        .iov_count = 1,
        .addr = o->endpoint->address,
        .context = &o->posted.context,
    };
    return (int)fi_sendmsg(ep, &message, FI_COMPLETION | FI_DELIVERY_COMPLETE);
}

/* Posts one segment after the other: an operation has one libfabric context, thus one completion queue entry. */
static int begin(struct operation *o)
{
    const struct provider_port *port = o->endpoint->port;
    struct fid_ep *ep = port->ep;
    if (port->begun == OPERATIONS_MOST)
        return -FI_EAGAIN;
    const size_t left = o->bytes - o->at, most = ofi_info->ep_attr->max_msg_size;
    o->piece = left < PIECE_MOST ? left : PIECE_MOST;
    if (o->piece > most)
        o->piece = most;
    switch (o->kind) {
    case OPERATION_PUT:
        return begin_put(ep, o);
    case OPERATION_GET:
        return (int)fi_read(ep, (unsigned char *)o->local + o->at, o->piece, NULL, o->endpoint->address,
                            o->remote + o->at, o->key, &o->posted.context);
    default:
        if (o->slot->head.kind == MESSAGE_PROBE)
            return begin_probe(ep, o);
        return (int)fi_send(ep, &o->slot->head, o->bytes, NULL, o->endpoint->address, &o->posted.context);
    }
}

static void begin_queue(struct provider_endpoint *endpoint)
{
    for (struct operation *o; (o = endpoint->queue.first);) {
        const int error = begin(o);
        if (error == -FI_EAGAIN) {
            if (!endpoint->is_stuck) {
                endpoint->is_stuck = true;
                endpoint->next_stuck = endpoint->port->stuck;
                endpoint->port->stuck = endpoint;
            }
            return;
        }
        if (error) {
            operation_break(endpoint, fi_strerror(-error));
            return;
        }
        endpoint->refused = 0;
        endpoint->port->begun++;
        take_out(&endpoint->queue, o);
        append(&endpoint->under_way, o);
    }
}

void operation_begin(struct operation *o)
{
    append(&o->endpoint->queue, o);
    if (!o->endpoint->is_stuck)
        begin_queue(o->endpoint);
}

bool operation_begin_stuck(struct provider_port *port)
{
    struct provider_endpoint *all = port->stuck;
    port->stuck = NULL;
    for (struct provider_endpoint *e = all, *next; e; e = next) {
        next = e->next_stuck;
        e->is_stuck = false;
        begin_queue(e);
    }
    return all;
}

void operation_came(struct provider_port *port, struct operation *o, int error)
{
    struct provider_endpoint *endpoint = o->endpoint;
    if (!endpoint) {
        take_out(&port->abandoned, o);
        release(port, o);
        return;
    }
    if (error) {
        operation_break(endpoint, fi_strerror(error));
        take_out(&port->abandoned, o); /* operation_break has moved it to this list */
        release(port, o);
        return;
    }
    port->begun--;
    o->at += o->piece;
    if (o->at < o->bytes) {
        take_out(&endpoint->under_way, o);
        operation_begin(o);
        return;
    }
    if (o->kind == OPERATION_PUT)
        put_is_complete(endpoint, o->number);
    finish(port, &endpoint->under_way, o);
}

/* --- reporting ---------------------------------------------------------------------------------------------------- */

bool operation_tell(struct provider_port *port)
{
    bool any = false;
    for (struct operation *o; (o = port->finished.first); any = true) {
        provider_done *done = o->done;
        void *arg = o->arg;
        const bool failed = o->failed;
        take_out(&port->finished, o);
        give_back(port, o);
        done(arg, failed);
    }
    for (struct provider_endpoint *e; (e = port->broken); any = true) {
        port->broken = e->next_broken;
        e->is_told = true;
        if (port->upcalls)
            port->upcalls->broken(port->user, e, e->why);
    }
    return any;
}

static void free_list(struct operation *first)
{
    for (struct operation *o = first, *next; o; o = next) {
        next = o->next;
        free(o);
    }
}

void operation_free_all(struct provider_port *port)
{
    free_list(port->finished.first);
    free_list(port->abandoned.first);
    free_list(port->spare);
}
