/* Operations on a network that guarantees only what provider.h promises: messages over one endpoint arrive in order, a
 * flush follows the puts before it, and sources are read until done is called.  Puts arrive late, in segments, and
 * unordered with all other operations; gets read at any time; completions are late, and inboxes are often full. */
#pragma once

#include "item.h"

/* Draws the random delays of a started operation.  True: the operation is done already. */
bool disorder_begin(struct item *it);

/* Executes the due steps of the operation, which may call the net.  True: there were any. */
bool disorder_step(struct item *it, uint64_t now);

/* Called after an event: this PE sometimes pauses. */
void disorder_pause(void);
