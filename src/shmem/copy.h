/* The copy that every put is, shared by the chapters that put.
 *
 * Eight bytes, the commonest small size, are stored in line.  Everything else, and every check that can fail, is the last
 * thing the function calls: so the short path saves no registers. */
#ifndef COPAL_COPY_H
#define COPAL_COPY_H

#include "shmem/api.h"

#include <string.h>

/* A null pointer, or what SHMEM_DEBUG looks for. */
void check_copy(void *to, const void *from, size_t bytes, const char *routine);
void copy_and_wake(void *to, const void *from, size_t bytes, int pe);

/* The same put or get with all there is to check; nothing to copy, for one, or a PE on another node. */
void put_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine) __attribute__((cold));
void get_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine) __attribute__((cold));

INLINE void put_bytes(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
{
    void *to;
    if (UNLIKELY(!reach_at_once(&to, dest, bytes, pe) || !source)) {
        put_slowly(dest, source, bytes, pe, how, routine);
    } else if (bytes == 8) {
        memcpy(to, source, 8);
        wake(pe, to, 8);
    } else {
        copy_and_wake(to, source, bytes, pe);
    }
}

INLINE void get_bytes(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
{
    void *from;
    if (UNLIKELY(!reach_at_once(&from, source, bytes, pe) || !dest))
        get_slowly(dest, source, bytes, pe, how, routine);
    else if (bytes == 8)
        memcpy(dest, from, 8);
    else
        memcpy(dest, from, bytes);
}

#endif
