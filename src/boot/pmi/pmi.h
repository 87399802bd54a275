/* The bootstrap module for jobs that MPICH's or Intel's mpiexec (Hydra), srun --mpi=pmi2 or flux run has started:
 * PMI-1, lines of text over the descriptor that PMI_FD names. It needs no library.
 *
 * PMI-1 offers short text values, a barrier, and the end of the job. It does not report deaths, so a job does not
 * outlive its PEs here.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   wire        the connection: requests and replies, a line each
 *   guest       MPI's use of the same connection
 *   keys        values that PEs publish, as texts of the length that launchers accept
 *   layout      the nodes of the PEs, if the launcher lists them
 *   watch       the failure detector: of the launcher, and of a PE of this node
 *   by_pmi      joining, endpoint addresses, the end */
#pragma once

#include "boot/boot.h"

#include <stddef.h>
