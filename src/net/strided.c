/* Strided puts and gets: small blocks travel packed, as many as fit in a record; the provider moves large ones. */
#include "net/message.h"
#include "net/progress.h"
#include "net/rma.h"

#include <string.h>

static bool is_contiguous(const struct net_strided *s)
{
    return s->n == 1 || (s->remote_step == (ptrdiff_t)s->block && s->local_step == (ptrdiff_t)s->block);
}

/* How many blocks from `first` on fit in a record. */
static uint32_t fitting(const struct net_strided *s, size_t first)
{
    const size_t fit = record_room(sizeof(struct args_strided)) / s->block, left = s->n - first;
    return (uint32_t)(fit < left ? fit : left);
}

INLINE void pack(unsigned char *to, const unsigned char *from, size_t n, size_t block, ptrdiff_t step)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * block, from + (ptrdiff_t)i * step, block);
}

/* For common element sizes, the size is a constant in the loop. */
static void pack_blocks(unsigned char *to, const unsigned char *from, size_t n, size_t block, ptrdiff_t step)
{
    switch (block) {
    case 4: pack(to, from, n, 4, step); return;
    case 8: pack(to, from, n, 8, step); return;
    case 16: pack(to, from, n, 16, step); return;
    default: pack(to, from, n, block, step); return;
    }
}

void net_put_strided(struct net_context *c, int pe, place to, const void *source, const struct net_strided *s,
                     enum net_mode mode, const char *routine)
{
    if (!s->n || !s->block)
        return;
    if (is_contiguous(s)) {
        net_put(c, pe, to, source, s->n * s->block, mode, routine);
        return;
    }
    struct peer *peer = peer_of(c->port, pe);
    if (s->block > net_tune.block) {
        rma_put(c, peer, to, source, s, mode, routine);
        return;
    }
    port_lock(c->port);
    for (size_t i = 0; i < s->n;) {
        progress_room(c->port);
        const uint32_t n = fitting(s, i);
        const place at = to + (uint64_t)((ptrdiff_t)i * s->remote_step);
        struct record *r = record_add(peer, RECORD_PUT_STRIDED, at, sizeof(struct args_strided) + n * s->block);
        struct args_strided *a = (struct args_strided *)(r + 1);
        *a = (struct args_strided){.step = s->remote_step, .block = (uint32_t)s->block, .n = n};
        pack_blocks((unsigned char *)(a + 1), (const unsigned char *)source + (ptrdiff_t)i * s->local_step, n, s->block,
                    s->local_step);
        i += n;
    }
    context_post(c, peer, mode); /* MUTANT strided put is noted */
    port_unlock(c->port);
}

void net_get_strided(struct net_context *c, int pe, void *dest, place from, const struct net_strided *s,
                     enum net_mode mode, const char *routine)
{
    if (!s->n || !s->block)
        return;
    if (is_contiguous(s)) {
        net_get(c, pe, dest, from, s->n * s->block, mode, routine);
        return;
    }
    struct peer *peer = peer_of(c->port, pe);
    if (s->block > net_tune.block) {
        rma_get(c, peer, dest, from, s, mode, routine);
        return;
    }
    struct op here;
    port_lock(c->port);
    /* MUTANT strided get waits: + mode = NET_NBI; */
    struct op *op = context_begin(c, peer, mode, &here);
    op->dest = dest;
    op->room = s->n;
    op->block = s->block;
    op->step = s->local_step;
    for (size_t i = 0; i < s->n && progress_piece(op, peer);) {
        const uint32_t n = fitting(s, i);
        const place at = from + (uint64_t)((ptrdiff_t)i * s->remote_step);
        op_ask(op);
        struct record *r = record_ask(peer, RECORD_GET_STRIDED, at, sizeof(struct args_strided));
        *(struct args_strided *)(r + 1) =
            (struct args_strided){.token = op->token, .at = i, .step = s->remote_step, .block = (uint32_t)s->block,
                                  .n = n};
        i += n;
    }
    op_end(op);
    context_ask(c, peer, mode);
    port_unlock(c->port);
    if (mode == NET_BLOCKING)
        op_wait(op, pe, routine);
}
