/* The copy that every put is, shared by the chapters that put.
 *
 * Eight bytes, the commonest small size, are stored in line. Everything else, and every check that can fail, is a tail
 * call, so the short path saves no registers. */
#ifndef COPAL_COPY_H
#define COPAL_COPY_H

#include "shmem/api.h"

#include <string.h>

/* A null pointer, or what SHMEM_DEBUG looks for. */
void check_copy(void *to, const void *from, size_t bytes, const char *routine);
void copy_and_wake(void *to, const void *from, size_t bytes, int pe);

/* Of so many bytes and more the C library's copy may not be the best. */
enum { LARGE_COPY = 1 << 20 };
void copy_large(void *to, const void *from, size_t bytes);

INLINE void copy(void *to, const void *from, size_t bytes)
{
    if (UNLIKELY(bytes >= LARGE_COPY))
        copy_large(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* The same copies, left to a helper if it takes them. */
void put_later(void *to, const void *from, size_t bytes, int pe, via how) __attribute__((cold));
void get_later(void *to, const void *from, size_t bytes, int pe, via how) __attribute__((cold));

/* Whether the operation is one for the helper: a constant no, where it is not nonblocking. */
INLINE bool is_for_later(size_t bytes, via how)
{
    return how & VIA_NBI && UNLIKELY(bytes >= node.overlap_from);
}

/* The same put or get with all there is to check; nothing to copy, for one, or a PE on another node. */
void put_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
    __attribute__((cold));
void get_slowly(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
    __attribute__((cold));

INLINE void put_bytes(void *dest, const void *source, size_t bytes, int pe, via how, const char *routine)
{
    void *to;
    if (UNLIKELY(!reach_at_once(&to, dest, bytes, pe) || !source)) {
        put_slowly(dest, source, bytes, pe, how, routine);
    } else if (bytes == 8) {
        memcpy(to, source, 8);
        wake(pe, to, 8);
    } else if (is_for_later(bytes, how)) {
        put_later(to, source, bytes, pe, how);
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
    else if (is_for_later(bytes, how))
        get_later(dest, from, bytes, pe, how);
    else
        copy(dest, from, bytes);
}

#endif
