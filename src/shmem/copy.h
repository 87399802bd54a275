/* Puts and gets of contiguous data, shared by the chapters of the API.
 *
 * Eight bytes, the most common small size, are copied inline. All other sizes and all checks that can fail are in tail
 * calls, so the short path saves no registers. */
#pragma once

#include "shmem/api.h"

#include <string.h>

/* Ends the job if to or from is NULL, or if the two overlap. */
void check_copy(void *to, const void *from, size_t bytes, const char *routine);
void copy_and_wake(void *to, const void *from, size_t bytes, int pe);

/* From this number of bytes on, the C library's copy may be slower than copy_large. */
enum { LARGE_COPY = 1 << 20 };
void copy_large(void *to, const void *from, size_t bytes);

/* From this number of bytes on, a copy to a PE may bypass the caches. */
enum { PAST_LEAST = 2048 };
void copy_to_pe(void *to, const void *from, size_t bytes, int pe);

INLINE void copy(void *to, const void *from, size_t bytes)
{
    if (UNLIKELY(bytes >= LARGE_COPY))
        copy_large(to, from, bytes);
    else
        memcpy(to, from, bytes);
}

/* After a blocking get, the program may tell the target PE, by a store, that it can overwrite the data. Therefore the
 * get's loads come before later stores. x86-64 has this order anyway. */
INLINE void order_loads(void)
{
#if !defined(__x86_64__)
    atomic_thread_fence(memory_order_acquire);
#endif
}

/* The same copies by the helper thread, if it accepts them. */
void put_later(void *to, const void *from, size_t bytes, int pe, via how) __attribute__((cold));
void get_later(void *to, const void *from, size_t bytes, int pe, via how) __attribute__((cold));

/* Whether the helper thread should do the copy. In blocking operations this is the constant false. */
INLINE bool is_for_later(size_t bytes, via how)
{
    return how & VIA_NBI && UNLIKELY(bytes >= node.overlap_from);
}

/* The same put or get with all checks, also for 0 bytes and for a PE on another node. */
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
    order_loads();
}
