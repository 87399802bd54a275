#pragma once

#include "emu.h"

enum item_kind { ITEM_MESSAGE, ITEM_PUT, ITEM_GET, ITEM_FLUSH, ITEM_ATOMIC };

/* An operation.  Its steps happen in any order: the data of a message or put is copied (taken), the operation takes
 * effect (landed), and its completion is reported to the caller (done). */
struct item {
    struct item *next;
    struct provider_endpoint *to;
    enum item_kind kind;
    bool taken, landed, done; /* done: provider_done has been called, or need not be called */
    bool failed, with_reply, goodbye;
    provider_done *call;
    void *arg;
    const char *source; /* the caller's data until taken, then the copy */
    char *to_memory;    /* destination of a put at the peer, of a get here; an atomic's word */
    enum provider_atomic op;
    uint64_t value, cond;
    void *before;       /* receives the word's previous value */
    size_t bytes;
    uint64_t number;

    /* disorder */
    uint32_t pieces; /* the segments not yet moved, one bit for each */
    size_t piece;    /* bytes of a segment, except the first and the last */
    struct lot_wait take, land, tell;

    /* times */
    uint64_t due;     /* time of its next step */
    uint64_t arrives;
    bool injected, served; /* served: a NIC executes the atomic */
};

/* Appends an item to the port's list.  Ends the process with an error if there is no memory. */
struct item *item_begin(struct provider_endpoint *to, enum item_kind kind, provider_done *call, void *arg);

/* Copies the item's data, so that the source may be reused. */
void item_take(struct item *it);

void item_tell(struct item *it);

static inline bool item_over(const struct item *it)
{
    return it->done && (it->landed || it->failed);
}
/* Removes an item from the list; *link is the pointer to it. */
void item_end(struct provider_port *port, struct item **link);

/* Fails all items of the endpoint, but does not call their provider_done. */
void item_fail_all(const struct provider_endpoint *endpoint);

/* Whether a put before this flush has not landed. */
bool item_puts_before(const struct item *flush);

/* Puts a message into the peer's inbox.  False: the inbox is full. */
bool item_send(struct item *it, unsigned capacity, uint64_t arrives);

void item_free_all(struct provider_port *port);

/* Wakes the receiver if it sleeps. */
void item_ring(const struct provider_port *port, struct inbox *in);
