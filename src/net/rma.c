/* Puts and gets (net.h): as records if they are small, else by the provider. */
#include "net/rma.h"

#include "net/hold.h"
#include "net/message.h"
#include "net/progress.h"
#include "net/thread.h"

#include <string.h>

static struct op *begin_move(struct net_context *c, struct peer *peer, size_t bytes, enum net_mode mode,
                             struct op *here)
{
    struct op *op = context_begin(c, peer, mode, here);
    op->of_provider = true; /* MUTANT the provider's put outlives its peer */
    op->moves = mode == NET_NBI ? bytes : 0;
    c->port->moving += op->moves;
    return op;
}

/* --- keys --------------------------------------------------------------------------------------------------------- */

static void ask_for_key(struct net_context *c, struct peer *peer, unsigned piece, const char *routine)
{
    _Alignas(16) unsigned char packed[REGION_KEY_BYTES];
    const bool arrived = context_request(c, peer, RECORD_KEY, piece, packed, sizeof packed, routine);
    port_lock(c->port);
    if (arrived && peer->endpoint)
        peer_take_key(peer, piece, packed);
    port_unlock(c->port);
}

static void get_keys(struct net_context *c, struct peer *peer, place at, size_t bytes, const char *routine)
{
    for (size_t done = 0; done < bytes; done += region_part(at + done, bytes - done)) {
        uint64_t remote;
        port_lock(c->port);
        const bool has = peer_key(peer, at + done, &remote) || !peer->endpoint;
        port_unlock(c->port);
        if (!has)
            ask_for_key(c, peer, region_piece(at + done), routine);
    }
}

/* Gets the keys that the provider needs for put or get; without the lock. */
INLINE void reach_there(struct net_context *c, struct peer *peer, place at, size_t bytes, const char *routine)
{
    if (UNLIKELY(!(at & PLACE_DATA) && at + bytes > net_tune.reach))
        get_keys(c, peer, at, bytes, routine);
}

static void reach_blocks(struct net_context *c, struct peer *peer, place at, const struct net_strided *s,
                         const char *routine)
{
    for (size_t i = 0; i < s->n; i++)
        reach_there(c, peer, at + (uint64_t)((ptrdiff_t)i * s->remote_step), s->block, routine);
}

static void provide_put(struct op *op, struct peer *peer, place to, const char *from, size_t bytes)
{
    for (size_t at = 0, now; at < bytes; at += now) {
        uint64_t remote;
        struct provider_key *key = peer_key(peer, to + at, &remote);
        now = region_part(to + at, bytes - at);
        peer->port->stats.puts++;
        op_ask(op);
        if (!key || net_provider->put(peer->endpoint, remote, key, from + at, now, op_provided, op))
            op_provided(op, !key); /* no key: the peer is dead */
    }
}

static void provide_get(struct op *op, struct peer *peer, char *to, place from, size_t bytes)
{
    for (size_t at = 0, now; at < bytes; at += now) {
        uint64_t remote;
        struct provider_key *key = peer_key(peer, from + at, &remote);
        now = region_part(from + at, bytes - at);
        peer->port->stats.gets++;
        op_ask(op);
        if (!key || net_provider->get(peer->endpoint, remote, key, to + at, now, op_provided, op))
            op_provided(op, !key);
    }
}

/* --- atomics ------------------------------------------------------------------------------------------------------ */

_Static_assert((int)PROVIDER_SET == (int)AMO_SET && (int)PROVIDER_CSWAP == (int)AMO_CSWAP &&
               (int)PROVIDER_XOR == (int)AMO_XOR, "the provider numbers atomics as the net does");

static void provide_atomic(struct op *op, struct peer *peer, enum amo what, void *before, place word, size_t size,
                           uint64_t value, uint64_t cond)
{
    uint64_t remote;
    struct provider_key *key = peer_key(peer, word, &remote);
    op_ask(op);
    if (!key || net_provider->atomic(peer->endpoint, (enum provider_atomic)what, remote, key, size, value, cond, before,
                                     op_provided, op))
        op_provided(op, !key);
}

