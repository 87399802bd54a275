/* The OpenSHMEM below the core, and its extensions to the specification. */
#pragma once

#define COPAL_NO_GENERICS
#include <shmem.h>

/* Marks a variable that each access reads: the compiler addresses it directly, without the global offset table. */
#define CAF_HIDDEN __attribute__((visibility("hidden")))

#include <stdbool.h>

bool caf_program_calls_openshmem(void);

#if defined(__has_include)
#if __has_include(<shmemx.h>) && defined(COPAL_SHMEM_H)
#include <shmemx.h>
#endif
#endif

/* Alerts when a PE dies, backtraces, puts and gets of several blocks, and access at a PE's own addresses. */
#if defined(SHMEMX_PE_DEAD)
#define CAF_HAVE_ALERTS 1
#define CAF_HAVE_BLOCKS 1
#else
#define CAF_HAVE_ALERTS 0
#define CAF_HAVE_BLOCKS 0
#endif

/* Functions that the target's processor runs: the types of <shmemx.h>, or the same types so that callers compile. */
#if defined(SHMEMX_REPLY_HEAD)
#define CAF_HAVE_CALLS 1
typedef shmemx_reply caf_reply;
typedef shmemx_function caf_function;
typedef shmemx_receiver caf_receiver;
#else
#define CAF_HAVE_CALLS 0
typedef struct {
    void *head;
    size_t head_bytes;
    void *data;
    size_t bytes;
    void (*release)(void *data);
} caf_reply;
typedef void (*caf_function)(int pe, void *args, size_t bytes, caf_reply *reply);
typedef void *(*caf_receiver)(void *context, void *head, size_t head_bytes, size_t bytes);
#endif

/* Whether the processor executes OpenSHMEM's atomics on memory that shmem_ptr finds, so that loads see the results. */
#if defined(COPAL_SHMEM_H)
#define CAF_DIRECT_ATOMICS 1
#else
#define CAF_DIRECT_ATOMICS 0
#endif
