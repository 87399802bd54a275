/* A program from before version 1.3, in C89, with every deprecated form that it may use: no warning for any of them. */
#include <mpp/shmem.h>

static long psync[_SHMEM_REDUCE_SYNC_SIZE];
static double work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE], sum, part;
static long flag, counter;
static int word;

int main(void)
{
    int i, me, pes;
    long *block;
    double *aligned;
    start_pes(0);
    me = _my_pe();
    pes = _num_pes();
    for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++)
        psync[i] = _SHMEM_SYNC_VALUE;
    block = (long *)shmalloc(64);
    block = (long *)shrealloc(block, 128);
    aligned = (double *)shmemalign(64, 64);
    shmem_barrier_all();

    part = me;
    shmem_double_sum_to_all(&sum, &part, 1, 0, 0, pes, work, psync);
    shmem_barrier(0, 0, pes, psync);
    shmem_broadcast64(block, aligned, 8, 0, 0, 0, pes, psync);
    if (shmem_long_fadd(&counter, 1, 0) < shmem_long_finc(&counter, 0))
        shmem_long_add(&counter, 1, 0);
    word = shmem_int_cswap(&word, 0, 1, 0) + shmem_int_swap(&word, 2, 0) + shmem_int_fetch(&word, 0);
    shmem_int_set(&word, 3, 0);
    shmem_int_inc(&word, 0);
    shmem_long_p(&flag, 1, (me + 1) % pes);
    shmem_wait(&flag, 0);
    shmem_wait_until(&flag, _SHMEM_CMP_EQ, 1);
    shmem_long_wait(&flag, 0);
    shmem_set_lock(&counter);
    shmem_clear_lock(&counter);

    shfree(aligned);
    shfree(block);
    return 0;
}