/* The atomic is unordered, so a fence waits for it as it waits for puts. */
struct op *rma_atomic(struct net_context *c, enum amo what, void *before, int pe, place word, size_t size,
                      uint64_t value, uint64_t cond, enum net_mode mode, struct op *here, const char *routine)
{
    struct peer *peer = peer_of(c->port, pe);
    if (atomic_load_explicit(&c->fenced, memory_order_relaxed))
        context_complete(c, peer);
    reach_there(c, peer, word, size, routine);
    port_lock(c->port);
    struct op *op = context_begin(c, peer, mode, here);
    op->of_provider = true;
    op->context = c;
    if (mode == NET_NBI) {
        atomic_store_explicit(&c->has_unordered, true, memory_order_relaxed);
        atomic_store_explicit(&c->has_puts, true, memory_order_relaxed);
    }
    provide_atomic(op, peer, what, before ? before : &op->value, word, size, value, cond);
    op_end(op);
    port_unlock(c->port);
    return op;
}

void rma_post_atomic(struct net_context *c, enum amo op, int pe, place word, size_t size, uint64_t value,
                     const char *routine)
{
    uint64_t before;
    struct op here;
    if (node_is_near(pe))
        op_wait(rma_atomic(c, op, &before, pe, word, size, value, 0, NET_BLOCKING, &here, routine), pe, routine);
    else
        rma_atomic(c, op, NULL, pe, word, size, value, 0, NET_NBI, NULL, routine);
}

/* --- puts --------------------------------------------------------------------------------------------------------- */

size_t net_in_order(void)
{
    if (net.adapter)
        return 0;
    /* MUTANT records in order are small: size_t least; return SIZE_MAX / 2; */
    size_t least = net_tune.nbi < net_tune.get ? net_tune.nbi : net_tune.get;
    least = net_tune.put < least ? net_tune.put : least;
    return least < net_tune.block ? least : net_tune.block;
}

void rma_put(struct net_context *c, struct peer *peer, place to, const void *source, const struct net_strided *s,
                enum net_mode mode, const char *routine)
{
    if (mode == NET_DELAYED) /* MUTANT put waits for its source: mode = NET_NBI; */
        /* MUTANT delayed put is blocking: mode = NET_NBI; */
        mode = NET_BLOCKING; /* the provider may read the source until the put is sent */
    context_order(c, peer); /* MUTANT put after a fence */
    reach_blocks(c, peer, to, s, routine);
    struct op here;
    port_lock(c->port);
    struct op *op = begin_move(c, peer, s->n * s->block, mode, &here);
    for (size_t i = 0; i < s->n && progress_piece(op, peer); i++) {
        context_put(c, peer); /* MUTANT put is noted */
        provide_put(op, peer, to + (uint64_t)((ptrdiff_t)i * s->remote_step),
                    (const char *)source + (ptrdiff_t)i * s->local_step, s->block);
    }
    op_end(op);
    port_unlock(c->port);
    if (mode == NET_BLOCKING)
        op_wait(op, peer->pe, routine);
    else
        thread_urge(c->port, true);
}

/* Over TCP the call that starts a put copies the data into the socket, which takes nearly as long as the put.  The next
 * turn of progress makes that call. */
static struct op *defer(struct net_context *c, struct peer *peer, place to, size_t bytes, void (*begin)(struct op *))
{
    struct op *op = begin_move(c, peer, bytes, NET_NBI, NULL);
    if (peer->endpoint && !op->error) {
        context_put(c, peer); /* MUTANT deferred put is noted */
        op_ask(op);
        op->context = c;
        op->to = to;
        op->block = bytes;
        op_later(op, begin);
    }
    return op;
}

static void begin_put(struct op *op)
{
    if (op->peer->endpoint)
        provide_put(op, op->peer, op->to, (const char *)op->dest, op->block);
    op_provided(op, !op->peer->endpoint); /* for the op_ask in defer */
}

