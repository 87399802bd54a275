/* Freed memory may become another strand's buffer, so its records are removed: wraps the C library's functions, which
 * C++ and Fortran use too. */
#include "races/access.h"
#include "races/real.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

static void forget(void *block)
{
    if (__builtin_expect(access_remembers(), 0) && block)
        access_forget((uintptr_t)block, (uintptr_t)block + malloc_usable_size(block));
}

#pragma GCC visibility push(default)

void free(void *block)
{
    REAL(free);
    forget(block);
    if (real.call)
        real.call(block);
}

void *realloc(void *block, size_t bytes)
{
    REAL(realloc);
    forget(block);
    return real.call ? real.call(block, bytes) : NULL;
}

int munmap(void *at, size_t bytes)
{
    REAL(munmap);
    if (access_remembers())
        access_forget((uintptr_t)at, (uintptr_t)at + bytes);
    return real.call(at, bytes);
}

/* The records of the destination range are removed as well. */
void *mremap(void *at, size_t bytes, size_t new_bytes, int flags, ...)
{
    REAL(mremap);
    va_list more;
    va_start(more, flags);
    void *const to = flags & MREMAP_FIXED ? va_arg(more, void *) : NULL;
    va_end(more);
    if (access_remembers()) {
        access_forget((uintptr_t)at, (uintptr_t)at + bytes);
        access_forget((uintptr_t)to, (uintptr_t)to + (to ? new_bytes : 0));
    }
    return real.call(at, bytes, new_bytes, flags, to);
}
