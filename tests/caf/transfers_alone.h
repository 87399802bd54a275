/* What the transfers need of the rest of the coarray core, so that they can be tested without it.  Where the core is
 * linked too, its own functions are used. */
#ifndef COPAL_TESTS_TRANSFERS_ALONE_H
#define COPAL_TESTS_TRANSFERS_ALONE_H

#include "caf/arena.h"
#include "caf/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((weak)) void caf_init(void)
{
    shmem_init();
    caf_transfers_begin();
    if (!caf_reach_begin(shmem_malloc(sizeof(struct caf_about)), shmem_malloc(64), 64))
        caf_fatal("no memory");
    shmem_barrier_all();
}

__attribute__((weak)) void caf_finalize(void)
{
    shmem_finalize();
}

__attribute__((weak)) void *caf_heap_allocate(size_t bytes)
{
    return shmem_align(64, bytes);
}

__attribute__((weak)) void caf_fatal(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    shmem_global_exit(1);
    abort();
}

#endif
