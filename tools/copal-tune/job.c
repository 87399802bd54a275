#include "job.h"

struct shcoll_group *all;

void *symmetric(size_t bytes)
{
    void *p = shmem_align(4096, bytes);
    if (!p)
        shcoll_fatal("copal-tune: %zu bytes of symmetric memory cannot be allocated; use fewer PEs or a larger "
                     "SHMEM_SYMMETRIC_SIZE", bytes);
    memset(p, 0, bytes);
    return p;
}

long told_by_0(long value)
{
    static long told;
    if (shmem_my_pe() == 0)
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_p(&told, value, pe);
    shmem_barrier_all();
    const long result = told;
    shmem_barrier_all();
    return result;
}
