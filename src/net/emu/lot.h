/* What disorder draws: how long each step of an operation waits.
 *
 * A step waits for some turns of progress, or for some time, so that it also comes where few turns are made.  Each seed
 * makes a network of its own: one whose puts are slow and whose messages are quick, or the other way round; one whose
 * inboxes are small.  All of it follows from the seed and a PE's number, but for when the processes run. */
#ifndef COPAL_EMU_LOT_H
#define COPAL_EMU_LOT_H

#include <stdbool.h>
#include <stdint.h>

enum lot_step {
    LOT_MESSAGE_TAKEN, LOT_MESSAGE_LANDS, LOT_MESSAGE_COMES, LOT_PUT_TAKEN, LOT_PUT_LANDS, LOT_GET_READS, LOT_DONE,
    LOT_FLUSHED, LOT_STEPS,
};

struct lot_wait {
    uint64_t due; /* ns: at the latest */
    unsigned turns;
};

void lot_begin(uint64_t seed, int pe);
unsigned lot(unsigned n); /* 0 to n - 1 */

/* At once: all zero. now: CLOCK_MONOTONIC in ns. */
struct lot_wait lot_draw(enum lot_step step, uint64_t now);

/* A turn of it: true when it is over. */
static inline bool lot_over(struct lot_wait *w, uint64_t now)
{
    if (!w->turns || now >= w->due)
        return true;
    w->turns--;
    return false;
}

unsigned lot_capacity(unsigned most); /* of inboxes: the same on all PEs */

/* How long this PE is to pause after an event: ns, mostly 0.  By draws of their own, so that all others are the same as
 * without pauses. */
unsigned lot_pause(void);

#endif
