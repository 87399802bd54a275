/* What the program frees may be another strand's buffer next, and nothing is to be said of what it was before: the C
 * library's functions, by which C++ and Fortran free too, are defined here and do what they do there. */
#include "races/access.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>

/* Which the C library has. NULL: it is being looked for, and what finds it frees something. */
static void *find(const char *name)
{
    static _Thread_local bool looks;
    if (looks)
        return NULL;
    looks = true;
    void *const found = dlsym(RTLD_NEXT, name);
    looks = false;
    return found;
}

#define REAL(N) static union { void *found; __typeof__(N) *call; } real; \
    real.found = real.found ? real.found : find(#N)

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
