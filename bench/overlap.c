/* Blocking and nonblocking put and get by the figures of merit of Hamidouche et al. 2016: latency, time in the call that
 * begins it, message rate with a window, and how much of the communication a computation hides.
 *
 *     overlap [quick] [A:B,C:D...]      pairs of PEs that work at once, all of them different; 0:1 if none is named
 *
 * The overlap is that of the OSU benchmarks, 100 * (1 - (t_total - t_compute) / t_comm): t_comm is the time of the operation
 * with its quiet, t_total that of operation, computation and quiet, and the computation is set to take t_comm.  t_compute is
 * measured without any communication: a helper that takes the computation's processor has hidden nothing. */
#include "pes.h"

enum { WINDOW = 64, REPEATS = 41, QUICK_REPEATS = 15 };

static int pairs[64][2], n_pairs;
static int partner = -1; /* of an origin; -1 for all others */
static bool is_target;
static long *remote, *local;
static uint64_t seed;

struct kind {
    const char *name;
    void (*start)(size_t bytes, size_t slot); /* slot: of the window, in words */
    bool put, ends;                           /* ends: complete, for its origin, when it returns */
};

static void put(size_t bytes, size_t at)
{
    shmem_long_put(remote + at, local + at, bytes / 8, partner);
}

static void put_nbi(size_t bytes, size_t at)
{
    shmem_long_put_nbi(remote + at, local + at, bytes / 8, partner);
}

static void get(size_t bytes, size_t at)
{
    shmem_long_get(local + at, remote + at, bytes / 8, partner);
}

static void get_nbi(size_t bytes, size_t at)
{
    shmem_long_get_nbi(local + at, remote + at, bytes / 8, partner);
}

