/* Operations in emulated time: what is due at the job's clock, by the model (fabric.h).
 *
 * A message or put leaves when the processor has handed it to the adapter, and the model says then when it arrives; so
 * the model hears of what is sent in the order of time, whatever order the processes run in.  A put lands, and a get
 * reads the target's memory, as an event of the source's. */
#ifndef COPAL_EMU_TIMED_H
#define COPAL_EMU_TIMED_H

#include "item.h"

/* The processor has begun it: pays for it, and hands it to the adapter. */
void timed_begin(struct item *it);

/* Those of its steps that are due: true if any was.  It may call the net. */
bool timed_step(struct item *it, uint64_t clock);

/* What is in the inbox is sorted by its arrival, and what has arrived by now is received: true if anything was. */
bool timed_receive(struct provider_port *port, uint64_t clock);

/* When the next step or arrival of this PE's is due; UINT64_MAX: none is. */
uint64_t timed_next(const struct provider_port *port);

/* What has moved since the start, for people. */
void timed_report(void);

void timed_forget(struct provider_port *port);

#endif
