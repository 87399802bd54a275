/* Operations in emulated time, by the model (fabric.h): executes the steps that are due at the job's clock.
 *
 * A message or put enters the model when the processor has handed it to the NIC, and the model returns its arrival.
 * The model is therefore called in the order of emulated time, whatever order the processes run in.  The source's
 * process executes the landing of a put, and the read of a get in the target's memory. */
#ifndef COPAL_EMU_TIMED_H
#define COPAL_EMU_TIMED_H

#include "item.h"

/* Starts the operation: charges its processor, and hands it to the NIC. */
void timed_begin(struct item *it);

/* Executes its steps that are due: true if there were any.  It may call the net. */
bool timed_step(struct item *it, uint64_t clock);

/* Sorts the inbox's messages by arrival, and delivers those that have arrived: true if there were any. */
bool timed_receive(struct provider_port *port, uint64_t clock);

/* The time of this PE's next step or arrival; UINT64_MAX: none. */
uint64_t timed_next(const struct provider_port *port);

/* Prints the traffic since the start. */
void timed_report(void);

void timed_forget(struct provider_port *port);

#endif
