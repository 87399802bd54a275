/* What the transfers need of the rest of the coarray core, so that they can be tested without it.  Where the core is linked too,
 * its own functions are used. */
#ifndef COPAL_TESTS_TRANSFERS_ALONE_H
#define COPAL_TESTS_TRANSFERS_ALONE_H

#include "caf/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static int *pids; /* symmetric; by PE */

__attribute__((weak)) void caf_init(void)
{
    shmem_init();
    caf_transfers_begin();
    pids = shmem_malloc((size_t)shmem_n_pes() * sizeof *pids);
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        shmem_int_p(&pids[shmem_my_pe()], (int)getpid(), pe);
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

__attribute__((weak)) bool caf_reach_read(int pe, void *into, const void *theirs, size_t bytes)
{
    const struct iovec here = {into, bytes}, there = {(void *)(uintptr_t)theirs, bytes};
    return process_vm_readv(pids[pe], &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

__attribute__((weak)) bool caf_reach_write(int pe, void *theirs, const void *from, size_t bytes)
{
    const struct iovec here = {(void *)(uintptr_t)from, bytes}, there = {theirs, bytes};
    return process_vm_writev(pids[pe], &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

__attribute__((weak)) void caf_reach_explain(char *text, size_t size, int pe, const void *theirs, size_t bytes, int error)
{
    snprintf(text, size, "%zu bytes at %p of PE %d: %s", bytes, theirs, pe, strerror(error));
}

#endif
