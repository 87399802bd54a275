/* run: oshrun -n 4 ./active_set */
/* Collectives before teams existed: over PEs start, start + 2^log_stride, ..., with work arrays from the caller.
 * OpenSHMEM 1.5 deprecates them; this example is for programs that still use them. */
#include <shmem.h>
#include <stdio.h>

static long sync_broadcast[SHMEM_BCAST_SYNC_SIZE], sync_sum[SHMEM_REDUCE_SYNC_SIZE];
static long sync_barrier[SHMEM_BARRIER_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long source, from_root = -1, sum;

static void clear(long *sync, int n)
{
    for (int i = 0; i < n; i++)
        sync[i] = SHMEM_SYNC_VALUE;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), even = (n + 1) / 2, ok = 1;
    clear(sync_broadcast, SHMEM_BCAST_SYNC_SIZE);
    clear(sync_sum, SHMEM_REDUCE_SYNC_SIZE);
    clear(sync_barrier, SHMEM_BARRIER_SYNC_SIZE);
    source = 1000 + me;
    shmem_barrier_all(); /* the work arrays are ready on all PEs */

    if (me % 2 == 0) { /* the even PEs: start 0, stride 2^1 */
        shmem_broadcast64(&from_root, &source, 1, 0, 0, 1, even, sync_broadcast);
        shmem_long_sum_to_all(&sum, &source, 1, 0, 1, even, work, sync_sum);
        shmem_barrier(0, 1, even, sync_barrier);
        ok = from_root == (me == 0 ? -1 : 1000) && sum == 1000 * even + even * (even - 1); /* the root's is unchanged */
    }
    printf("PE %d: from root %ld, sum %ld: %s\n", me, from_root, sum, ok ? "right" : "WRONG");
    shmem_barrier_all();
    shmem_finalize();
    return !ok;
}
