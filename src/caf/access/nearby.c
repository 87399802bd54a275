/* Which memory is local, that is, accessed by loads and stores. */
#include "nearby.h"
#include "../memory/heap.h"
#include "../settings.h"

#include <stdlib.h>

int caf_my_pe;
bool caf_peers_are_far;
struct caf_nearby caf_nearby;

static void find_nearby(void)
{
    const int n = shmem_n_pes();
#if CAF_HAVE_CALLS
    if (shmemx_time_is_emulated()) /* each access then calls shmem_ptr, which the emulation sees */
        return;
#endif
    caf_nearby.distance = calloc((size_t)n, sizeof *caf_nearby.distance);
    if (!caf_nearby.distance)
        caf_fatal("start: no memory for the addresses of %d images' memory", n);
    for (int pe = 0; pe < n; pe++) {
        const char *near = caf_near_slowly(pe, caf_heap);
        caf_nearby.distance[pe] = near ? near - caf_heap : CAF_NOT_NEAR;
    }
    caf_nearby.from = (uintptr_t)caf_heap;
    caf_nearby.bytes = caf_heap_bytes;
}

void caf_nearby_begin(void)
{
    caf_my_pe = shmem_my_pe();
    caf_peers_are_far = caf_setting(SETTING_CAF_NEAR) == 0;
    find_nearby();
}

char *caf_near_slowly(int pe, const void *sym)
{
    if (pe == caf_my_pe)
        return (char *)(uintptr_t)sym;
    return CAF_UNLIKELY(caf_peers_are_far) ? NULL : shmem_ptr(sym, pe);
}
