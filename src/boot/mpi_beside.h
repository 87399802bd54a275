/* MPI in the same process. */
#pragma once

#include <stdbool.h>

/* The program uses MPI, and is between MPI_Init and MPI_Finalize. */
bool hybrid_mpi_works(void);

/* From here on this process has a connection to the launcher by PMIx. */
void hybrid_uses_pmix(void);

/* Prints once that for MPI each PE of oshrun is a job of one rank. */
void hybrid_tell_of_ranks(void);
