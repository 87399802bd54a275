/* The floor of pairs.f90: two bare processes, memcpy through one mapping. */
#include "../../timing/pes.h"

/* as in pair_rows.f90 */
static const size_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
static uint64_t *remote, *local;

BENCH_LOOP(put, bench.pe == 0, shmem_putmem(remote, local, bytes, 1))
BENCH_LOOP(put_sync, bench.pe == 0, shmem_putmem(remote, local, bytes, 1); shmem_quiet())
BENCH_LOOP(get, bench.pe == 0, shmem_long_get((long *)local, (long *)remote, bytes / 8, 1))

static void put_row(const char *row, size_t bytes, uint64_t seed, bench_op *op)
{
    bench_fill(local, bytes, seed);
    memset(remote, 0xff, bytes);
    measure(row, bytes, op);
    if (bench.pe == 1)
        bench_expect_filled(row, remote, bytes, seed);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(BENCH_MAX_BYTES);
    local = bench_alloc(BENCH_MAX_BYTES);
    uint64_t seed = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += bench.quick ? 3 : 1) {
        const size_t bytes = sizes[i];
        put_row("put", bytes, ++seed, put);
        put_row("put_sync", bytes, ++seed, put_sync);
        bench_fill(remote, bytes, ++seed);
        memset(local, 0xff, bytes);
        measure("get", bytes, get);
        if (bench.pe == 0)
            bench_expect_filled("get", local, bytes, seed);
    }
    return pes_end();
}
