/* pes: 1 2 4 */
/* args: check */
/* Strided put and get by shmem_int_iput and shmem_int_iget, and by a loop of loads and stores through shmem_ptr. */
#include "../../timing/pes.h"
#include "strides.h"

#include <stdatomic.h>

static int *there; /* the target's `remote`, mapped by this PE; NULL if this is impossible */

BENCH_LOOP(iput, bench.pe == 0,
           shmem_int_iput(remote, local, target_stride, origin_stride, ELEMENTS, target); shmem_quiet())
BENCH_LOOP(iget, bench.pe == 0, shmem_int_iget(local, remote, origin_stride, target_stride, ELEMENTS, target))

static inline void copy_strided(int *restrict dest, const int *restrict source, ptrdiff_t dst, ptrdiff_t sst)
{
    for (ptrdiff_t i = 0; i < ELEMENTS; i++)
        dest[i * dst] = source[i * sst];
}

BENCH_LOOP(store, bench.pe == 0, copy_strided(there, local, target_stride, origin_stride); shmem_quiet())

static void load(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            copy_strided(local, there, origin_stride, target_stride);
            atomic_signal_fence(memory_order_seq_cst); /* the compiler must not merge repetitions */
        }
}

static const struct way by_call = {"", iput, iget};
static const struct way by_loop = {"_ptr", store, load};

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    target = 1 % bench.pes;
    remote = pes_alloc(EXTENT_BYTES);
    local = bench_alloc(EXTENT_BYTES);
    run_way(&by_call, NULL);
    there = shmem_ptr(remote, target);
    if (bench.agree(there != NULL, 0))
        run_way(&by_loop, NULL);
    return pes_end();
}
