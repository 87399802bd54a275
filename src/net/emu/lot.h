/* The random delays of disorder.  A step of an operation is delayed for some turns of progress, up to a time limit.
 * Each seed makes a different network, for example with slow puts and fast messages, or with small inboxes.  The delays
 * depend only on the seed, the PE's number, and the scheduling of the processes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum lot_step {
    LOT_MESSAGE_TAKEN, LOT_MESSAGE_LANDS, LOT_MESSAGE_COMES, LOT_PUT_TAKEN, LOT_PUT_LANDS, LOT_GET_READS, LOT_DONE,
    LOT_FLUSHED, LOT_STEPS,
};

struct lot_wait {
    uint64_t due; /* ns: the wait ends then at the latest */
    unsigned turns;
};

void lot_begin(uint64_t seed, int pe);
unsigned lot(unsigned n); /* 0 to n - 1 */

/* All zero: no wait.  now: CLOCK_MONOTONIC in ns. */
struct lot_wait lot_draw(enum lot_step step, uint64_t now);

/* Counts a turn; true when the wait is over. */
static inline bool lot_over(struct lot_wait *w, uint64_t now)
{
    if (!w->turns || now >= w->due)
        return true;
    w->turns--;
    return false;
}

unsigned lot_capacity(unsigned most); /* of inboxes: the same on all PEs */

/* How long (ns, mostly 0) this PE must pause after an event.  It uses its own random sequence, so that pauses do not
 * change the other draws. */
unsigned lot_pause(void);