/* Also flushes the signal: a quiet that has already begun must wait for it, and so must deferred signals after it. */
static void send_signal(struct op *op, struct op *next)
{
    struct peer *peer = op->peer;
    record_add_amo(peer, op->signal, sizeof(uint64_t), op->to, op->value);
    context_sent(op->context, peer); /* MUTANT signal after data is noted */
    context_flush(peer); /* MUTANT signal after data is flushed */
    if (next && !peer->dead)
        peer->owed->then = next; /* MUTANT deferred signals are in order: op_released(next); */
    else if (next)
        op_released(next); /* the flush has failed */
    message_send(peer);
}

/* Sends the signal: all earlier puts are complete at the peer, or ordered before messages that are sent now. */
static void puts_done(void *arg, bool failed)
{
    struct op *op = arg;
    struct peer *peer = op->peer;
    struct op *const next = op->then;
    op->then = NULL;
    if (!failed && net.adapter)
        provide_atomic(op, peer, op->signal, &op->value, op->to, sizeof(uint64_t), op->value, 0);
    if (!failed && !net.adapter && peer->endpoint)
        send_signal(op, next);
    else if (next)
        op_released(next);
    op_provided(op, failed);
}

static void begin_signal(struct op *op)
{
    struct provider_endpoint *endpoint = op->peer->endpoint;
    if (!endpoint)
        op_provided(op, true);
    /* MUTANT signal waits for data: else puts_done(op, false); */
    else if (net_provider->keeps_order(endpoint) || net_provider->flush(endpoint, puts_done, op))
        puts_done(op, false);
}

static void put_nbi_later(struct net_context *c, struct peer *peer, place to, const void *source, size_t bytes,
                          const char *routine)
{
    context_order(c, peer); /* MUTANT deferred put after a fence */
    reach_there(c, peer, to, bytes, routine);
    port_lock(c->port);
    struct op *op = defer(c, peer, to, bytes, begin_put);
    op->dest = (unsigned char *)(uintptr_t)source;
    op_end(op);
    port_unlock(c->port);
    thread_urge(c->port, false);
}

static void put_in_records(struct peer *peer, place to, const char *source, size_t bytes)
{
    const size_t most = record_room(0);
    for (size_t at = 0; at < bytes; at += most) {
        const size_t now = bytes - at < most ? bytes - at : most;
        progress_room(peer->port);
        memcpy(record_add(peer, RECORD_PUT, to + at, now) + 1, source + at, now);
    }
}

/* The most bytes of a blocking put in records.  If the provider keeps order, the peer's processor stores its puts too:
 * records then are as fast up to eight times the size, and a fence and a flag after them wait for no reply. */
static size_t most_in_records(struct peer *peer)
{
    port_lock(peer->port);
    const bool stores = peer->endpoint && net_provider->keeps_order(peer->endpoint);
    port_unlock(peer->port);
    return stores ? 8 * net_tune.put : net_tune.put;
}

void net_put(struct net_context *c, int pe, place to, const void *source, size_t bytes, enum net_mode mode,
             const char *routine)
{
    struct peer *peer = peer_of(c->port, pe);
    if (mode == NET_NBI && bytes >= net_tune.later && thread_serves()) {
        put_nbi_later(c, peer, to, source, bytes, routine);
        return;
    }
    if (mode == NET_NBI ? bytes > net_tune.nbi : bytes > net_tune.put && bytes > most_in_records(peer)) {
        rma_put(c, peer, to, source, &(struct net_strided){.n = 1, .block = bytes}, mode, routine);
        return;
    }
    if (!bytes)
        return;
    port_lock(c->port);
    put_in_records(peer, to, source, bytes);
    context_post(c, peer, mode);
    port_unlock(c->port);
}

