/* Nonblocking operations: how many small ones a second in windows of 64, each ended by a quiet, the bandwidth of large ones,
 * how long starting one takes, and how much of one is hidden behind computing. */
#include "../../timing/pes.h"
#include "../../timing/compute.h"

enum { WINDOW = 64, LARGE_WINDOW = 16, LARGE = 64 << 10, OVERLAPPED = 1 << 20, TURNS = 31 };
enum { HEAP_BYTES = 4 << 20 };

static long *remote; /* symmetric */
static long *local;  /* private */

static void put_window(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            long slot = i % WINDOW;
            shmem_long_put_nbi(&remote[slot], &local[slot], bytes / 8, 1);
            if (slot == WINDOW - 1 || i == n - 1)
                shmem_quiet();
        }
}

static void get_window(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            long slot = i % WINDOW;
            shmem_long_get_nbi(&local[slot], &remote[slot], bytes / 8, 1);
            if (slot == WINDOW - 1 || i == n - 1)
                shmem_quiet();
        }
}

static void put_large(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            size_t at = (size_t)(i % LARGE_WINDOW) * bytes / 8;
            shmem_long_put_nbi(remote + at, local + at, bytes / 8, 1);
            if (i % LARGE_WINDOW == LARGE_WINDOW - 1 || i == n - 1)
                shmem_quiet();
        }
}

static void get_large(long n, size_t bytes)
{
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            size_t at = (size_t)(i % LARGE_WINDOW) * bytes / 8;
            shmem_long_get_nbi(local + at, remote + at, bytes / 8, 1);
            if (i % LARGE_WINDOW == LARGE_WINDOW - 1 || i == n - 1)
                shmem_quiet();
        }
}

/* A window's first slots are those that any number of operations has moved. */
static void row(const char *name, bench_op *op, size_t bytes, size_t checked, uint64_t seed)
{
    bool put = op == put_window || op == put_large;
    bool source = bench.pe == (put ? 0 : 1);
    uint64_t *from = (uint64_t *)(put ? local : remote), *to = (uint64_t *)(put ? remote : local);
    if (source)
        bench_fill(from, HEAP_BYTES, seed);
    bench.agree(0, 0);
    measure(name, bytes, op);
    /* The batches may have been shorter than a window: one whole one. */
    if (bench.pe == 0)
        op(WINDOW, bytes);
    bench.agree(0, 0);
    if (bench.pe == (put ? 1 : 0))
        bench_expect_filled(name, to, checked, seed);
    bench.agree(0, 0);
}

static void start_one(bool put)
{
    if (put)
        shmem_long_put_nbi(remote, local, OVERLAPPED / 8, 1);
    else
        shmem_long_get_nbi(local, remote, OVERLAPPED / 8, 1);
}

/* Median time of start, work (if any), quiet; and of the start alone. */
static double overlapped_us(const char *row, bool put, const struct work *work, double *start_us)
{
    double us[TURNS], starts[TURNS];
    int turns = bench.quick ? TURNS / 2 : TURNS;
    for (int i = 0; i < turns; i++) {
        double begin = bench_now_us();
        start_one(put);
        starts[i] = bench_now_us() - begin;
        if (work)
            do_work(row, work);
        shmem_quiet();
        us[i] = bench_now_us() - begin;
    }
    *start_us = bench_median(starts, turns);
    return bench_median(us, turns);
}

/* PE 0 computes as long as the operation alone takes, and twice as long, with the operation under way.  PE 1 waits within
 * the library.  Percent: of the operation's time, what the whole does not take longer than the computing. */
static void overlap(const char *name, const char *start_name, bool put, uint64_t seed)
{
    uint64_t *from = (uint64_t *)(put ? local : remote), *to = (uint64_t *)(put ? remote : local);
    if (bench.pe == (put ? 0 : 1))
        bench_fill(from, OVERLAPPED, seed);
    if (bench.pe == (put ? 1 : 0))
        memset(to, 0, OVERLAPPED);
    bench.agree(0, 0);
    if (bench.pe == 0) {
        double start_us, ignored;
        overlapped_us(name, put, NULL, &start_us);
        double alone = overlapped_us(name, put, NULL, &start_us);
        bench_print(start_name, OVERLAPPED, start_us, start_us);
        for (int times = 1; times <= 2; times++) {
            struct work work = work_for(alone * times);
            double both = overlapped_us(name, put, &work, &ignored);
            double percent = 100 * (1 - (both - work.us) / alone);
            char row[64];
            snprintf(row, sizeof row, "%s_%dx", name, times);
            percent = percent < 0 ? 0 : percent > 100 ? 100 : percent;
            bench_print(row, OVERLAPPED, percent, percent);
        }
    }
    bench.agree(0, 0);
    if (bench.pe == (put ? 1 : 0))
        bench_expect_filled(name, to, OVERLAPPED, seed);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(HEAP_BYTES);
    local = bench_alloc(HEAP_BYTES);
    row("put_nbi_64", put_window, 8, WINDOW * 8, 1);
    row("get_nbi_64", get_window, 8, WINDOW * 8, 2);
    row("put_nbi_large", put_large, LARGE, LARGE_WINDOW * LARGE, 3);
    row("get_nbi_large", get_large, LARGE, LARGE_WINDOW * LARGE, 4);
    overlap("overlap_get", "start_get", false, 5);
    overlap("overlap_put", "start_put", true, 6);
    return pes_end();
}
