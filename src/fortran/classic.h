/* The classic Fortran interface, that of OpenSHMEM 1.4 and before: names with an underscore after them, all arguments
 * by address, integers of the default kind (4 bytes). */
#ifndef COPAL_CLASSIC_H
#define COPAL_CLASSIC_H

#include "fortran.h"

/* Defines shmem_N_, and the name that shmem.fh has for it in a generic interface of the name shmem_N. */
#define CLASSIC(R, N, A) R copal_##N##_ A __attribute__((alias("shmem_" #N "_"))); R shmem_##N##_ A

#pragma GCC visibility push(hidden)

/* A count of the routine that NAMED has named; ends the job if it is negative. */
size_t classic_count(const int *n);

#pragma GCC visibility pop

#endif
