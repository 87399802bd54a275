/* An MPI in this process that uses the launcher's connection, too. */
#pragma once

/* Called after wire_open. If the program has MPI, Copal forwards MPI's commands to the launcher from here on, whether
 * MPI_Init has been called or not. */
void guest_begin(void);
