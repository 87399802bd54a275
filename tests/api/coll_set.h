/* Active sets, for the tests of the collectives that take them: PE_start > 0, strides of 1, 2 and 4, and pSync arrays
 * that must be unchanged on return. */
#pragma once

#include <stdbool.h>
#include "coll.h"

enum { MAX_SETS = 8, N_SYNCS = 4, SYNC_LONGS = 256 };

/* A pSync may be reused when every PE has returned from the call that used it. Four arrays are used one after the
 * other, and the set synchronizes before the first is reused; the synchronization uses a fifth array, which needs no
 * such wait. */
static long psyncs[N_SYNCS + 1][SYNC_LONGS];
static int next_psync;

static inline int log_stride(const struct shape *set)
{
    return __builtin_ctz((unsigned)set->stride);
}

static inline void set_add(struct shape sets[], int *n, int start, int stride, int size)
{
    if (size < 1)
        return;
    const int behind = shmem_my_pe() - start;
    const bool in = behind >= 0 && behind % stride == 0 && behind / stride < size;
    sets[(*n)++] = (struct shape){"active set", SHMEM_TEAM_INVALID, start, stride, size, in ? behind / stride : -1};
}

/* Collective over all PEs. */
static inline int sets_make(struct shape sets[MAX_SETS])
{
    _Static_assert(SYNC_LONGS >= SHMEM_BARRIER_SYNC_SIZE && SYNC_LONGS >= SHMEM_BCAST_SYNC_SIZE, "pSync");
    _Static_assert(SYNC_LONGS >= SHMEM_COLLECT_SYNC_SIZE && SYNC_LONGS >= SHMEM_REDUCE_SYNC_SIZE, "pSync");
    _Static_assert(SYNC_LONGS >= SHMEM_ALLTOALL_SYNC_SIZE && SYNC_LONGS >= SHMEM_ALLTOALLS_SYNC_SIZE, "pSync");
    for (int i = 0; i <= N_SYNCS; i++)
        for (int j = 0; j < SYNC_LONGS; j++)
            psyncs[i][j] = SHMEM_SYNC_VALUE;
    int n = 0, n_pes = shmem_n_pes();
    set_add(sets, &n, 0, 1, n_pes);
    set_add(sets, &n, n_pes - 1, 1, 1);
    set_add(sets, &n, 1, 1, n_pes - 1);
    set_add(sets, &n, 0, 2, (n_pes + 1) / 2);
    set_add(sets, &n, 1, 2, n_pes / 2);
    set_add(sets, &n, n_pes / 2, 1, n_pes - n_pes / 2);
    set_add(sets, &n, 1, 4, (n_pes + 2) / 4);
    shmem_barrier_all();
    return n;
}

/* Starts a sequence of calls; all members of the set call it. */
static inline void set_begin(void)
{
    next_psync = 0;
}

static inline long *psync_take(const struct shape *s)
{
    if (next_psync == N_SYNCS) {
        shmem_sync(s->start, log_stride(s), s->size, psyncs[N_SYNCS]);
        next_psync = 0;
    }
    return psyncs[next_psync++];
}

static inline int psync_check(const long *psync, const char *what)
{
    for (int j = 0; j < SYNC_LONGS; j++)
        if (psync[j] != SHMEM_SYNC_VALUE) {
            CHECK(0, "%s on PE %d: pSync[%d] came back as %ld", what, shmem_my_pe(), j, psync[j]);
            break;
        }
    return 0;
}

/* The body of a function in a table: a call with a pSync. */
#define SET(...) { long *psync = psync_take(s); __VA_ARGS__; return psync_check(psync, #__VA_ARGS__); }
