/* The boot module for jobs that Hydra's mpiexec, MPICH's or Intel's, srun --mpi=pmi2 or flux run has started: PMI-1,
 * lines of text over the descriptor that PMI_FD names.  It needs no library.
 *
 * All that a launcher does by PMI-1 is to keep values, which are short texts, to let all processes meet, and to end
 * them.  It cannot tell who has died, so a job does not outlive its PEs here.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   wire        the connection: a line is sent, and one comes back
 *   guest       MPI, which speaks with the same launcher
 *   values      what PEs publish: bytes, as texts of the length that launchers take
 *   layout      which PEs share a node, where the launcher says so
 *   watch       the thread that notices the end of the launcher, and of a PE of this node
 *   boot        joining, cards, the end */
#ifndef COPAL_PMI_H
#define COPAL_PMI_H

#include "boot/boot.h"

#include <stddef.h>

#endif
