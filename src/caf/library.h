/* The OpenSHMEM that the core is compiled for, and what it offers beyond the specification. */
#ifndef COPAL_CAF_LIBRARY_H
#define COPAL_CAF_LIBRARY_H

#define COPAL_NO_GENERICS
#include <shmem.h>

#if defined(__has_include)
#if __has_include(<shmemx.h>) && defined(COPAL_SHMEM_H)
#include <shmemx.h>
#endif
#endif

/* Alerts when a PE dies; puts and gets of blocks that travel together, and memory at a PE's own addresses. */
#if defined(SHMEMX_PE_DEAD)
#define CAF_HAVE_ALERTS 1
#define CAF_HAVE_BLOCKS 1
#else
#define CAF_HAVE_ALERTS 0
#define CAF_HAVE_BLOCKS 0
#endif

/* Whether OpenSHMEM's atomic operations on memory that shmem_ptr finds are the processor's, so that its loads see
 * them. */
#if defined(COPAL_SHMEM_H)
#define CAF_DIRECT_ATOMICS 1
#else
#define CAF_DIRECT_ATOMICS 0
#endif

#endif
