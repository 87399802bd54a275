/* pes: 1 2 4 */
/* args: check */
/* Figures 6 to 12 of the SHCOLL paper: every collective by the paper's active-set call, at its sizes and with its
 * barriers. A barrier of all PEs before each call makes pSync usable again; a broadcast's barrier follows the call, so
 * its time ends when all PEs have the data. The barrier is timed, too.
 *
 *     figures check|quick|full|emulated [COLLECTIVE,COLLECTIVE...] */
#include "../../timing/pes.h"
#include "common.h"

enum {
    STRIDE = 2,                /* stride of alltoalls, on both sides */
    LONG_BROADCAST = 16 << 20, /* instead of the paper's 256 MB, for which many PEs of a node lack memory */
    SHORT_BROADCAST = 1 << 20, /* the longest broadcast of tests and quick runs */
    LONG_SUM = 2048,
    LONG_BLOCK = 16 << 10,     /* longest block of collectives with a block for each PE */
    EMULATED_MOST = 3 << 10,   /* MiB of all PEs' arrays: longer rows are left out if emulated PEs share a machine */
    /* At least as long as the longest of these. */
    SYNC_WORDS = SHMEM_BARRIER_SYNC_SIZE + SHMEM_BCAST_SYNC_SIZE + SHMEM_REDUCE_SYNC_SIZE + SHMEM_COLLECT_SYNC_SIZE +
                 SHMEM_ALLTOALL_SYNC_SIZE + SHMEM_ALLTOALLS_SYNC_SIZE,
    WORK_DOUBLES = SHMEM_REDUCE_MIN_WRKDATA_SIZE + LONG_SUM / 8,
};

static long psync[SYNC_WORDS];
static double work[WORK_DOUBLES];
static uint32_t *source, *dest; /* symmetric; for all collectives but the sum */
static double addends[LONG_SUM / 8], sums[LONG_SUM / 8];

/* ---- what is timed ---- */

BENCH_LOOP(barrier, true, shmem_barrier(0, 0, bench.pes, psync))
BENCH_LOOP(broadcast, true, shmem_broadcast32(dest, source, bytes / 4, 0, 0, 0, bench.pes, psync); shmem_barrier_all())
BENCH_LOOP(sum, true,
           shmem_barrier_all(); shmem_double_sum_to_all(sums, addends, (int)(bytes / 8), 0, 0, bench.pes, work, psync))
BENCH_LOOP(fcollect, true, shmem_barrier_all(); shmem_fcollect32(dest, source, bytes / 4, 0, 0, bench.pes, psync))
BENCH_LOOP(collect, true, shmem_barrier_all(); shmem_collect32(dest, source, bytes / 4, 0, 0, bench.pes, psync))
BENCH_LOOP(alltoall, true, shmem_barrier_all(); shmem_alltoall32(dest, source, bytes / 4, 0, 0, bench.pes, psync))
BENCH_LOOP(alltoalls, true,
           shmem_barrier_all(); shmem_alltoalls32(dest, source, STRIDE, STRIDE, bytes / 4, 0, 0, bench.pes, psync))

/* ---- expected results, in destinations that were cleared ---- */

static uint32_t element(size_t pe, size_t i)
{
    return (uint32_t)(bench_pattern(pe, i) >> 16);
}

static void check_broadcast(const char *row, size_t bytes)
{
    for (size_t i = 0; i < bytes / 4; i++)
        bench_expect(row, i, dest[i], bench.pe == 0 ? 0 : element(0, i)); /* the root's dest stays unchanged */
}

static void check_sum(const char *row, size_t bytes)
{
    long factor = (long)bench.pes * (bench.pes + 1) / 2;
    for (size_t i = 0; i < bytes / 8; i++)
        bench_expect(row, i, (uint64_t)sums[i], (uint64_t)factor * (i + 1));
}

static void check_collect(const char *row, size_t bytes)
{
    size_t n = bytes / 4;
    for (size_t pe = 0; pe < (size_t)bench.pes; pe++)
        for (size_t i = 0; i < n; i++)
            bench_expect(row, pe * n + i, dest[pe * n + i], element(pe, i));
}

static void check_exchange(const char *row, size_t n, size_t stride)
{
    size_t me = (size_t)bench.pe;
    for (size_t pe = 0; pe < (size_t)bench.pes; pe++)
        for (size_t i = 0; i < n * stride; i++) /* the words between the strided words stay unchanged */
            bench_expect(row, i, dest[pe * n * stride + i], i % stride ? 0 : element(pe, me * n * stride + i));
}

