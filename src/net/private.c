/* Access to memory that is not symmetric, by its owner's virtual addresses.  The owner's processor moves the data. */
#include "net/context.h"
#include "net/message.h"
#include "net/progress.h"

#include <string.h>

/* A position in one of the two lists of net_private. */
struct cursor {
    const struct iovec *at;
    size_t n, done; /* done: bytes of the first of n elements */
};

static size_t left_here(struct cursor *c)
{
    while (c->n && c->done == c->at->iov_len) {
        c->at++;
        c->n--;
        c->done = 0;
    }
    return c->n ? c->at->iov_len - c->done : 0;
}

static char *here(const struct cursor *c)
{
    return (char *)c->at->iov_base + c->done;
}

static void ask_read(struct peer *peer, struct op *op, char *mine, uint64_t theirs, size_t bytes)
{
    struct record *r = record_ask(peer, RECORD_READ, theirs, sizeof(struct args_get));
    *(struct args_get *)(r + 1) =
        (struct args_get){.token = op->token, .at = (uint64_t)(mine - (char *)op->dest), .bytes = bytes};
}

static void ask_write(struct peer *peer, struct op *op, const char *mine, uint64_t theirs, size_t bytes)
{
    struct record *r = record_ask(peer, RECORD_WRITE, theirs, sizeof(struct args_token) + bytes);
    struct args_token *a = (struct args_token *)(r + 1);
    a->token = op->token;
    memcpy(a + 1, mine, bytes);
}

/* One request for each range that is contiguous on both sides and fits in a message, and one wait for all. */
int net_private(int pe, bool write, const struct iovec *mine, size_t n_mine, const struct iovec *theirs,
                size_t n_theirs)
{
    struct net_context *c = net_default;
    struct peer *peer = peer_of(c->port, pe);
    const size_t most = record_room(write ? sizeof(struct args_token) : sizeof(struct args_reply));
    struct cursor my = {mine, n_mine, 0}, their = {theirs, n_theirs, 0};
    struct op here_op;
    port_lock(c->port);
    /* MUTANT foreign memory is waited for: NET_BLOCKING => NET_NBI */
    struct op *op = context_begin(c, peer, NET_BLOCKING, &here_op);
    op->dest = left_here(&my) ? (unsigned char *)here(&my) : NULL;
    op->room = SIZE_MAX;
    while (left_here(&my) && left_here(&their) && progress_piece(op, peer)) {
        size_t bytes = left_here(&my) < left_here(&their) ? left_here(&my) : left_here(&their);
        bytes = bytes < most ? bytes : most;
        op_ask(op);
        if (write)
            ask_write(peer, op, here(&my), (uintptr_t)here(&their), bytes);
        else
            ask_read(peer, op, here(&my), (uintptr_t)here(&their), bytes);
        my.done += bytes;
        their.done += bytes;
    }
    op_end(op);
    message_send(peer);
    port_unlock(c->port);
    op_wait(op, pe, write ? "shmemx_writev" : "shmemx_readv"); /* MUTANT foreign memory is waited for: return 0; */
    return op->error;
}
