/* The threads of a PE that are not the program's: those of Copal and of network libraries. oshrun checks whether a
 * thread of the program may end a wait of its PE, and ignores these threads. */
#pragma once

void threads_own(int thread); /* records one of these threads */

/* Called before and after a library starts: they record the threads that the library has started. */
void threads_before(void);
void threads_after(void);
