/* Broadcast, sum, fcollect and alltoall over all PEs, in the active-set form that every OpenSHMEM has, and in the team
 * form where there is one.
 *
 * A window of calls uses one destination, work and pSync array each, then a barrier makes them usable again: that is
 * what the specification asks of a program, and it keeps the barrier's share of the figure small.  The root of the
 * broadcast moves on with every call, so a PE cannot send before it has received: the figure is a latency. */
#include "../../timing/pes.h"

enum { MAX_BLOCK = 1 << 20, WINDOW = 8, WINDOW_BLOCK = 64 << 10 };
#define MAX2(a, b) ((a) > (b) ? (a) : (b))
enum {
    PSYNC_WORDS = MAX2(MAX2(SHMEM_BCAST_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE),
                       MAX2(SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_REDUCE_SYNC_SIZE)),
};

static uint64_t *source;               /* symmetric: this PE's block, or one block per PE */
static uint64_t *dest;                 /* symmetric: of every call in a window */
static double *work;                   /* symmetric */
static long (*psync)[PSYNC_WORDS];     /* symmetric */
static size_t dest_words, work_doubles; /* of one call */

/* How many calls run before the barrier: one when the blocks are so large that the barrier does not show. */
static long window(size_t bytes)
{
    return bytes <= WINDOW_BLOCK ? WINDOW : 1;
}

/* Call number i of a window: 0, 1, ...; after the last one, all PEs meet. */
static void end_call(long i, size_t bytes)
{
    if (i % window(bytes) == window(bytes) - 1)
        shmem_barrier_all();
}

static uint64_t *dest_of(long i, size_t bytes)
{
    return dest + (size_t)(i % window(bytes)) * dest_words;
}

static void broadcast64(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_broadcast64(dest_of(i, bytes), source, bytes / 8, (int)(i % bench.pes), 0, 0, bench.pes,
                          psync[i % WINDOW]);
        end_call(i, bytes);
    }
}

static void sum_to_all(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        long slot = i % window(bytes);
        shmem_double_sum_to_all((double *)dest_of(i, bytes), (double *)source, (int)(bytes / 8), 0, 0, bench.pes,
                                work + (size_t)slot * work_doubles, psync[i % WINDOW]);
        end_call(i, bytes);
    }
}

static void fcollect64(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_fcollect64(dest_of(i, bytes), source, bytes / 8, 0, 0, bench.pes, psync[i % WINDOW]);
        end_call(i, bytes);
    }
}

static void alltoall64(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_alltoall64(dest_of(i, bytes), source, bytes / 8, 0, 0, bench.pes, psync[i % WINDOW]);
        end_call(i, bytes);
    }
}

#if BENCH_HAS_1_5
static void team_broadcast(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_broadcastmem(SHMEM_TEAM_WORLD, dest_of(i, bytes), source, bytes, (int)(i % bench.pes));
        end_call(i, bytes);
    }
}

static void team_sum(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, (double *)dest_of(i, bytes), (double *)source, bytes / 8);
        end_call(i, bytes);
    }
}

static void team_fcollect(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_fcollectmem(SHMEM_TEAM_WORLD, dest_of(i, bytes), source, bytes);
        end_call(i, bytes);
    }
}

static void team_alltoall(long n, size_t bytes)
{
    for (long i = 0; i < n; i++) {
        shmem_alltoallmem(SHMEM_TEAM_WORLD, dest_of(i, bytes), source, bytes);
        end_call(i, bytes);
    }
}
#endif

/* Run a few calls on cleared destinations and look at what the first one left: its root was PE 0. */
static void run_once(bench_op *op, size_t bytes)
{
    memset(dest, 0, WINDOW * dest_words * 8);
    shmem_barrier_all();
    op(1, bytes);
    shmem_barrier_all();
}

static void check_broadcast(const char *row, size_t bytes, bench_op *op)
{
    run_once(op, bytes);
    if (bench.pe != 0)
        bench_expect_filled(row, dest, bytes, 0);
}

static void check_fcollect(const char *row, size_t bytes, bench_op *op)
{
    run_once(op, bytes);
    for (int pe = 0; pe < bench.pes; pe++)
        bench_expect_filled(row, dest + (size_t)pe * bytes / 8, bytes, (uint64_t)pe);
}

static void check_alltoall(const char *row, size_t bytes, bench_op *op)
{
    run_once(op, bytes);
    size_t words = bytes / 8;
    for (size_t pe = 0; pe < (size_t)bench.pes; pe++)
        for (size_t i = 0; i < words; i++)
            bench_expect(row, i, dest[pe * words + i], bench_pattern(pe, (size_t)bench.pe * words + i));
}

/* PE p contributes (p + 1) * (i + 1): sums that a double holds exactly. */
static void check_sum(const char *row, size_t bytes, bench_op *op)
{
    run_once(op, bytes);
    double pes = bench.pes, *sum = (double *)dest;
    for (size_t i = 0; i < bytes / 8; i++)
        bench_expect(row, i, (uint64_t)sum[i], (uint64_t)(pes * (pes + 1) / 2 * (double)(i + 1)));
}

typedef void check_fn(const char *row, size_t bytes, bench_op *op);

static void row(const char *name, size_t bytes, bench_op *op, check_fn *check)
{
    dest_words = bytes / 8 * (size_t)bench.pes;
    work_doubles = MAX2(bytes / 16 + 1, (size_t)SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    if (check == check_sum)
        for (size_t i = 0; i < bytes / 8; i++)
            ((double *)source)[i] = (double)(bench.pe + 1) * (double)(i + 1);
    else
        bench_fill(source, bytes * (size_t)bench.pes, (uint64_t)bench.pe);
    bench.agree(0, 0);
    measure(name, bytes, op);
    check(name, bytes, op);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    source = pes_alloc((size_t)bench.pes * MAX_BLOCK);
    dest = pes_alloc((size_t)bench.pes * MAX2(MAX_BLOCK, WINDOW * WINDOW_BLOCK));
    work = pes_alloc(MAX2(MAX_BLOCK, WINDOW * WINDOW_BLOCK) + WINDOW * SHMEM_REDUCE_MIN_WRKDATA_SIZE * sizeof *work);
    psync = pes_alloc(WINDOW * sizeof *psync);
    for (int i = 0; i < WINDOW * PSYNC_WORDS; i++)
        psync[i / PSYNC_WORDS][i % PSYNC_WORDS] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();

    static const size_t sizes[] = {8, 4 << 10, 64 << 10, MAX_BLOCK};
    for (int i = 0; i < 4; i++) {
        row("broadcast64", sizes[i], broadcast64, check_broadcast);
        row("sum_to_all", sizes[i], sum_to_all, check_sum);
        row("fcollect64", sizes[i], fcollect64, check_fcollect);
        row("alltoall64", sizes[i], alltoall64, check_alltoall);
#if BENCH_HAS_1_5
        row("broadcast", sizes[i], team_broadcast, check_broadcast);
        row("sum_reduce", sizes[i], team_sum, check_sum);
        row("fcollect", sizes[i], team_fcollect, check_fcollect);
        row("alltoall", sizes[i], team_alltoall, check_alltoall);
#endif
    }
    return pes_end();
}
