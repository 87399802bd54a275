/* Atomics on words of other nodes.  The target's processor executes them as records; with net.adapter, NICs do. */
#include "net/context.h"
#include "net/hold.h"
#include "net/message.h"
#include "net/progress.h"
#include "net/rma.h"

/* The first atomics of a series are sent immediately, as a PE may wait for them while this PE computes; the others
 * share messages.  A wait, a fence or a quiet ends the series. */
enum { POSTS_AT_ONCE = 2 };

static void add(struct peer *peer, struct op *op, enum amo what, place word, size_t size, uint64_t value, uint64_t cond)
{
    struct record *r = record_ask(peer, RECORD_FETCH, word, sizeof(struct args_amo));
    r->op = (uint8_t)what;
    r->size = (uint8_t)size;
    *(struct args_amo *)(r + 1) = (struct args_amo){.token = op->token, .value = value, .cond = cond};
}

void net_amo_post(struct net_context *c, enum amo what, int pe, place word, size_t size, uint64_t value)
{
    if (UNLIKELY(net.adapter)) {
        rma_post_atomic(c, what, pe, word, size, value, "shmem_atomic_add");
        return;
    }
    struct peer *peer = peer_of(c->port, pe);
    port_lock(c->port);
    progress_room(c->port);
    record_add_amo(peer, what, size, word, value);
    context_post(c, peer, NET_NBI); /* MUTANT posted atomic is noted */
    const uint32_t stops = port_stops(c->port);
    if (c->posts_after != stops)
        c->posts = 0;
    c->posts_after = stops;
    if (c->posts < POSTS_AT_ONCE && !c->batch) {
        c->posts++;
        hold_send(peer);
    }
    port_unlock(c->port);
}

static struct op *fetch(struct net_context *c, enum amo what, void *to, struct peer *peer, place word, size_t size,
                        uint64_t value, uint64_t cond, enum net_mode mode, struct op *here)
{
    port_lock(c->port);
    struct op *op = context_begin(c, peer, mode, here);
    op->dest = to;
    op->room = size;
    op_ask(op);
    add(peer, op, what, word, size, value, cond);
    op_end(op);
    context_ask(c, peer, mode);
    port_unlock(c->port);
    return op;
}

uint64_t net_amo(struct net_context *c, enum amo what, int pe, place word, size_t size, uint64_t value, uint64_t cond,
                 const char *routine)
{
    uint64_t before = 0;
    struct op here;
    if (UNLIKELY(net.adapter)) {
        op_wait(rma_atomic(c, what, &before, pe, word, size, value, cond, NET_BLOCKING, &here, routine), pe, routine);
        return before;
    }
    /* MUTANT fetching atomic waits: static _Thread_local uint64_t late; fetch(c, what, &late, peer_of(c->port, pe),
     * word, size, value, cond, NET_NBI, NULL); */
    struct op *op = fetch(c, what, &before, peer_of(c->port, pe), word, size, value, cond, NET_BLOCKING, &here);
    op_wait(op, pe, routine); /* MUTANT fetching atomic waits */
    return before;
}

void net_amo_nbi(struct net_context *c, enum amo what, void *to, int pe, place word, size_t size, uint64_t value,
                 uint64_t cond)
{
    if (UNLIKELY(net.adapter)) {
        rma_atomic(c, what, to, pe, word, size, value, cond, NET_NBI, NULL, "shmem_atomic_fetch_nbi");
        return;
    }
    /* MUTANT nonblocking atomic is counted: static struct op nobody[1 << 16]; static unsigned n; fetch(c, what, to,
     * peer_of(c->port, pe), word, size, value, cond, NET_BLOCKING, &nobody[n++ % (1 << 16)]); */
    fetch(c, what, to, peer_of(c->port, pe), word, size, value, cond, NET_NBI, NULL);
}
