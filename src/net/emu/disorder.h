/* Operations on a network that guarantees only what provider.h promises: messages over one endpoint arrive in order, a
 * flush follows the puts before it, and sources are read until done is called.  Puts land late, in segments, and
 * unordered with all else; gets read at any moment; completions are late, inboxes full. */
#ifndef COPAL_EMU_DISORDER_H
#define COPAL_EMU_DISORDER_H

#include "item.h"

/* Draws the delays of an operation that has been started.  True: it is done already. */
bool disorder_begin(struct item *it);

/* Executes its steps that are due: true if there were any.  It may call the net. */
bool disorder_step(struct item *it, uint64_t now);

/* Called after an event: this PE sometimes pauses. */
void disorder_pause(void);

#endif
