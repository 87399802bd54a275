/* pes: 1 2 4 */
/* args: check */
/* The share of a put or get that a computation hides, blocking and nonblocking, by the measures of the OSU benchmarks
 * (Hamidouche et al. 2016, section IV): the times to begin, to compute and to wait, and the time that the combination
 * saves, as a share of the communication alone.
 *
 * PE i of the first half works with PE i of the second half, all pairs at once, and PE 0 reports; a single PE works
 * with itself. */
#include "transfer.h"
#include "../../timing/compute.h"

enum { REPEATS = 31, QUICK_REPEATS = 11, OVERLAP_FROM = 512 };

static int partner = -1; /* an origin's target; -1 on a target */
static int origin = -1;  /* a target's origin; -1 on an origin */
static long *remote;     /* symmetric */
static long *local;      /* private */
static uint64_t seed;    /* differs in each row, so that data of an earlier row fails the check */

static void move(int kind, size_t bytes)
{
    const struct kind *k = &kinds[kind];
    if (k->put)
        k->move(remote, local, bytes, partner);
    else
        k->move(local, remote, bytes, partner);
}

/* Transfers and waits for the data: a put's time includes its quiet. */
static void communicate(int kind, size_t bytes)
{
    move(kind, bytes);
    if (!kinds[kind].ends)
        quiet();
}

/* The times of one round of the measurement. */
struct turn {
    double comm, compute;     /* each alone */
    double init, wait, total; /* of an operation with the computation between begin and wait */
};

/* Measures communication alone, computation alone and both alternately, so that other load affects all three. */
static struct turn take_turn(int kind, const struct work *work, size_t bytes)
{
    const double a = bench_now_us();
    communicate(kind, bytes);
    const double b = bench_now_us();
    do_work(kinds[kind].name, work);
    const double c = bench_now_us();
    move(kind, bytes);
    const double d = bench_now_us();
    do_work(kinds[kind].name, work);
    const double e = bench_now_us();
    quiet();
    const double f = bench_now_us();
    return (struct turn){.comm = b - a, .compute = c - b, .init = d - c, .wait = f - e, .total = f - c};
}

static void print_share(const char *kind, const char *what, size_t bytes, const struct turn *t)
{
    char row[40];
    const double hidden = 100 * (1 - (t->total - t->compute) / t->comm);
    snprintf(row, sizeof row, "%s %s", kind, what);
    print_value(row, bytes, hidden < 0 ? 0 : hidden > 100 ? 100 : hidden);
}

static void print_overlap(const char *kind, size_t bytes, const struct turn *t)
{
    char row[40];
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
    print_share(kind, "overlap", bytes, t);
}

/* The medians of several rounds. */
static struct turn median_turn(int kind, const struct work *work, size_t bytes, int repeats)
{
    double comm[REPEATS], compute[REPEATS], init[REPEATS], wait[REPEATS], total[REPEATS];
    for (int i = 0; i < repeats; i++) {
        const struct turn t = take_turn(kind, work, bytes);
        comm[i] = t.comm, compute[i] = t.compute, init[i] = t.init, wait[i] = t.wait, total[i] = t.total;
    }
    return (struct turn){.comm = bench_median(comm, repeats), .compute = bench_median(compute, repeats),
                         .init = bench_median(init, repeats), .wait = bench_median(wait, repeats),
                         .total = bench_median(total, repeats)};
}

/* OSU's overlap: the time that is saved when communication and computation run at once instead of one after the other,
 * as a share of the communication's time. The computation is as long as the communication, or twice as long; the part
 * that is not hidden is exposed. A library that copies on the computation's processor hides nothing. */
static void overlap_rows(int kind, size_t bytes)
{
    const int repeats = bench_repeats(QUICK_REPEATS, REPEATS);
    double comm[REPEATS];
    bench.agree(0, 0);
    if (partner >= 0) {
        for (int i = 0; i < repeats; i++) {
            const double start = bench_now_us();
            communicate(kind, bytes);
            comm[i] = bench_now_us() - start;
        }
        const double alone = bench_median(comm, repeats);
        const struct work once = work_for(alone), twice = work_for(2 * alone);
        const struct turn t = median_turn(kind, &once, bytes, repeats);
        const struct turn longer = median_turn(kind, &twice, bytes, repeats);
        print_overlap(kinds[kind].name, bytes, &t);
        print_share(kinds[kind].name, "overlap twice", bytes, &longer);
    }
    bench.agree(0, 0);
}

static void rows(int kind, size_t bytes)
{
    const struct kind *k = &kinds[kind];
    seed += (uint64_t)bench.pes;
    bench_fill((uint64_t *)(k->put ? local : remote), bytes, seed + (uint64_t)bench.pe);
    memset(k->put ? remote : local, 0, bytes);
    bench.agree(0, 0);
    overlap_rows(kind, bytes);
    if (k->put && origin >= 0)
        bench_expect_filled(k->name, (uint64_t *)remote, bytes, seed + (uint64_t)origin);
    if (!k->put && partner >= 0)
        bench_expect_filled(k->name, (uint64_t *)local, bytes, seed + (uint64_t)partner);
    bench.agree(0, 0);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    only_argument(argc, argv);
    const int half = bench.pes > 1 ? bench.pes / 2 : 1;
    if (bench.pe < half)
        partner = (bench.pe + half) % bench.pes;
    if (bench.pes == 1 || (bench.pe >= half && bench.pe < 2 * half))
        origin = bench.pe % half;
    remote = pes_alloc(BENCH_MAX_BYTES);
    local = bench_alloc(BENCH_MAX_BYTES);
    const size_t factor = bench.quick ? 16 : 4;
    for (size_t bytes = OVERLAP_FROM; bytes < BENCH_MAX_BYTES; bytes *= factor)
        for (int kind = 0; kind < KINDS; kind++)
            rows(kind, bytes);
    return pes_end();
}
