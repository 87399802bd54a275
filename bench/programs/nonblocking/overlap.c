/* pes: 1 2 4 */
/* args: check */
/* What a computation hides of a put or a get, blocking and nonblocking, by the figures of merit of the OSU benchmarks
 * (Hamidouche et al. 2016, section IV): the time to begin, to compute and to wait, and of the communication alone the
 * share that both together are shorter.
 *
 * PE i of the first half works with PE i of the second half, all pairs at once, and PE 0 reports; one PE alone works
 * with itself. */
#include "transfer.h"
#include "../../timing/compute.h"

enum { REPEATS = 31, QUICK_REPEATS = 11, OVERLAP_FROM = 512 };

static int partner = -1; /* of an origin */
static int origin = -1;  /* of a target */
static long *remote;     /* symmetric */
static long *local;      /* private */
static uint64_t seed;    /* of the row: what a former row left behind does not pass its check */

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

/* The times of one turn of the measurement. */
struct turn {
    double comm, compute;     /* each alone */
    double init, wait, total; /* of the operation with the computation in its middle */
};

/* Communication alone, computation alone, both: in turn, so that other activity of the machine affects all three. */
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

/* The medians of some turns. */
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

/* OSU's overlap: the share of the communication's time by which both together are quicker than one after the
 * other, with a computation as long as the communication, and with one twice as long; what is exposed is the rest.  The
 * computation's time is measured where nothing is under way: a library that takes the computation's processor for the
 * copy has hidden nothing. */
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
