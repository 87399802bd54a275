#include "net/message.h"

#include <string.h>
#include <sys/mman.h>

/* --- buffers ------------------------------------------------------------------------------------------------------ */

/* Does not use malloc, which the program may replace: with coarrays, malloc returns memory that other images access. */
struct buffer *buffer_new(struct port *port)
{
    struct buffer *b = port->free_buffers;
    if (LIKELY(b != NULL)) {
        port->free_buffers = b->next;
    } else {
        b = mmap(NULL, sizeof *b + net_tune.message, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (b == MAP_FAILED)
            job_fatal("the network", "no memory for a message to another node");
    }
    const struct message_head head = {.magic = MESSAGE_MAGIC, .from = self.pe};
    b->port = port;
    b->used = sizeof head;
    b->asks = b->last = 0;
    memcpy(b->data, &head, sizeof head);
    return b;
}

void buffer_drop(struct buffer *b)
{
    b->next = b->port->free_buffers;
    b->port->free_buffers = b;
}

/* failed is ignored, as the broken upcall reports failures. */
static void sent(void *arg, bool failed)
{
    (void)failed;
    struct buffer *b = arg;
    b->port->sends--;
    buffer_drop(b);
}

void buffer_send(struct buffer *b, struct provider_endpoint *to)
{
    b->port->stats.messages++;
    b->port->stats.message_bytes += b->used;
    b->port->sends++;
    if (net_provider->send(to, b->data, b->used, b->asks != 0, sent, b))
        sent(b, false);
}

void buffer_free_all(struct port *port)
{
    for (struct buffer *b = port->free_buffers, *next; b; b = next) {
        next = b->next;
        munmap(b, sizeof *b + net_tune.message);
    }
    port->free_buffers = NULL;
}

/* --- sending ------------------------------------------------------------------------------------------------------ */

void message_send(struct peer *peer)
{
    struct buffer *b = peer->buffer;
    if (!b)
        return;
    peer->buffer = NULL;
    port_count(&peer->port->posted);
    if (UNLIKELY(!peer->endpoint)) { /* the peer is dead */
        buffer_drop(b);
        return;
    }
    buffer_send(b, peer->endpoint);
}

/* Messages beyond the limit are sent by the next turn of progress after others have completed. */
void message_send_all(struct port *port)
{
    while (message_may_send(port)) {
        struct peer *peer = port->dirty;
        port->dirty = peer->next_dirty;
        peer->is_dirty = false;
        message_send(peer);
    }
}

/* --- records ------------------------------------------------------------------------------------------------------ */

static struct buffer *room_for(struct peer *peer, size_t bytes)
{
    struct buffer *b = peer->buffer;
    struct port *port = peer->port;
    if (b && b->used + bytes > net_tune.message) {
        message_send(peer);
        port->last_put = 0; /* the time for sending is no pause of the program */
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

struct record *record_add(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes)
{
    const size_t all = (sizeof(struct record) + bytes + RECORD_ALIGN - 1) & ~(size_t)(RECORD_ALIGN - 1);
    struct buffer *b = room_for(peer, all);
    struct record *r = (struct record *)(b->data + b->used);
    b->last = b->used;
    b->used += (uint32_t)all;
    *r = (struct record){.kind = (uint8_t)kind, .bytes = (uint32_t)bytes, .about = about};
    peer->port->stats.records++;
    return r;
}

struct record *record_ask(struct peer *peer, enum record_kind kind, uint64_t about, size_t bytes)
{
    struct record *r = record_add(peer, kind, about, bytes);
    peer->buffer->asks = 1;
    return r;
}

/* The last record for the peer, if its message has space for this many more bytes; else NULL. */
static struct record *last_record(const struct peer *peer, size_t bytes)
{
    struct buffer *b = peer->buffer;
    return b && b->last && b->used + bytes <= net_tune.message ? (struct record *)(b->data + b->last) : NULL;
}

void record_add_amo(struct peer *peer, enum amo op, size_t size, place word, uint64_t value)
{
    struct args_post *a;
    struct record *r = last_record(peer, sizeof *a);
    if (r && r->kind == RECORD_AMO && r->op == op && r->size == size) {
        a = (struct args_post *)(peer->buffer->data + peer->buffer->used);
        r->bytes += sizeof *a;
        peer->buffer->used += sizeof *a;
    } else {
        r = record_add(peer, RECORD_AMO, 0, sizeof *a);
        r->op = (uint8_t)op;
        r->size = (uint8_t)size;
        a = (struct args_post *)(r + 1);
    }
    *a = (struct args_post){.word = word, .value = value};
}