static void check_alltoall(const char *row, size_t bytes)
{
    check_exchange(row, bytes / 4, 1);
}

static void check_alltoalls(const char *row, size_t bytes)
{
    check_exchange(row, bytes / 4, STRIDE);
}

/* ---- the figures ---- */

static const struct figure {
    const char *collective;
    bench_op *op;
    void (*check)(const char *row, size_t bytes);
    size_t in, out; /* blocks for each PE in source and dest; 0: a single block */
    int n_sizes;
    size_t bytes[4]; /* sizes of a PE's contribution; in alltoalls, of its block for each PE */
} figures[] = {
    {"barrier", barrier, NULL, 0, 0, 1, {0}},
    {"broadcast", broadcast, check_broadcast, 0, 0, 4, {4, 1 << 10, 1 << 20, LONG_BROADCAST}},
    {"sum", sum, check_sum, 0, 0, 2, {8, LONG_SUM}},
    {"fcollect", fcollect, check_collect, 0, 1, 2, {4, LONG_BLOCK}},
    {"collect", collect, check_collect, 0, 1, 2, {4, LONG_BLOCK}},
    {"alltoall", alltoall, check_alltoall, 1, 1, 2, {4, 128}},
    {"alltoalls", alltoalls, check_alltoalls, STRIDE, STRIDE, 2, {4, 128}},
};

enum { FIGURES = sizeof figures / sizeof figures[0] };

static size_t length(size_t blocks, size_t bytes)
{
    return blocks ? blocks * (size_t)bench.pes * bytes : bytes;
}

static bool left_out(const struct figure *f, size_t bytes)
{
    const size_t all = (size_t)bench.pes * (length(f->in, bytes) + length(f->out, bytes));
    return (bench.quick && bytes > SHORT_BROADCAST) || (bench.emulated && all >> 20 > EMULATED_MOST);
}

static void run_figure(const struct figure *f)
{
    for (int i = 0; i < f->n_sizes; i++) {
        size_t bytes = f->bytes[i];
        if (left_out(f, bytes))
            continue;
        for (size_t at = 0; at < length(f->in, bytes) / 4; at++)
            source[at] = element((size_t)bench.pe, at);
        bench.operations = f->out ? 1 : 0;
        measure(f->collective, bytes, f->op);
        if (!f->check) {
            check_barrier(f->op);
            continue;
        }
        memset(dest, 0, length(f->out, bytes));
        memset(sums, 0, sizeof sums);
        shmem_barrier_all();
        f->op(1, bytes);
        shmem_barrier_all();
        f->check(f->collective, bytes);
    }
}

/* Checks that every name in the list is the name of a figure. */
static bool understood(const char *list)
{
    for (const char *at = list; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        char name[16];
        bool known = strcmp(at, "all") == 0;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        for (int i = 0; i < FIGURES; i++)
            known = known || strcmp(name, figures[i].collective) == 0;
        if (!known) {
            if (bench.pe == 0)
                fprintf(stderr, "figures: no collective %s; there are barrier, broadcast, sum, fcollect, collect, "
                                "alltoall and alltoalls\n", name);
            return false;
        }
    }
    return true;
}

/* The bytes of source or dest. */
static size_t longest_row(const char *list, bool in)
{
    size_t longest = 8;
    for (int i = 0; i < FIGURES; i++)
        for (int k = 0; wanted(list, figures[i].collective) && k < figures[i].n_sizes; k++) {
            const size_t bytes = length(in ? figures[i].in : figures[i].out, figures[i].bytes[k]);
            if (!left_out(&figures[i], figures[i].bytes[k]) && bytes > longest)
                longest = bytes;
        }
    return longest;
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    const char *list = argc > 2 ? argv[2] : "all";
    if (!understood(list)) {
        shmem_finalize();
        return 2;
    }
    for (int i = 0; i < SYNC_WORDS; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    source = pes_alloc(longest_row(list, true));
    dest = pes_alloc(longest_row(list, false));
    for (size_t i = 0; i < LONG_SUM / 8; i++)
        addends[i] = (double)(bench.pe + 1) * (double)(i + 1);
    shmem_barrier_all();
    for (int i = 0; i < FIGURES; i++)
        if (wanted(list, figures[i].collective))
            run_figure(&figures[i]);
    return pes_end();
}
