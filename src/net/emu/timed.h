/* Operations in emulated time, by the model (fabric.h): executes the steps that are due at the job's clock.
 *
 * When the NIC has a message or put, the model is called, and returns the time of arrival.  Calls of the model are
 * therefore in the order of emulated time, although processes run in any order.  The source's process executes a put's
 * store and a get's load in the target's memory. */
#pragma once

#include "item.h"

/* Starts the operation: the processor is busy for its overhead, and then the NIC has the operation. */
void timed_begin(struct item *it);

/* Executes the due steps of the operation, which may call the net.  True: there were any. */
bool timed_step(struct item *it, uint64_t clock);

/* Sorts the inbox's messages by arrival, and delivers those that have arrived.  True: there were any. */
bool timed_receive(struct provider_port *port, uint64_t clock);

/* The time of this PE's next step or arrival; UINT64_MAX: none. */
uint64_t timed_next(const struct provider_port *port);

/* Prints the traffic since the start. */
void timed_report(void);

void timed_forget(struct provider_port *port);
