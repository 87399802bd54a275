#include "reduce.h"

#include <shmem.h>
#include <string.h>

#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
static long sync_words[2][SHMEM_REDUCE_SYNC_SIZE]; /* alternate: in a reduction, the last but one has ended */
#endif
static double *work; /* symmetric: the work array of active sets, and the block that a PE gets */

bool reduce_create(size_t n)
{
#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_words[0][i] = sync_words[1][i] = SHMEM_SYNC_VALUE;
#endif
    size_t each = n > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? n : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    work = shmem_align(4096, 2 * each * sizeof *work);
    shmem_barrier_all();
    return work;
}

void reduce_destroy(void)
{
    shmem_free(work);
}

void reduce_library(double *sums, const double *block, size_t n)
{
#if SHMEM_MAJOR_VERSION == 1 && SHMEM_MINOR_VERSION < 5
    static int turn;
    size_t each = n > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? n : SHMEM_REDUCE_MIN_WRKDATA_SIZE;
    shmem_double_sum_to_all(sums, block, (int)n, 0, 0, shmem_n_pes(), work + (size_t)turn * each, sync_words[turn]);
    turn = !turn;
#else
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sums, block, n);
#endif
}

static void add_to(double *restrict sums, const double *restrict block, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sums[i] += block[i];
}

void reduce_get(double *sums, const double *block, size_t n)
{
    int me = shmem_my_pe(), n_pes = shmem_n_pes();
    shmem_barrier_all();
    memcpy(sums, block, n * sizeof *sums);
    for (int i = 1; i < n_pes; i++) {
        shmem_double_get(work, block, n, (me + i) % n_pes);
        add_to(sums, work, n);
    }
    shmem_barrier_all();
}

void reduce_flat_tree(double *sums, const double *block, size_t n)
{
    int n_pes = shmem_n_pes();
    shmem_barrier_all();
    if (shmem_my_pe() == 0) {
        memcpy(sums, block, n * sizeof *sums);
        for (int pe = 1; pe < n_pes; pe++)
            add_to(sums, shmem_ptr(block, pe), n);
        for (int pe = 1; pe < n_pes; pe++)
            memcpy(shmem_ptr(sums, pe), sums, n * sizeof *sums);
    }
    shmem_barrier_all();
}
