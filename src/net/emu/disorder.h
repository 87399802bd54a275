/* Operations on a network that keeps what provider.h promises, and nothing else: messages over one endpoint in order;
 * a flush after the puts before it; sources read until done is called.  Puts land late, in pieces, and in any order
 * with all else; gets read at any moment; completions are late, inboxes full. */
#ifndef COPAL_EMU_DISORDER_H
#define COPAL_EMU_DISORDER_H

#include "item.h"

/* Draws what becomes of an operation that has been begun. True: it is done already. */
bool disorder_begin(struct item *it);

/* What of it is due: true if anything was.  It may call the net. */
bool disorder_step(struct item *it, uint64_t now);

/* After an event: this PE is late at times. */
void disorder_pause(void);

#endif
