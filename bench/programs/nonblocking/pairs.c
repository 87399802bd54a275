/* Put and get between pairs of PEs, blocking and nonblocking, by the figures of merit of the OSU benchmarks
 * (Hamidouche et al. 2016, section IV): latency, message rate in windows of 64, time to begin, and how much a
 * computation hides.
 *
 * PE i of the first half works with PE i of the second half, all pairs at once, and PE 0 reports; one PE alone works
 * with itself.  A latency is the time until the data is there: a put's includes its quiet. */
/* pes: 1 2 4 */
/* args: check */
#include "transfer.h"
#include "../../timing/compute.h"

enum { WINDOW = 64, REPEATS = 31, QUICK_REPEATS = 11, OVERLAP_FROM = 512 };

static int partner = -1; /* of an origin */
static int origin = -1;  /* of a target */
static long *remote;     /* symmetric */
static long *local;      /* private */
static uint64_t seed;    /* of the row: what a former row left behind does not pass its check */

/* Inlined everywhere, so that the kind is a constant and no indirect call stands between two operations. */
static inline __attribute__((always_inline)) void move(const struct kind *k, size_t word, size_t bytes)
{
    if (k->put)
        k->move(remote + word, local + word, bytes, partner);
    else
        k->move(local + word, remote + word, bytes, partner);
}

static inline __attribute__((always_inline)) void latency(const struct kind *k, long n, size_t bytes)
{
    if (partner < 0)
        return;
    for (long i = 0; i < n; i++) {
        move(k, 0, bytes);
        if (!k->ends)
            quiet();
    }
}

/* Messages of a window lie behind each other as far as the buffers reach, and then from the front again. */
static inline __attribute__((always_inline)) void windows(const struct kind *k, long n, size_t bytes)
{
    if (partner < 0)
        return;
    const size_t fit = BENCH_MAX_BYTES / bytes;
    for (long i = 0; i < n; i++) {
        move(k, (size_t)i % WINDOW % fit * (bytes / 8), bytes);
        if (!k->ends && (i % WINDOW == WINDOW - 1 || i == n - 1))
            quiet();
    }
}

static void put_latency(long n, size_t bytes)
{
    latency(&kinds[PUT], n, bytes);
}

static void put_nbi_latency(long n, size_t bytes)
{
    latency(&kinds[PUT_NBI], n, bytes);
}

static void get_latency(long n, size_t bytes)
{
    latency(&kinds[GET], n, bytes);
}

static void get_nbi_latency(long n, size_t bytes)
{
    latency(&kinds[GET_NBI], n, bytes);
}

static void put_windows(long n, size_t bytes)
{
    windows(&kinds[PUT], n, bytes);
}

static void put_nbi_windows(long n, size_t bytes)
{
    windows(&kinds[PUT_NBI], n, bytes);
}

static void get_windows(long n, size_t bytes)
{
    windows(&kinds[GET], n, bytes);
}

static void get_nbi_windows(long n, size_t bytes)
{
    windows(&kinds[GET_NBI], n, bytes);
}

static bench_op *const latencies[KINDS] = {put_latency, put_nbi_latency, get_latency, get_nbi_latency};
static bench_op *const rates[KINDS] = {put_windows, put_nbi_windows, get_windows, get_nbi_windows};

/* What one turn of the overlap's measurement took. */
struct turn {
    double comm, compute;     /* each alone */
    double init, wait, total; /* of the operation with the computation in its middle */
};

/* Communication alone, computation alone, both: in turn, so that whatever else the machine does meets all three. */
static struct turn take_turn(int kind, const struct work *work, size_t bytes)
{
    const double a = bench_now_us();
    latencies[kind](1, bytes);
    const double b = bench_now_us();
    do_work(kinds[kind].name, work);
    const double c = bench_now_us();
    move(&kinds[kind], 0, bytes);
    const double d = bench_now_us();
    do_work(kinds[kind].name, work);
    const double e = bench_now_us();
    quiet();
    const double f = bench_now_us();
    return (struct turn){.comm = b - a, .compute = c - b, .init = d - c, .wait = f - e, .total = f - c};
}

