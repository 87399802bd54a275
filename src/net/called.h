/* Functions that other PEs call here: arguments that come in pieces, and what is left for a caller that asks for it in
 * pieces; with the port's lock.  Neither outlives a PE that is dead for longer than the next of them. */
#ifndef COPAL_NET_CALLED_H
#define COPAL_NET_CALLED_H

#include "net/net.h"
#include "net/record.h"

/* Stores a piece of the arguments of call `about` of PE from. False: it makes no sense. */
bool called_piece(int from, uint64_t about, const struct args_piece *a, const void *data, size_t bytes);

/* All of its pieces and the last one, which has `bytes` bytes: to be freed by the caller. NULL: some are missing. */
void *called_arguments(int from, uint64_t about, size_t before, const void *last, size_t bytes);

/* What a function has left, and its caller's question for more. */
struct left {
    struct left *next;
    int from;
    struct net_reply reply;
    unsigned char head[NET_REPLY_HEAD];
};
uint64_t called_keep(int from, const struct net_reply *reply);
/* What is kept of that name for that PE, or NULL; take: not any more, and the caller frees it. */
struct left *called_left(int from, uint64_t name, bool take);

/* Something of a dead PE's, which the caller is to free; NULL: there is nothing more. */
struct left *called_of_the_dead(void);

void called_free_all(void);

#endif
