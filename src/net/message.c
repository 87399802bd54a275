/* Adding records to what waits for a peer, and sending it. */
#include "net/engine.h"

#include <stdlib.h>

static _Noreturn void no_memory(void)
{
    job_fatal("the network", "no memory for a message to another node");
}

/* --- buffers --------------------------------------------------------------------------------------------------------- */

struct buffer *buffer_new(struct port *port)
{
    struct buffer *b = port->free_buffers;
    if (LIKELY(b != NULL)) {
        port->free_buffers = b->next;
    } else {
        b = malloc(sizeof *b + net_buffer_bytes);
        if (!b)
            no_memory();
    }
    const struct message_head head = {.magic = MESSAGE_MAGIC, .from = self.pe};
    b->port = port;
    b->used = sizeof head;
    b->asks = 0;
    memcpy(b->data, &head, sizeof head);
    return b;
}

void buffer_free(struct buffer *b)
{
    b->next = b->port->free_buffers;
    b->port->free_buffers = b;
}

/* A failure is the broken upcall's to tell. */
static void sent(void *arg, bool failed)
{
    (void)failed;
    struct buffer *b = arg;
    b->port->sends--;
    buffer_free(b);
}

void buffer_send(struct buffer *b, struct provider_endpoint *to)
{
    net_stats.messages++;
    net_stats.message_bytes += b->used;
    b->port->sends++;
    if (provider->send(to, b->data, b->used, b->asks != 0, sent, b))
        sent(b, false);
}

void peer_send(struct peer *peer)
{
    struct buffer *b = peer->buffer;
    if (!b)
        return;
    peer->buffer = NULL;
    if (UNLIKELY(!peer->endpoint)) { /* it is dead: nobody misses this */
        buffer_free(b);
        return;
    }
    buffer_send(b, peer->endpoint);
}

void port_room(struct port *port)
{
    while (UNLIKELY(port->sends >= net_tune.sends))
        port_pause(port);
}

/* The rest goes when some of what is under way has left: whoever makes progress comes back. */
void port_send(struct port *port)
{
    while (port_may_send(port)) {
        struct peer *peer = port->dirty;
        port->dirty = peer->next_dirty;
        peer->is_dirty = false;
        peer_send(peer);
    }
}

/* --- records --------------------------------------------------------------------------------------------------------- */

static struct buffer *room_for(struct peer *peer, size_t bytes)
{
    struct buffer *b = peer->buffer;
    struct port *port = peer->port;
    if (b && b->used + bytes > net_buffer_bytes) {
        peer_send(peer);
        b = NULL;
    }
    if (!b)
        peer->buffer = b = buffer_new(port);
    if (!peer->is_dirty) {
        peer->is_dirty = true;
        peer->next_dirty = NULL;
        *(port->dirty ? port->last_dirty : &port->dirty) = peer;
        port->last_dirty = &peer->next_dirty;
    }
    return b;
}

struct record *record_add(struct peer *peer, enum record_kind kind, uint64_t at, size_t bytes)
{
    const size_t all = (sizeof(struct record) + bytes + RECORD_ALIGN - 1) & ~(size_t)(RECORD_ALIGN - 1);
    struct buffer *b = room_for(peer, all);
    struct record *r = (struct record *)(b->data + b->used);
    b->used += (uint32_t)all;
    *r = (struct record){.kind = (uint8_t)kind, .bytes = (uint32_t)bytes, .place = at};
    net_stats.records++;
    return r;
}

struct record *record_ask(struct peer *peer, enum record_kind kind, uint64_t at, size_t bytes)
{
    struct record *r = record_add(peer, kind, at, bytes);
    peer->buffer->asks = 1;
    return r;
}

/* --- what peers owe -------------------------------------------------------------------------------------------------- */

struct op *op_new(struct port *port)
{
    struct op *op = port->free_ops;
    if (op)
        port->free_ops = op->next;
    else if (!(op = malloc(sizeof *op)))
        no_memory();
    *op = (struct op){.port = port, .pooled = true, .left = 1};
    return op;
}

void op_owe(struct op *op, struct peer *peer)
{
    op->next = peer->owed;
    op->link = &peer->owed;
    if (op->next)
        op->next->link = &op->next;
    peer->owed = op;
    if (UNLIKELY(peer->dead) && !op->of_provider)
        op_fail(op);
}

struct op *op_begin(struct net_context *c, struct peer *peer, enum net_mode mode, struct op *here)
{
    struct port *port = c->port;
    struct op *op = here;
    port_room(port);
    if (mode == NET_BLOCKING) {
        *op = (struct op){.port = port, .left = 1};
    } else {
        while (UNLIKELY(atomic_load_explicit(&c->pending, memory_order_relaxed) >= net_tune.asked))
            port_pause(port);
        op = op_new(port);
        op->context = c;
        atomic_fetch_add_explicit(&c->pending, 1, memory_order_relaxed);
        atomic_store_explicit(&c->used, true, memory_order_relaxed);
    }
    op->held = true;
    op_owe(op, peer);
    return op;
}

void op_end(struct op *op)
{
    op->held = false;
    if (UNLIKELY(op->error == EHOSTDOWN) && !op->of_provider)
        atomic_store_explicit(&op->left, 1, memory_order_relaxed); /* nobody will answer what has been asked */
    op_answered(op);
}

static void unlink_op(struct op *op)
{
    *op->link = op->next;
    if (op->next)
        op->next->link = op->link;
}

void op_answered(struct op *op)
{
    const uint32_t left = atomic_load_explicit(&op->left, memory_order_relaxed) - 1;
    if (left) {
        atomic_store_explicit(&op->left, left, memory_order_relaxed);
        return; /* who waits, waits for the last */
    }
    unlink_op(op);
    struct port *port = op->port;
    struct net_context *c = op->context;
    for (uint64_t bits = op->contexts; bits; bits &= bits - 1)
        atomic_fetch_sub_explicit(&port->flushing[__builtin_ctzll(bits)], 1, memory_order_release);
    if (c)
        atomic_fetch_sub_explicit(&c->pending, 1, memory_order_release);
    if (op->moves)
        port->moving -= op->moves;
    if (op->pooled) {
        op->next = port->free_ops;
        port->free_ops = op;
    } else {
        atomic_store_explicit(&op->left, 0, memory_order_release); /* and it may be gone */
    }
    wake(self.pe, op, sizeof *op); /* its address alone */
}

void op_fail(struct op *op)
{
    op->error = EHOSTDOWN;
    atomic_store_explicit(&op->left, 1, memory_order_relaxed);
    if (!op->held)
        op_answered(op);
}

void op_provided(void *arg, bool failed)
{
    struct op *op = arg;
    if (failed)
        op->error = EIO;
    op_answered(op);
}

void op_later(struct op *op, void (*begin)(struct op *))
{
    struct port *port = op->port;
    op->begin = begin;
    op->next_later = NULL;
    *(port->later ? port->last_later : &port->later) = op;
    port->last_later = &op->next_later;
}

void port_begin_later(struct port *port)
{
    for (struct op *op; (op = port->later);) {
        port->later = op->next_later;
        op->begin(op);
    }
}
