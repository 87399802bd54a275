/* pes: 2 */
/* args: check */
/* Collective allocation: malloc and free of 1 KiB. */
#include "../../timing/pes.h"

enum { BYTES = 1024 };

static void malloc_free(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        void *p = shmem_malloc(bytes);
        if (!p)
            bench_expect("malloc_free", (size_t)i, 0, 1);
        shmem_free(p);
    }
}

/* The left neighbour fills the allocated block, because it is symmetric. */
static void check_symmetric(void)
{
    uint64_t *block = shmem_malloc(BYTES), *source = bench_alloc(BYTES);
    bench_fill(source, BYTES, (uint64_t)bench.pe);
    shmem_putmem(block, source, BYTES, (bench.pe + 1) % bench.pes);
    shmem_barrier_all();
    bench_expect_filled("malloc_free", block, BYTES, (uint64_t)((bench.pe + bench.pes - 1) % bench.pes));
    shmem_free(block);
    free(source);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    measure("malloc_free", BYTES, malloc_free);
    check_symmetric();
    return pes_end();
}
