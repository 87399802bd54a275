/* The rows of pairs.f90 by the floor's put and get or, with -DBENCH_MPI, by MPI-3 RMA: one window, one passive epoch,
 * and a flush for each end of a segment. */
#include "../nonblocking/transfer.h"

/* as in pair_rows.f90 */
static const size_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304};
static long *remote, *local;
static int partner;
static bool sends;

static void put_many(long n, size_t bytes)
{
    for (long i = 0; i < n && sends; i++)
        put(remote, local, bytes, partner);
    quiet();
    meet();
}

static void put_sync(long n, size_t bytes)
{
    for (long i = 0; i < n && sends; i++) {
        put(remote, local, bytes, partner);
        quiet();
    }
    meet();
}

static void get_many(long n, size_t bytes)
{
    for (long i = 0; i < n && sends; i++)
        get(local, remote, bytes, partner);
    meet();
}

/* from: the data; to: where it must be afterwards, on a PE that `receives`. */
static void row(const char *name, size_t bytes, bench_op *op, long *from, long *to, bool receives)
{
    static uint64_t seed;
    seed += (uint64_t)bench.pes;
    bench_fill((uint64_t *)from, bytes, seed + (uint64_t)bench.pe);
    memset(to, 0xff, bytes);
    bench.agree(0, 0);
    measure(name, bytes, op);
    if (receives)
        bench_expect_filled(name, (uint64_t *)to, bytes, seed + (uint64_t)partner);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    char fields[32];
    pes_start(argc, argv, 2);
    const int pairs = bench.pes / 2;
    sends = bench.pe < pairs;
    partner = sends ? bench.pe + pairs : bench.pe - pairs;
    snprintf(fields, sizeof fields, "\"pairs\": %d, ", pairs);
    bench.fields = fields;
    remote = pes_alloc(BENCH_MAX_BYTES);
    local = bench_alloc(BENCH_MAX_BYTES);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i += bench.quick ? 3 : 1) {
        row("put", sizes[i], put_many, local, remote, !sends);
        row("put_sync", sizes[i], put_sync, local, remote, !sends);
        row("get", sizes[i], get_many, remote, local, sends);
    }
    return pes_end();
}