static void print_overlap(const char *kind, size_t bytes, const struct turn *t)
{
    char row[40];
    const double hidden = 100 * (1 - (t->total - t->compute) / t->comm);
    snprintf(row, sizeof row, "%s init", kind);
    print_us(row, bytes, t->init);
    snprintf(row, sizeof row, "%s wait", kind);
    print_us(row, bytes, t->wait);
    snprintf(row, sizeof row, "%s compute", kind);
    print_us(row, bytes, t->compute);
    snprintf(row, sizeof row, "%s total", kind);
    print_us(row, bytes, t->total);
    snprintf(row, sizeof row, "%s exposed", kind);
    print_us(row, bytes, t->total > t->compute ? t->total - t->compute : 0);
    snprintf(row, sizeof row, "%s overlap", kind);
    print_value(row, bytes, hidden < 0 ? 0 : hidden > 100 ? 100 : hidden);
}

/* OSU's overlap: the share of the communication's time by which both together are quicker than one after the
 * other, with a computation as long as the communication; what is exposed is the rest.  The computation's time is
 * measured where nothing is under way: a library that takes the computation's processor for the copy has hidden
 * nothing. */
static void overlap_rows(int kind, size_t bytes)
{
    const int repeats = bench.check ? 1 : bench.quick ? QUICK_REPEATS : REPEATS;
    double comm[REPEATS], compute[REPEATS], init[REPEATS], wait[REPEATS], total[REPEATS];
    bench.agree(0, 0);
    if (partner >= 0) {
        for (int i = 0; i < repeats; i++) {
            const double start = bench_now_us();
            latencies[kind](1, bytes);
            comm[i] = bench_now_us() - start;
        }
        const struct work work = work_for(bench_median(comm, repeats));
        for (int i = 0; i < repeats; i++) {
            const struct turn t = take_turn(kind, &work, bytes);
            comm[i] = t.comm, compute[i] = t.compute, init[i] = t.init, wait[i] = t.wait, total[i] = t.total;
        }
        print_overlap(kinds[kind].name, bytes,
                      &(struct turn){.comm = bench_median(comm, repeats),
                                     .compute = bench_median(compute, repeats),
                                     .init = bench_median(init, repeats),
                                     .wait = bench_median(wait, repeats),
                                     .total = bench_median(total, repeats)});
    }
    bench.agree(0, 0);
}

/* Every word of a window, moved once more since a measurement may have been shorter. */
static void check_window(int kind, const char *row, size_t bytes)
{
    const struct kind *k = &kinds[kind];
    const size_t most = bytes * WINDOW < BENCH_MAX_BYTES ? bytes * WINDOW : BENCH_MAX_BYTES;
    rates[kind](WINDOW, bytes);
    bench.agree(0, 0);
    if (k->put && origin >= 0)
        bench_expect_filled(row, (uint64_t *)remote, most, seed + (uint64_t)origin);
    if (!k->put && partner >= 0)
        bench_expect_filled(row, (uint64_t *)local, most, seed + (uint64_t)partner);
    bench.agree(0, 0);
}

static void rows(int kind, size_t bytes)
{
    const struct kind *k = &kinds[kind];
    seed += (uint64_t)bench.pes;
    bench_fill((uint64_t *)(k->put ? local : remote), BENCH_MAX_BYTES, seed + (uint64_t)bench.pe);
    memset(k->put ? remote : local, 0, BENCH_MAX_BYTES);
    bench.agree(0, 0);
    char row[40];
    snprintf(row, sizeof row, "%s latency", k->name);
    measure(row, bytes, latencies[kind]);
    if (bytes >= OVERLAP_FROM)
        overlap_rows(kind, bytes);
    snprintf(row, sizeof row, "%s rate", k->name);
    measure(row, bytes, rates[kind]);
    check_window(kind, row, bytes);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    only_argument(argc, argv);
    bench.row_us = bench.quick ? 6000 : 15000;
    const int half = bench.pes > 1 ? bench.pes / 2 : 1;
    if (bench.pe < half)
        partner = (bench.pe + half) % bench.pes;
    if (bench.pes == 1 || (bench.pe >= half && bench.pe < 2 * half))
        origin = bench.pe % half;
    remote = pes_alloc(BENCH_MAX_BYTES);
    local = bench_alloc(BENCH_MAX_BYTES);
    const size_t factor = bench.quick ? 16 : 4;
    for (size_t bytes = 8; bytes < BENCH_MAX_BYTES; bytes *= factor)
        for (int kind = 0; kind < KINDS; kind++)
            rows(kind, bytes);
    return pes_end();
}
