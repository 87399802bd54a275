/* The bootstrap module for programs that use MPI under a launcher that Copal does not support: MPI, which the program
 * has initialized, gives the rank and distributes the endpoint addresses. SHMEM_BOOT=mpi requires it.
 *
 * Nothing here is compiled or linked with an MPI, because a computer has several and the program chooses: library.c
 * finds MPI's functions in the process. It knows the three binary interfaces: Open MPI's, the common one of MPICH,
 * Intel MPI, MVAPICH and Cray MPICH, and that of the MPI 5 specification.
 *
 * The launcher detects deaths.
 *
 *   library     MPI's functions, and its handles
 *   by_mpi      joining, endpoint addresses, the end */
#ifndef COPAL_MPI_H
#define COPAL_MPI_H

#include "boot/boot.h"

#include <stddef.h>
#include <stdint.h>

#endif
