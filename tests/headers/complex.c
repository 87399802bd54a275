/* In C++, too, the typed and the generic names accept C's complex numbers. */
#include <shmem.h>

/* The generic names, in languages that have them. */
#if defined(__cplusplus) ? __cplusplus >= 201103L : defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define HAS_GENERICS 1
#else
#define HAS_GENERICS 0
#endif

__extension__ typedef double _Complex complexd;
__extension__ typedef float _Complex complexf;

int reduce(complexd *d, complexf *f, long *sync);
int reduce(complexd *d, complexf *f, long *sync)
{
    int failed = 0;
#if HAS_GENERICS
    failed |= shmem_complexd_sum_reduce(SHMEM_TEAM_WORLD, d, d, 1) |
              shmem_complexf_prod_reduce(SHMEM_TEAM_WORLD, f, f, 1);
    failed |= shmem_complexf_sum_inscan(SHMEM_TEAM_WORLD, f, f, 1) |
              shmem_complexd_sum_exscan(SHMEM_TEAM_WORLD, d, d, 1);
    failed |= shmem_sum_reduce(SHMEM_TEAM_WORLD, d, d, 1) | shmem_prod_reduce(SHMEM_TEAM_WORLD, f, f, 1);
    failed |= shmem_sum_inscan(SHMEM_TEAM_WORLD, d, d, 1) | shmem_sum_exscan(SHMEM_TEAM_WORLD, f, f, 1);
    shmem_complexd_sum_to_all(d, d, 1, 0, 0, 1, d, sync);
    shmem_complexf_prod_to_all(f, f, 1, 0, 0, 1, f, sync);
#else
    (void)d, (void)f, (void)sync;
#endif
    return failed;
}