/* The provider puts the data; when that is complete at the peer, the signal follows. */
static void put_signal_later(struct net_context *c, struct peer *peer, place to, const void *source, size_t bytes,
                             place signal, enum amo op, uint64_t value, const char *routine)
{
    context_order(c, peer); /* MUTANT deferred put with signal after a fence */
    reach_there(c, peer, to, bytes, routine);
    port_lock(c->port);
    struct op *data = defer(c, peer, to, bytes, begin_put);
    data->dest = (unsigned char *)(uintptr_t)source;
    op_end(data);
    struct op *then = defer(c, peer, signal, 0, begin_signal);
    then->signal = op;
    then->value = value;
    op_end(then);
    const bool begin = bytes < net_tune.later || !thread_serves();
    if (begin)
        op_begin_later(c->port);
    port_unlock(c->port);
    thread_urge(c->port, begin);
}

/* A put by the provider.  On return it is complete at the peer, or ordered before all later messages. */
static void put_through(struct net_context *c, struct peer *peer, place to, const void *source, size_t bytes,
                        const char *routine)
{
    context_order(c, peer); /* MUTANT put with signal after a fence */
    reach_there(c, peer, to, bytes, routine);
    struct op here;
    port_lock(c->port);
    /* MUTANT put with signal waits: NET_BLOCKING => NET_NBI */
    struct op *op = begin_move(c, peer, bytes, NET_BLOCKING, &here);
    if (progress_piece(op, peer)) {
        provide_put(op, peer, to, source, bytes);
        op_ask(op); /* MUTANT put with signal is flushed */
        /* MUTANT put with signal is flushed */
        if (net_provider->keeps_order(peer->endpoint) || net_provider->flush(peer->endpoint, op_provided, op))
            op_provided(op, false);
    }
    op_end(op);
    port_unlock(c->port);
    op_wait(op, peer->pe, routine); /* MUTANT put with signal waits */
}

/* The data and its signal, on a network that sends both together.  False: it does not. */
static bool put_and_signal(struct net_context *c, struct peer *peer, place to, const void *source, size_t bytes,
                           place signal, enum amo what, uint64_t value, const char *routine)
{
    if (!net_provider->put_message || region_part(to, bytes) < bytes)
        return false;
    context_order(c, peer); /* MUTANT put with signal after a fence */
    reach_there(c, peer, to, bytes, routine);
    struct op here;
    uint64_t remote;
    port_lock(c->port);
    if (!peer->endpoint || !net_provider->keeps_order(peer->endpoint)) {
        port_unlock(c->port);
        return false;
    }
    struct op *op = begin_move(c, peer, bytes, NET_BLOCKING, &here);
    if (progress_piece(op, peer)) {
        message_send(peer); /* MUTANT put and signal follow records */
        record_add_amo(peer, what, sizeof(uint64_t), signal, value);
        struct buffer *b = peer->buffer;
        peer->buffer = NULL;
        peer_key(peer, to, &remote);
        c->port->stats.puts++;
        op_ask(op);
        if (net_provider->put_message(peer->endpoint, remote, source, bytes, b->data, b->used, op_provided, op))
            op_provided(op, false);
        buffer_drop(b);
        context_sent(c, peer);
        if (context_expects_quiet(c))
            context_flush(peer); /* its reply is then on its way when the quiet begins */
        message_send(peer);
    }
    op_end(op);
    port_unlock(c->port);
    op_wait(op, peer->pe, routine); /* MUTANT put and signal waits */
    return true;
}

static void put_signal_by_adapter(struct net_context *c, struct peer *peer, place to, const void *source, size_t bytes,
                                  place signal, enum amo op, uint64_t value, enum net_mode mode, const char *routine)
{
    if (bytes && mode == NET_NBI) {
        reach_there(c, peer, signal, sizeof(uint64_t), routine);
        put_signal_later(c, peer, to, source, bytes, signal, op, value, routine);
        return;
    }
    if (bytes)
        put_through(c, peer, to, source, bytes, routine);
    rma_post_atomic(c, op, peer->pe, signal, sizeof(uint64_t), value, routine);
}

