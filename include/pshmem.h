/* The profiling interface (10): every shmem_ routine has a second name, which begins with pshmem_.  A tool defines
 * shmem_ names itself: the program's calls reach the tool, which calls the pshmem_ names.  The type-generic names have
 * no pshmem form; they call a typed routine, which the tool sees. */
#ifndef COPAL_PSHMEM_H
#define COPAL_PSHMEM_H

#include "shmem.h"

#define COPAL_DECL(R, N, ARGS) R pshmem_##N ARGS;
#include "shmem/chapters.h"
#undef COPAL_DECL

#endif
