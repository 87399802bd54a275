/* An MPI in this process that speaks with the launcher too. */
#ifndef COPAL_PMI_GUEST_H
#define COPAL_PMI_GUEST_H

/* After wire_open.  Where the program has MPI, MPI's commands reach the launcher by Copal from here on, whether
 * MPI_Init has been called or not. */
void guest_begin(void);

#endif
