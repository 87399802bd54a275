/* Processors for threads of the library beside the program's. */
#ifndef COPAL_BESIDE_H
#define COPAL_BESIDE_H

#include <stdbool.h>
#include <sys/types.h>

/* Moves this PE's thread to the job's processors except the program's; false if there is no other. The caller moves it
 * while it sleeps, because the kernel would wake it on the program's processor, where it would have to wait. */
bool send_beside(pid_t thread, int processor);

#endif
