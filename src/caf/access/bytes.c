/* Contiguous bytes to and from other images. */
#include "held.h"

#include <string.h>

/* One load and one store for the sizes of scalars; false: bytes is another size. */
static inline bool copy_scalar(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 1: memcpy(to, from, 1); return true;
    case 2: memcpy(to, from, 2); return true;
    case 4: memcpy(to, from, 4); return true;
    case 8: memcpy(to, from, 8); return true;
    case 16: memmove(to, from, 16); return true;
    default: return false;
    }
}

/* From these sizes on, Copal's putmem and getmem may be faster than memmove; putmem bypasses the caches if a far
 * processor reads the data. Only Copal promises that a put within a node is complete on return. Within this image,
 * memmove is used, because the ranges may overlap. */
enum { LARGE_PUT = 4096, LARGE_GET = 1 << 20 };

static inline bool is_large(int pe, size_t bytes, size_t large)
{
    return CAF_HAVE_BLOCKS && bytes >= large && pe != caf_my_pe;
}

void caf_put_bytes(int pe, void *sym, const void *from, size_t bytes)
{
    char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        if (copy_scalar(near, from, bytes))
            return;
        if (is_large(pe, bytes, LARGE_PUT))
            shmem_putmem(sym, from, bytes, pe);
        else
            memmove(near, from, bytes);
        return;
    }
    if (bytes == 0)
        return; /* an array without elements may have no address */
    if (caf_hold_put(pe, sym, from, bytes))
        return;
    caf_before_put(pe, sym, bytes, bytes);
    caf_put_far(pe, sym, from, bytes);
}

bool caf_get_bytes(int pe, void *to, const void *sym, size_t bytes)
{
    const char *near = caf_near(pe, sym);
    if (CAF_LIKELY(near != NULL)) {
        if (copy_scalar(to, near, bytes))
            return false;
        if (is_large(pe, bytes, LARGE_GET))
            shmem_getmem(to, sym, bytes, pe);
        else
            memmove(to, near, bytes);
        return false;
    }
    if (bytes == 0)
        return false;
    caf_before_get(pe, sym, bytes, bytes);
    shmem_getmem(to, sym, bytes, pe);
    return true;
}
