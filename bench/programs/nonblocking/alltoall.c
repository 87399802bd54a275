/* An all-to-all exchange behind a computation (Hamidouche et al. 2016, section V and Table I): every PE begins a
 * transfer for each other PE, computes, and completes them by a quiet.
 *
 * All PEs compute ten times as long as the exchange alone takes; without emulation, 20 ms at most.  Times are each PE's
 * medians, averaged over all PEs. "busy" is the computation's share of the whole time, which Table I calls overlap; it
 * is 91 % if nothing is hidden. "overlap" is the hidden share of the exchange, as in OSU's benchmarks. */
/* pes: 1 2 4 */
/* args: check */
#include "transfer.h"
#include "../../timing/compute.h"

enum { REPEATS = 11, QUICK_REPEATS = 5, LONGER = 10, LONGEST_US = 20000, CHECK_US = 100, MAX_BYTES = 64 << 10 };

static long *sources, *dests; /* symmetric: a block for each PE; a block from each PE */

/* Begins with the next PE, so that not all PEs begin with the same target. */
static void begin(const struct kind *k, size_t bytes)
{
    const size_t words = bytes / 8, me = (size_t)bench.pe;
    for (int i = 1; i < bench.pes; i++) {
        const size_t pe = (me + (size_t)i) % (size_t)bench.pes;
        if (k->put)
            k->move(dests + me * words, sources + pe * words, bytes, (int)pe);
        else
            k->move(dests + pe * words, sources + me * words, bytes, (int)pe);
    }
}

static double exchange_us(const struct kind *k, size_t bytes)
{
    bench.agree(0, 0);
    const double start = bench_now_us();
    begin(k, bytes);
    quiet();
    return bench_now_us() - start;
}

static double work_us(const struct kind *k, const struct work *work)
{
    bench.agree(0, 0);
    const double start = bench_now_us();
    do_work(k->name, work);
    return bench_now_us() - start;
}

/* The work that takes this time when all PEs compute at once; more PEs than cores take turns. */
static struct work work_of_all(const struct kind *k, double us, int repeats)
{
    struct work work = work_for(us);
    double all[REPEATS];
    if (bench.emulated)
        return work;
    for (int i = 0; i < repeats; i++)
        all[i] = work_us(k, &work);
    work.steps = (long)((double)work.steps * us / mean_of_pes(bench_median(all, repeats))) + 1;
    work.result = compute(work.steps);
    return work;
}

static void print_part(const struct kind *k, const char *what, size_t bytes, double us)
{
    char row[40];
    snprintf(row, sizeof row, "alltoall %s %s", k->name, what);
    print_us(row, bytes, us);
}

static void print_percent(const struct kind *k, const char *what, size_t bytes, double share)
{
    char row[40];
    snprintf(row, sizeof row, "alltoall %s %s", k->name, what);
    print_value(row, bytes, share < 0 ? 0 : share > 1 ? 100 : 100 * share);
}

static double mean_of_medians(double *us, int n)
{
    return mean_of_pes(bench_median(us, n));
}

/* Measures the exchange alone, the computation alone and both, one after the other. */
static void measure_kind(const struct kind *k, size_t bytes)
{
    const int repeats = bench_repeats(QUICK_REPEATS, REPEATS);
    double comm[REPEATS], alone[REPEATS], init[REPEATS], wait[REPEATS], total[REPEATS];
    exchange_us(k, bytes); /* the first exchange makes the connections */
    for (int i = 0; i < repeats; i++)
        comm[i] = exchange_us(k, bytes);
    const double longest = bench.check ? CHECK_US : LONGEST_US, wanted = LONGER * mean_of_medians(comm, repeats);
    const struct work work = work_of_all(k, wanted < longest || bench.emulated ? wanted : longest, repeats);
    for (int i = 0; i < repeats; i++) {
        comm[i] = exchange_us(k, bytes);
        alone[i] = work_us(k, &work);
        bench.agree(0, 0);
        const double start = bench_now_us();
        begin(k, bytes);
        const double begun = bench_now_us();
        do_work(k->name, &work);
        const double computed = bench_now_us();
        quiet();
        const double end = bench_now_us();
        init[i] = begun - start, wait[i] = end - computed, total[i] = end - start;
    }
    const double t_comm = mean_of_medians(comm, repeats), t_alone = mean_of_medians(alone, repeats);
    const double t_total = mean_of_medians(total, repeats);
    print_part(k, "communication", bytes, t_comm);
    print_part(k, "computation", bytes, t_alone);
    print_part(k, "init", bytes, mean_of_medians(init, repeats));
    print_part(k, "wait", bytes, mean_of_medians(wait, repeats));
    print_part(k, "total", bytes, t_total);
    print_percent(k, "busy", bytes, t_alone / t_total);
    print_percent(k, "overlap", bytes, 1 - (t_total - t_alone) / t_comm);
}

/* Source block p of a PE is for PE p. */
static uint64_t pattern_of(uint64_t row, int from, int to)
{
    return (row * (uint64_t)bench.pes + (uint64_t)from) * (uint64_t)bench.pes + (uint64_t)to;
}

static void rows(const struct kind *k, size_t bytes)
{
    static uint64_t row_number;
    const size_t words = bytes / 8;
    row_number++;
    for (int pe = 0; pe < bench.pes; pe++)
        bench_fill((uint64_t *)sources + (size_t)pe * words, bytes, pattern_of(row_number, bench.pe, pe));
    memset(dests, 0, (size_t)bench.pes * bytes);
    bench.agree(0, 0);
    measure_kind(k, bytes);
    bench.agree(0, 0);
    for (int pe = 0; pe < bench.pes; pe++)
        if (pe != bench.pe)
            bench_expect_filled(k->name, (uint64_t *)dests + (size_t)pe * words, bytes,
                                pattern_of(row_number, pe, bench.pe));
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    only_argument(argc, argv);
    sources = pes_alloc((size_t)bench.pes * MAX_BYTES);
    dests = pes_alloc((size_t)bench.pes * MAX_BYTES);
    for (size_t bytes = 4096; bytes <= MAX_BYTES; bytes *= 16)
        for (int kind = 0; kind < KINDS; kind++)
            rows(&kinds[kind], bytes);
    return pes_end();
}
