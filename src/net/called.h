/* Functions that other PEs call here: received segments of arguments, and results that the caller has not fetched yet.
 * Call with the port's lock.  Arguments and results of a dead PE are freed when the next arguments or results are
 * stored. */
#pragma once

#include "net/net.h"
#include "net/record.h"

/* Stores a segment of the arguments of call `about` of PE from.  False: it is invalid. */
bool called_piece(int from, uint64_t about, const struct args_piece *a, const void *data, size_t bytes);

/* All arguments in one block: `before` stored bytes, then the last segment.  The caller frees it.  NULL: incomplete. */
void *called_arguments(int from, uint64_t about, size_t before, const void *last, size_t bytes);

/* Results of a function that the caller has not fetched completely. */
struct left {
    struct left *next;
    int from;
    struct net_reply reply;
    unsigned char head[NET_REPLY_HEAD];
};
/* Stores results for a caller; returns the name by which it fetches them. */
uint64_t called_keep(int from, const struct net_reply *reply);

/* The results with that name for that PE, or NULL.  If take is set, removes them, and the caller frees them. */
struct left *called_left(int from, uint64_t name, bool take);

/* Removes and returns results for a dead PE; the caller frees them.  NULL: there are no more. */
struct left *called_of_the_dead(void);

void called_free_all(void);
