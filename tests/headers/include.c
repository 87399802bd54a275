/* Every header can be included, in any order, more than once, by C and C++ programs; internal macros are undefined
 * afterwards. */
#include <mpp/shmemx.h>
#include <mpp/shmem.h>
#include <pshmem.h>
#include <shmem.h>
#include <shmemx.h>
#include <pshmem.h>

#if defined COPAL_DECL || defined COPAL_DECL_CTX || defined COPAL_NORETURN || \
    defined COPAL_PUT || defined COPAL_TO_ALL || defined COPAL_OVERLOAD || defined COPAL_OVERLOAD_CTX
#error "a macro for the headers' own use is left over"
#endif

/* pshmem_ names have the types of the shmem_ ones. */
int (*my_pe)(void) = pshmem_my_pe;
void (*put)(int *, const int *, size_t, int) = pshmem_int_put;
void (*pcontrol)(int, ...) = pshmem_pcontrol;
double (*fetch)(shmem_ctx_t, const double *, int) = pshmem_ctx_double_atomic_fetch;

/* The plain functions that share a name with a generic one are still there. */
void (*sync_active_set)(int, int, int, long *) = shmem_sync;
void (*wait_until_long)(long *, int, long) = shmem_wait_until;
void (*signal_add)(uint64_t *, uint64_t, int) = shmem_signal_add;
void (*signal_set)(uint64_t *, uint64_t, int) = shmem_signal_set;

void call_plain(long *psync, uint64_t *signal);
void call_plain(long *psync, uint64_t *signal)
{
    (shmem_sync)(0, 0, 1, psync);
    (shmem_wait_until)(psync, SHMEM_CMP_EQ, 1);
    (shmem_signal_add)(signal, 1, 0);
}

/* No return statement follows: the compiler knows that shmem_global_exit does not return. */
#if defined __cplusplus || __STDC_VERSION__ >= 201112L
int end_the_job(void);
int end_the_job(void)
{
    shmem_global_exit(3);
}
#endif
