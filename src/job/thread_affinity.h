/* Where a thread of the library can work beside the program. */
#ifndef COPAL_BESIDE_H
#define COPAL_BESIDE_H

#include <stdbool.h>
#include <sys/types.h>

/* Sends this PE's thread to the job's processors but that one, where the program computes; false if there is none to be
 * had.  It is sent as it sleeps: the kernel would wake it where the program runs, and let it wait. */
bool send_beside(pid_t thread, int processor);

#endif
