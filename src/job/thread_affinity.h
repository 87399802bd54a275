/* Moves threads of the library away from the program's processor. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* Moves this PE's thread to the job's processors except `processor`, the program's; false if there is no other. The
 * thread must be asleep: then the kernel does not wake it on the program's processor, where it would have to wait. */
bool send_beside(pid_t thread, int processor);
