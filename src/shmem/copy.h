/* The copy that every put is, shared by the chapters that put. */
#ifndef COPAL_COPY_H
#define COPAL_COPY_H

#include "shmem/api.h"
#include "shmem/debug.h"

#include <string.h>

_Noreturn static inline void null_argument(const char *arg, size_t bytes, const char *routine)
{
    job_fatal(routine, "argument %s is a null pointer with a length of %zu bytes", arg, bytes);
}

/* Eight bytes, the commonest small size, without a call of memcpy. */
INLINE void copy_bytes(void *to, const void *from, size_t bytes)
{
    if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

INLINE void put_bytes(void *dest, const void *source, size_t bytes, int pe, const char *routine)
{
    if (UNLIKELY(bytes == 0)) {
        check_pe(pe, routine);
        return;
    }
    void *to = reach(dest, bytes, pe, routine);
    if (UNLIKELY(!source))
        null_argument("source", bytes, routine);
    if (UNLIKELY(debug_checks))
        debug_overlap(to, source, bytes, routine);
    copy_bytes(to, source, bytes);
    wake(pe, to, bytes);
}

#endif
