/* C++ programs may include the headers within extern "C", like those of a C library without such lines: the
 * overloads are still functions of C++. */
#ifdef __cplusplus
extern "C" {
#endif
#include <mpp/shmemx.h>
#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>
#if defined(__cplusplus) && __cplusplus >= 201103L
#include <shcoll.h>
#endif
#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) || __STDC_VERSION__ >= 199901L /* complex types */
void (*to_all)(COPAL_COMPLEXD *, const COPAL_COMPLEXD *, int, int, int, int, COPAL_COMPLEXD *, long *) =
    shmem_complexd_sum_to_all;
#endif

#if defined(__cplusplus) ? __cplusplus >= 201103L : __STDC_VERSION__ >= 201112L
void put_both(int *i, double *d);
void put_both(int *i, double *d)
{
    shmem_put(i, i + 1, 1, 0);
    shmem_put(d, d + 1, 1, 0);
}
#endif
