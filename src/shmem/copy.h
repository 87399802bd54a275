/* The copy that every put is, shared by the chapters that put.
 *
 * Eight bytes, the commonest small size, are stored in line, and everything else is the last thing the function calls: so
 * the short path saves no registers. */
#ifndef COPAL_COPY_H
#define COPAL_COPY_H

#include "shmem/api.h"

#include <string.h>

/* A null pointer, or what SHMEM_DEBUG looks for. */
void check_copy(void *to, const void *from, size_t bytes, const char *routine);
void put_checked(void *dest, const void *source, size_t bytes, int pe, const char *routine);
void copy_and_wake(void *to, const void *from, size_t bytes, int pe);

INLINE void put_bytes(void *dest, const void *source, size_t bytes, int pe, const char *routine)
{
    if (UNLIKELY(bytes == 0)) {
        check_pe(pe, routine);
        return;
    }
    if (UNLIKELY(!source || node.debug)) {
        put_checked(dest, source, bytes, pe, routine);
        return;
    }
    void *to = reach_unwatched("dest", dest, bytes, pe, routine);
    if (bytes == 8) {
        memcpy(to, source, 8);
        wake(pe, to, 8);
        return;
    }
    copy_and_wake(to, source, bytes, pe);
}

INLINE void get_bytes(void *dest, const void *source, size_t bytes, int pe, const char *routine)
{
    if (UNLIKELY(bytes == 0)) {
        check_pe(pe, routine);
        return;
    }
    const void *from = reach_arg("source", source, bytes, pe, routine);
    if (UNLIKELY(!dest || node.debug))
        check_copy(dest, from, bytes, routine);
    if (bytes == 8)
        memcpy(dest, from, 8);
    else
        memcpy(dest, from, bytes);
}

#endif
