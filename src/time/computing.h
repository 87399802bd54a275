/* The program's own computing in emulated time: its processor time between calls of the library counts.
 *
 * The time to read the clock does not count. In collectives, the library's steps between two accesses count only if
 * they take longer than 10 us and than eight times their mean, such as the arithmetic of a reduction, or a copy: the
 * network's overheads include shorter steps.
 *
 * Many PEs that take turns on one processor have cold caches, which makes a step several times as long, and a barrier
 * waits for the longest. Four times the mean time of a step is therefore subtracted from each computing interval of the
 * program; a shorter interval counts as 0. */
#pragma once

#include <stdint.h>

/* Sets how many emulated seconds a second of processor time counts; 0: computing is free. */
void computing_begin(double factor);

/* The program's computing since virtual_resume, in ps of emulated time; counting stops until the program resumes. */
uint64_t computing_take(void);

/* The same up to the thread's processor time ns; counting continues. */
uint64_t computing_take_until(uint64_t ns);
