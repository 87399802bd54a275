/* The classic Fortran interface of OpenSHMEM 1.4 and earlier: names end with an underscore, all arguments are passed by
 * address, and integers are of the default kind (4 bytes). */
#pragma once

#include "fortran.h"

/* Defines shmem_N_ and its alias copal_N_, the specific name in shmem.fh's generic interface shmem_N. */
#define CLASSIC(R, N, A) R copal_##N##_ A __attribute__((alias("shmem_" #N "_"))); R shmem_##N##_ A

#pragma GCC visibility push(hidden)

/* A count passed to the routine that NAMED names; ends the job if it is negative. */
size_t classic_count(const int *n);

#pragma GCC visibility pop
