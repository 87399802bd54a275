/* iput and iget of 4096 elements of 8 bytes, every second element on both sides. */
#include "../../timing/pes.h"

enum { ELEMENTS = 4096, STRIDE = 2, BYTES = ELEMENTS * STRIDE * 8 };

static long *remote; /* symmetric */
static long *local;  /* private */

static void iput(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            shmem_long_iput(remote, local, STRIDE, STRIDE, ELEMENTS, 1);
            shmem_quiet();
        }
}

static void iget(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++)
            shmem_long_iget(local, remote, STRIDE, STRIDE, ELEMENTS, 1);
}

/* Elements between the strides must have stayed zero. */
static void expect_strided(const char *row, const long *words, uint64_t seed)
{
    for (size_t i = 0; i < ELEMENTS * STRIDE; i++)
        bench_expect(row, i, (uint64_t)words[i], i % STRIDE == 0 ? bench_pattern(seed, i) : 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(BYTES);
    local = bench_alloc(BYTES);

    bench_fill((uint64_t *)local, BYTES, 1);
    measure("iput", ELEMENTS * 8, iput);
    if (bench.pe == 1)
        expect_strided("iput", remote, 1);

    bench_fill((uint64_t *)remote, BYTES, 2);
    memset(local, 0, BYTES);
    measure("iget", ELEMENTS * 8, iget);
    if (bench.pe == 0)
        expect_strided("iget", local, 2);
    return pes_end();
}
