#include "allocation.h"
#include "abi.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

_Thread_local const struct gfortran_guard *gfortran_guarded __attribute__((tls_model("initial-exec")));

_Thread_local bool gfortran_lends __attribute__((tls_model("initial-exec")));

bool gfortran_runs_accessors;

_Thread_local void *gfortran_last_block __attribute__((tls_model("initial-exec")));
void (*_Atomic gfortran_forget)(void *p);
void *gfortran_got, *_Atomic gfortran_kept;

void gfortran_keep(void *p)
{
    gfortran_got = NULL;
    gfortran_free(atomic_exchange(&gfortran_kept, p));
}

/* Accessors only load and store. If malloc's memory is not shared, all blocks come from the coarrays' heap. */
void *gfortran_malloc(size_t bytes)
{
    if (CAF_LIKELY(!gfortran_lends && (caf_malloc_is_shared || !gfortran_runs_accessors)))
        return caf_malloc(bytes);
    void *p = caf_lend(bytes);
    if (!p && gfortran_lends)
        caf_fatal("put: no memory for an allocatable component of %zu bytes on another image", bytes);
    return p ? p : malloc(bytes);
}

void gfortran_free(void *p)
{
    if (CAF_UNLIKELY(p == GFORTRAN_HIDDEN))
        return;
    if (CAF_LIKELY(!caf_is_not_mine(p)) || !caf_give_back(p))
        free(p);
}

size_t gfortran_usable_bytes(void *p)
{
    const size_t lent = caf_lent_bytes(p);
    return lent ? lent : malloc_usable_size(p);
}

/* gfortran does not read a reallocated block's old contents: those of a block from malloc are not copied. */
static void *replace(void *p, size_t bytes)
{
    void *to = gfortran_malloc(bytes);
    const size_t had = caf_lent_bytes(p);
    if (to && had)
        memcpy(to, p, had < bytes ? had : bytes);
    gfortran_free(p);
    return to;
}

static inline bool is_within_reach(const void *p)
{
    return !caf_malloc_is_shared || caf_arena_holds(p);
}

/* p has just been resized to `bytes` bytes. */
static void *bring_within_reach(void *p, size_t bytes)
{
    void *to = gfortran_malloc(bytes);
    if (!to || !is_within_reach(to)) {
        free(to);
        return p;
    }
    memcpy(to, p, bytes);
    free(p);
    return to;
}

GFORTRAN_API void *__wrap_realloc(void *p, size_t bytes);
void *__wrap_realloc(void *p, size_t bytes)
{
    if (CAF_UNLIKELY(gfortran_guarded && p == gfortran_guarded->buffer))
        gfortran_guarded->refuse(gfortran_guarded->context);
    if (!p || p == GFORTRAN_HIDDEN)
        return gfortran_malloc(bytes);
    if (CAF_UNLIKELY(gfortran_lends || caf_is_not_mine(p)))
        return replace(p, bytes);
    p = realloc(p, bytes);
    return CAF_LIKELY(!p || is_within_reach(p)) ? p : bring_within_reach(p, bytes);
}

GFORTRAN_API void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return gfortran_last_block = gfortran_malloc(bytes);
}
