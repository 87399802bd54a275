/* What is under way at a port: operations that have been begun, and whose data or completion is still to come. */
#ifndef COPAL_EMU_ITEM_H
#define COPAL_EMU_ITEM_H

#include "emu.h"

enum item_kind { ITEM_MESSAGE, ITEM_PUT, ITEM_GET, ITEM_FLUSH, ITEM_ATOMIC };

/* Its steps: its data is taken (a message's, a put's), it lands, it is done; not always in this order. */
struct item {
    struct item *next;
    struct provider_endpoint *to;
    enum item_kind kind;
    bool taken, landed, done; /* done: its provider_done has been called, or need not be */
    bool failed, with_reply, goodbye;
    provider_done *call;
    void *arg;
    const char *source; /* read until it has been taken, then the copy */
    char *to_memory;    /* of a put, at the peer; of a get, here; an atomic's word */
    enum provider_atomic op;
    uint64_t value, cond;
    void *before;       /* where what the atomic has found goes */
    size_t bytes;
    uint64_t number;    /* of a message, at its endpoint */

    /* disorder */
    uint32_t pieces; /* those that have not been moved, a bit each */
    size_t piece;    /* bytes of one, but for the first and the last */
    struct lot_wait take, land, tell;

    /* times */
    uint64_t due;     /* of its next step */
    uint64_t arrives;
    bool injected, served; /* served: an adapter has its atomic in hand */
};

/* At the end of the port's list. Ends the process with a sentence if there is no memory. */
struct item *item_begin(struct provider_endpoint *to, enum item_kind kind, provider_done *call, void *arg);

/* Takes its data: from now on the source may be reused. */
void item_take(struct item *it);

/* Calls its provider_done. */
void item_tell(struct item *it);

/* Whether nothing more is to come of it. */
static inline bool item_over(const struct item *it)
{
    return it->done && (it->landed || it->failed);
}
/* Takes it from the list, where *link leads to it. */
void item_end(struct provider_port *port, struct item **link);

/* All of the endpoint's have failed; done is still to be called. */
void item_fail_all(const struct provider_endpoint *endpoint);

/* A flush: whether puts before it have not landed. */
bool item_puts_before(const struct item *flush);

/* A message: into the peer's inbox. False: that is full. */
bool item_send(struct item *it, unsigned capacity, uint64_t arrives);

void item_free_all(struct provider_port *port);

/* Rings for who sleeps. */
void item_ring(const struct provider_port *port, struct inbox *in);

#endif
