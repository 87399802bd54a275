/* The program's own computing in emulated time: its processor time between calls of the library counts.
 *
 * The time to read the clock does not count. In collectives, the library's steps between two accesses do not count,
 * because the network's overheads include them, unless they take longer than 10 us, such as the arithmetic of a
 * reduction, or a copy.
 *
 * Many PEs that take turns on one processor have cold caches, which makes such a step several times as long, and a
 * barrier waits for the longest of all. So the mean time of the steps is kept, and four times the mean is subtracted
 * from each computing interval of the program; a shorter interval counts as 0. */
#ifndef COPAL_COMPUTING_H
#define COPAL_COMPUTING_H

#include <stdint.h>

/* From virtual_resume on, a second counts as `factor` seconds; 0: computing is free. */
void computing_begin(double factor);

/* The program's computing since then, in ps of emulated time; counting stops until the program resumes. */
uint64_t computing_take(void);

/* The same up to that processor time of the thread (ns); counting continues. */
uint64_t computing_take_until(uint64_t ns);

#endif
