/* OpenSHMEM. For libraries of version 1.4: the parts of 1.5 that this program needs, for the team of all PEs. */
#pragma once

#include <shmem.h>

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHMEM_TEAM_WORLD };

static inline void *portable_alloc(size_t bytes)
{
    void *p = shmem_malloc(bytes);
    if (!p) {
        fprintf(stderr, "IS: not enough symmetric memory for a collective\n");
        shmem_global_exit(1);
    }
    return p;
}

/* The work memory of a collective on an active set; freed after all PEs have finished. */
static inline long *portable_sync(size_t words)
{
    long *sync = portable_alloc(words * sizeof *sync);
    for (size_t i = 0; i < words; i++)
        sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    return sync;
}

static inline size_t portable_work(size_t n)
{
    size_t least = SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    return n / 2 + 1 > least ? n / 2 + 1 : least;
}

static inline void shmem_int64_sum_reduce(int team, int64_t *dest, const int64_t *source, size_t n)
{
    (void)team;
    long *sync = portable_sync(SHMEM_REDUCE_SYNC_SIZE);
    long *work = portable_alloc(portable_work(n) * sizeof *work);
    shmem_long_sum_to_all((long *)dest, (const long *)source, (int)n, 0, 0, shmem_n_pes(), work, sync);
    shmem_free(work);
    shmem_free(sync);
}

static inline void shmem_double_max_reduce(int team, double *dest, const double *source, size_t n)
{
    (void)team;
    long *sync = portable_sync(SHMEM_REDUCE_SYNC_SIZE);
    double *work = portable_alloc(portable_work(n) * sizeof *work);
    shmem_double_max_to_all(dest, source, (int)n, 0, 0, shmem_n_pes(), work, sync);
    shmem_free(work);
    shmem_free(sync);
}

static inline void shmem_alltoallmem(int team, void *dest, const void *source, size_t bytes)
{
    (void)team;
    long *sync = portable_sync(SHMEM_ALLTOALL_SYNC_SIZE);
    shmem_alltoall64(dest, source, bytes / 8, 0, 0, shmem_n_pes(), sync);
    shmem_free(sync);
}

static inline void shmem_uint32_fcollect(int team, uint32_t *dest, const uint32_t *source, size_t n)
{
    (void)team;
    long *sync = portable_sync(SHMEM_COLLECT_SYNC_SIZE);
    shmem_fcollect32(dest, source, n, 0, 0, shmem_n_pes(), sync);
    shmem_free(sync);
}

enum { SHMEM_SIGNAL_ADD };

static inline void shmem_putmem_signal_nbi(void *dest, const void *source, size_t bytes, uint64_t *signal,
                                           uint64_t value, int operation, int pe)
{
    (void)operation;
    shmem_putmem(dest, source, bytes, pe);
    shmem_fence();
    shmem_ulong_atomic_add((unsigned long *)signal, value, pe);
}

static inline void shmem_signal_wait_until(uint64_t *signal, int compare, uint64_t value)
{
    shmem_uint64_wait_until(signal, compare, value);
}

#endif
