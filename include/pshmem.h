/* The profiling interface (10): a pshmem_ name for every shmem_ routine, which does the same.  A tool defines shmem_
 * names of its own, sees the program's calls there, and calls the pshmem_ ones.  The type-generic names have no
 * pshmem form; they end in a typed routine, which the tool sees. */
#ifndef COPAL_PSHMEM_H
#define COPAL_PSHMEM_H

#include "shmem.h"

#define COPAL_DECL(R, N, ARGS) R pshmem_##N ARGS;
#include "shmem/chapters.h"
#undef COPAL_DECL

#endif
