/* An adapter's atomic operations, which are atomic among each other and no more: an adapter reads the word, and stores
 * it later.  So what a processor does to the word at the same time is lost, as on hardware. */
#ifndef COPAL_EMU_ATOMIC_H
#define COPAL_EMU_ATOMIC_H

#include "item.h"

/* False: the target's adapter has another in hand. */
bool atomic_execute(struct item *it);

#endif