/* Records are in order.  A provider's put must first be complete at the peer, unless the provider keeps order. */
void net_put_signal(struct net_context *c, int pe, place to, const void *source, size_t bytes, place signal,
                    enum amo op, uint64_t value, enum net_mode mode, const char *routine)
{
    struct peer *peer = peer_of(c->port, pe);
    const bool large = bytes > net_tune.stream;
    if (net.adapter) {
        put_signal_by_adapter(c, peer, to, source, bytes, signal, op, value, mode, routine);
        return;
    }
    if (large && mode == NET_NBI) {
        put_signal_later(c, peer, to, source, bytes, signal, op, value, routine);
        return;
    }
    if (large && put_and_signal(c, peer, to, source, bytes, signal, op, value, routine))
        return;
    if (large)
        /* MUTANT large data goes before its signal: rma_put(c, peer, to, source, &(struct net_strided){.n = 1, .block =
         * bytes}, mode, routine); */
        put_through(c, peer, to, source, bytes, routine);
    port_lock(c->port);
    if (!large)
        put_in_records(peer, to, source, bytes);
    progress_room(c->port);
    record_add_amo(peer, op, sizeof(uint64_t), signal, value);
    context_post(c, peer, mode);
    if (mode == NET_BLOCKING && !c->batch) /* MUTANT a signal is no burst */
        hold_send(peer); /* a PE may wait for the signal */
    port_unlock(c->port);
}

static void begin_after(struct op *op)
{
    puts_done(op, false);
}

bool net_signal_after(int pe, place word, uint64_t value)
{
    /* Signals of one context only: several contexts may share a flush, which starts a single signal. */
    struct net_context *c = net_default;
    struct port *port = c->port;
    if (net.adapter || net.polls)
        return false;
    struct peer *peer = peer_of(port, pe);
    port_lock(port);
    struct op *op = context_begin(c, peer, NET_NBI, NULL);
    op->of_provider = true;
    op->context = c;
    op->to = word;
    op->signal = AMO_ADD;
    op->value = value;
    op->begin = begin_after;
    op_ask(op);
    context_defer(c, op);
    op_end(op);
    op_begin_later(port); /* if nothing precedes the signal */
    if (UNLIKELY(port->dirty != NULL))
        thread_kick(port); /* the limit of messages has been reached */
    port_unlock(port);
    return true;
}

/* --- gets --------------------------------------------------------------------------------------------------------- */

void rma_get(struct net_context *c, struct peer *peer, void *dest, place from, const struct net_strided *s,
                enum net_mode mode, const char *routine)
{
    /* MUTANT get waits: + mode = NET_NBI; */
    reach_blocks(c, peer, from, s, routine);
    struct op here;
    port_lock(c->port);
    struct op *op = begin_move(c, peer, s->n * s->block, mode, &here);
    for (size_t i = 0; i < s->n && progress_piece(op, peer); i++)
        provide_get(op, peer, (char *)dest + (ptrdiff_t)i * s->local_step,
                    from + (uint64_t)((ptrdiff_t)i * s->remote_step), s->block);
    op_end(op);
    port_unlock(c->port);
    if (mode == NET_BLOCKING)
        op_wait(op, peer->pe, routine);
    else
        thread_urge(c->port, true);
}

void net_get(struct net_context *c, int pe, void *dest, place from, size_t bytes, enum net_mode mode,
             const char *routine)
{
    struct peer *peer = peer_of(c->port, pe);
    if (bytes > net_tune.get) {
        rma_get(c, peer, dest, from, &(struct net_strided){.n = 1, .block = bytes}, mode, routine);
        return;
    }
    if (!bytes)
        return;
    struct op here;
    port_lock(c->port);
    /* MUTANT get by record waits: + mode = NET_NBI; */
    struct op *op = context_begin(c, peer, mode, &here);
    op->dest = dest;
    op->room = bytes;
    op_ask(op);
    struct record *r = record_ask(peer, RECORD_GET, from, sizeof(struct args_get));
    *(struct args_get *)(r + 1) = (struct args_get){.token = op->token, .bytes = bytes};
    op_end(op);
    context_ask(c, peer, mode);
    port_unlock(c->port);
    if (mode == NET_BLOCKING)
        op_wait(op, pe, routine);
}