static const struct kind kinds[] = {
    {"put", put, true, false}, {"put_nbi", put_nbi, true, false}, {"get", get, false, true}, {"get_nbi", get_nbi, false, false}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* --- operations, as measure() wants them ------------------------------------------------------------------------------ */

static const struct kind *now;

static void one(const struct kind *k, size_t bytes)
{
    k->start(bytes, 0);
    if (!k->ends)
        shmem_quiet();
}

static void latency(long n, size_t bytes)
{
    if (partner < 0)
        return;
    for (long i = 0; i < n; i++)
        one(now, bytes);
}

/* Messages of a window lie behind each other as far as the buffers reach, and then from the front again. */
static void window(long n, size_t bytes)
{
    if (partner < 0)
        return;
    const size_t words = bytes / 8, fit = BENCH_MAX_BYTES / bytes;
    for (long i = 0; i < n; i++) {
        now->start(bytes, (size_t)i % WINDOW % fit * words);
        if (i % WINDOW == WINDOW - 1)
            shmem_quiet();
    }
    shmem_quiet();
}

/* --- overlap ---------------------------------------------------------------------------------------------------------- */

static volatile double sink;
static double turns_per_us;

static void compute(long turns)
{
    double x = 1.5;
    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 1e-7;
    sink = x;
}

static double median(double *us, int n)
{
    qsort(us, (size_t)n, sizeof *us, bench_compare_doubles);
    return us[n / 2];
}

static void calibrate(void)
{
    double us[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const double start = bench_now_us();
        compute(100000);
        us[i] = bench_now_us() - start;
    }
    turns_per_us = 100000 / median(us, REPEATS);
}

static void print_row(const char *kind, const char *what, size_t bytes, double value)
{
    if (bench.pe == pairs[0][0]) {
        printf("{\"row\": \"%s %s\", \"pes\": %d, \"bytes\": %zu, \"us\": %.6g}\n", kind, what, bench.pes, bytes, value);
        fflush(stdout);
    }
}

/* Communication alone, computation alone and both in turn, so that whatever else the machine does meets all three. */
static void overlap_rows(const struct kind *k, size_t bytes)
{
    const int repeats = bench.quick ? QUICK_REPEATS : REPEATS;
    double comm[REPEATS], alone[REPEATS], init[REPEATS], total[REPEATS], wait[REPEATS], clock[REPEATS];
    bench.agree(0, 0);
    if (partner >= 0) {
        for (int i = 0; i < repeats; i++) {
            const double start = bench_now_us();
            one(k, bytes);
            comm[i] = bench_now_us() - start;
        }
        const long turns = (long)(median(comm, repeats) * turns_per_us);
        for (int i = 0; i < repeats; i++) {
            const double a = bench_now_us();
            one(k, bytes);
            const double b = bench_now_us();
            compute(turns);
            const double c = bench_now_us();
            k->start(bytes, 0);
            const double d = bench_now_us();
            compute(turns);
            const double e = bench_now_us();
            shmem_quiet();
            const double f = bench_now_us(), g = bench_now_us();
            comm[i] = b - a;
            alone[i] = c - b;
            init[i] = d - c;
            wait[i] = f - e;
            total[i] = f - c;
            clock[i] = g - f;
        }
        const double t_comm = median(comm, repeats), look = median(clock, repeats);
        const double hidden = 100 * (1 - (median(total, repeats) - median(alone, repeats)) / t_comm);
        const double begun = median(init, repeats) - look, waited = median(wait, repeats) - look;
        print_row(k->name, "init", bytes, begun > 0 ? begun : 0);
        print_row(k->name, "wait", bytes, waited > 0 ? waited : 0);
        print_row(k->name, "overlap", bytes, hidden < 0 ? 0 : hidden > 100 ? 100 : hidden);
    }
    bench.agree(0, 0);
}

/* --- rows ------------------------------------------------------------------------------------------------------------- */

/* Every word that the last kind of put or get moved: the source is the pattern of its own PE and row. */
static void fill_and_forget(const struct kind *k)
{
    seed++;
    long *from = k->put ? local : remote, *to = k->put ? remote : local;
    bench_fill((uint64_t *)from, BENCH_MAX_BYTES, seed * 1000 + (uint64_t)bench.pe);
    memset(to, 0, BENCH_MAX_BYTES);
    bench.agree(0, 0);
}

static void look(const struct kind *k, int from, size_t bytes)
{
    const size_t most = bytes * WINDOW < BENCH_MAX_BYTES ? bytes * WINDOW : BENCH_MAX_BYTES;
    char row[40];
    snprintf(row, sizeof row, "%s of %zu bytes", k->name, bytes);
    bench_expect_filled(row, (const uint64_t *)(k->put ? remote : local), most, seed * 1000 + (uint64_t)from);
}

static void rows(const struct kind *k, size_t bytes)
{
    char row[40];
    fill_and_forget(k);
    now = k;
    snprintf(row, sizeof row, "%s latency", k->name);
    measure_by(pairs[0][0], row, bytes, latency);
    overlap_rows(k, bytes);
    snprintf(row, sizeof row, "%s window", k->name);
    measure_by(pairs[0][0], row, bytes, window);
    for (long i = partner < 0 ? WINDOW : 0; i < WINDOW; i++) /* a measurement may have been shorter than a window */
        k->start(bytes, (size_t)i % (BENCH_MAX_BYTES / bytes) * (bytes / 8));
    shmem_barrier_all();
    if (k->put && is_target)
        for (int i = 0; i < n_pairs; i++)
            if (pairs[i][1] == bench.pe)
                look(k, pairs[i][0], bytes);
    if (!k->put && partner >= 0)
        look(k, partner, bytes);
    bench.agree(0, 0);
}

static void read_pairs(const char *text)
{
    bool used[1 << 12] = {false};
    n_pairs = 0;
    for (int length; n_pairs < 64 && sscanf(text, "%d:%d%n", &pairs[n_pairs][0], &pairs[n_pairs][1], &length) == 2;) {
        for (int side = 0; side < 2; side++) {
            const int pe = pairs[n_pairs][side];
            if (pe < 0 || pe >= bench.pes || pe >= 1 << 12 || used[pe]) {
                fprintf(stderr, "overlap: PE %d of the pairs is none of the %d, or is named twice\n", pe, bench.pes);
                shmem_global_exit(2);
            }
            used[pe] = true;
        }
        n_pairs++;
        text += length;
        if (*text != ',')
            break;
        text++;
    }
    if (n_pairs == 0 || *text) {
        fprintf(stderr, "overlap: the pairs end in \"%s\"; wanted is A:B or A:B,C:D,...\n", text);
        shmem_global_exit(2);
    }
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    bench.row_us = bench.quick ? 10000 : 30000;
    read_pairs(argc > 1 && strchr(argv[argc - 1], ':') ? argv[argc - 1] : "0:1");
    for (int i = 0; i < n_pairs; i++) {
        if (pairs[i][0] == bench.pe)
            partner = pairs[i][1];
        is_target |= pairs[i][1] == bench.pe;
    }
    remote = pes_alloc(BENCH_MAX_BYTES);
    local = bench_alloc(BENCH_MAX_BYTES);
    calibrate();
    for (int k = 0; k < KINDS; k++)
        for (size_t bytes = 8; bytes <= BENCH_MAX_BYTES; bytes = bench_next_size(bytes))
            rows(&kinds[k], bytes);
    return pes_end();
}
