#include "net/hold.h"

#include "common/clock.h"
#include "wait/wait.h"
#include "net/message.h"
#include "net/thread.h"

enum { AT_ONCE = 2 };    /* puts of a series that are sent immediately */
#define PAUSE 20000u     /* ns without a blocking put that count as a pause */
enum { SURE = 8 };       /* after this many puts that an operation followed, the next is held */
#define GAIN 4000u       /* least ns saved when two operations share a message */
enum { DOUBT = 1000 };   /* most puts that are sent immediately after a put was held in vain */

static void look_for_pause(struct port *port)
{
    const uint64_t at = clock_now();
    if (port->last_put && at - port->last_put > PAUSE)
        port_count(&port->pauses); /* MUTANT time ends a burst */
    port->last_put = at;
}

static bool is_burst(struct peer *peer)
{
    const uint32_t stops = port_stops(peer->port);
    if (peer->stops != stops)
        peer->burst = 0;
    peer->stops = stops;
    if (peer->burst == AT_ONCE)
        return true;
    peer->burst++;
    return false;
}

/* The counter for puts of this length to this address; other puts may share it.  NULL: the put is a signal. */
static int16_t *habit_of(struct peer *peer)
{
    const struct record *r = (const struct record *)(peer->buffer->data + peer->buffer->last);
    const uint64_t mixed = (r->about ^ r->bytes) * UINT64_C(0x9e3779b97f4a7c15);
    return r->kind == RECORD_AMO ? NULL : &peer->habits[mixed >> 32 & (PEER_HABITS - 1)];
}

/* The counter after a put was held in vain: minus the number of similar puts until the lost time is recovered. */
static int16_t doubt(uint64_t waited)
{
    return (int16_t)-(waited < DOUBT * GAIN ? waited / GAIN : DOUBT);
}

static void learn(struct peer *peer, bool followed)
{
    int16_t *const habit = peer->first;
    peer->first = NULL;
    if (!habit)
        return;
    if (followed)
        *habit = (int16_t)(*habit + (*habit < SURE));
    else if (peer->held_at)
        *habit = doubt(peer->port->last_put - peer->held_at); /* MUTANT a put that waited in vain */
    else if (*habit > 0)
        *habit = 0;
}

static bool has_paused_since(const struct peer *peer)
{
    return peer->pauses != atomic_load_explicit(&peer->port->pauses, memory_order_relaxed);
}

/* Whether the first put after a pause is held. Not if the progress thread sleeps, because a held put would wake it. */
static bool waits_for_more(struct peer *peer)
{
    learn(peer, false);
    peer->pauses = atomic_load_explicit(&peer->port->pauses, memory_order_relaxed);
    peer->first = habit_of(peer);
    /* MUTANT a flag does not wait for more: *peer->first == SURE => true */
    const bool waits = peer->first && *peer->first == SURE && !thread_sleeps();
    peer->held_at = waits ? peer->port->last_put : 0;
    return waits;
}

bool hold_put(struct peer *peer)
{
    if (!peer->port->ring) /* MUTANT a burst needs a thread */
        return false;
    look_for_pause(peer->port);
    const bool burst = is_burst(peer);
    if (has_paused_since(peer))
        return waits_for_more(peer);
    if (!burst)
        learn(peer, true);
    return burst;
}

void hold_send(struct peer *peer)
{
    if (peer->first) {
        look_for_pause(peer->port);
        learn(peer, !has_paused_since(peer));
    }
    message_send(peer);
}

void hold_send_put(struct peer *peer)
{
    message_send(peer);
    if (peer->port->ring)
        peer->port->last_put = clock_now();
}
