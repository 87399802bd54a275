/* The program's own computing, where time is emulated: its processor time between calls of the library counts.
 *
 * Not what it takes to read that clock. In collectives not what the library's steps between two accesses take, which
 * are in the network's overheads; but what takes longer than 10 us, the arithmetic of a reduction or a copy, does.
 *
 * Where many PEs take turns on one processor its caches are cold, so that such a step takes not 0.1 us but 1 us with 64
 * PEs, and 4 us now and then; a barrier waits for the slowest of all PEs' steps, and took twice its time with 64, and
 * eight times with 1024.  So the mean of the steps is kept, and four of it are taken from each piece of the program's
 * computing: what is shorter counts for nothing. */
#ifndef COPAL_COMPUTING_H
#define COPAL_COMPUTING_H

#include <stdint.h>

/* A second counts as so many, from virtual_resume on; 0: it is free. */
void computing_begin(double factor);

/* What the program has computed since, in ps of emulated time; it does not count until it is resumed. */
uint64_t computing_take(void);

/* The same up to that time of the thread's processor (ns); what follows counts on. */
uint64_t computing_take_until(uint64_t ns);

#endif
