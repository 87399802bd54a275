/* MPI in the same process. */
#pragma once

#include <stdbool.h>

/* Whether the program uses MPI, and is between MPI_Init and MPI_Finalize. */
bool hybrid_mpi_works(void);

/* Called when this process gets a connection to the launcher by PMIx. */
void hybrid_uses_pmix(void);

/* Prints once that MPI treats each PE of oshrun as a job of one rank. */
void hybrid_tell_of_ranks(void);
