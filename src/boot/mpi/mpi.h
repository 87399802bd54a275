/* The bootstrap module for programs that use MPI under a launcher that Copal does not support: MPI, which the program
 * has initialized, gives the rank and distributes the endpoint addresses. SHMEM_BOOT=mpi requires it.
 *
 * The module is not compiled or linked with an MPI, because a computer may have several and the program chooses one:
 * library.c finds MPI's functions in the process. It knows three binary interfaces: Open MPI's, that of MPICH,
 * Intel MPI, MVAPICH and Cray MPICH, and that of the MPI 5 specification.
 *
 *   library     MPI's functions, and its handles
 *   by_mpi      joining, endpoint addresses, the end */
#pragma once

#include "boot/boot.h"

#include <stddef.h>
#include <stdint.h>
