/* The boot module for programs that use MPI under a launcher that Copal does not speak with: who has called MPI_Init
 * can ask MPI who it is, and have it carry the cards.  SHMEM_BOOT=mpi insists on it.
 *
 * Nothing here is compiled or linked with an MPI, for a computer has several, and which one it is the program says: its
 * functions are looked for in the process (library.c).  That takes knowing binary interfaces.  There are three: Open
 * MPI's and the one that MPICH, Intel MPI, MVAPICH and Cray MPICH have agreed on, each as it is for more than ten
 * years, and that of MPI 5, which is in its specification.
 *
 * The launcher sees to processes that die.
 *
 *   library     MPI's functions, and its handles
 *   boot        joining, cards, the end */
#ifndef COPAL_MPI_H
#define COPAL_MPI_H

#include "boot/boot.h"

#include <stddef.h>
#include <stdint.h>

#endif
