/* pes: 2 4 */
/* args: check */
/* Neighbouring sizes: no collective should take more than 1.3 times as long as with a little more data. A larger factor
 * means that the library changes its algorithm at a wrong size.
 *
 *     steps check|quick|full
 *
 * One row for each size, eight in each power of two from 128 bytes on; "step" is its time divided by that of the next
 * larger size. The sizes take turns, so other load affects neighbours equally. With check only data is checked. */
#include "../../timing/pes.h"

enum { MOST_BYTES = 64 << 10, SIZES = 96, CALLS = 64, ROUNDS = 41 };
static const double most_step = 1.3;

static uint64_t *source, *dest; /* symmetric, for a block of MOST_BYTES to or from each PE */
static size_t sizes[SIZES];
static int n_sizes;

/* ---- timed: consecutive calls of n words each ---- */

#define CALL(NAME, ROUTINE, ...) static void NAME(size_t n) { ROUTINE(SHMEM_TEAM_WORLD, dest, source, __VA_ARGS__); }
CALL(broadcast, shmem_uint64_broadcast, n, 0)
CALL(reduce, shmem_uint64_sum_reduce, n)
CALL(fcollect, shmem_uint64_fcollect, n)
CALL(collect, shmem_uint64_collect, n)
CALL(alltoall, shmem_uint64_alltoall, n)
CALL(inscan, shmem_uint64_sum_inscan, n)
CALL(exscan, shmem_uint64_sum_exscan, n)

/* PE pe's word i, and the expected word i of dest if each PE's block has n words. */
static uint64_t word(int pe, size_t i)
{
    return (uint64_t)(pe + 1) * 1000003 + i;
}

static uint64_t sum_of(int from, int to, size_t i)
{
    uint64_t sum = 0;
    for (int pe = from; pe < to; pe++)
        sum += word(pe, i);
    return sum;
}

#define WANTED(NAME, WORD) static uint64_t NAME(size_t i, size_t n) { (void)n; return WORD; }
WANTED(of_root, word(0, i))
WANTED(of_all, sum_of(0, bench.pes, i))
WANTED(of_those_up_to_me, sum_of(0, bench.pe + 1, i))
WANTED(of_those_before_me, sum_of(0, bench.pe, i))
WANTED(of_each, word((int)(i / n), i % n))
WANTED(of_each_for_me, word((int)(i / n), (size_t)bench.pe * n + i % n))

static const struct row {
    const char *name;
    void (*call)(size_t n);
    uint64_t (*wanted)(size_t i, size_t n);
    bool from_each; /* dest has a block of each PE */
} rows[] = {
    {"broadcast", broadcast, of_root, false},
    {"reduce", reduce, of_all, false},
    {"fcollect", fcollect, of_each, true},
    {"collect", collect, of_each, true},
    {"alltoall", alltoall, of_each_for_me, true},
    {"inscan", inscan, of_those_up_to_me, false},
    {"exscan", exscan, of_those_before_me, false},
};

/* ---- measuring ---- */

static void make_sizes(void)
{
    for (size_t bytes = 8; bytes <= MOST_BYTES && n_sizes < SIZES; n_sizes++) {
        sizes[n_sizes] = bytes;
        size_t step = 8;
        while (step * 16 <= bytes)
            step *= 2;
        bytes += step;
    }
}

static void check(const struct row *row, size_t n)
{
    memset(dest, 0, MOST_BYTES * (size_t)bench.pes);
    bench.agree(0, 0);
    row->call(n);
    const size_t words = row->from_each ? n * (size_t)bench.pes : n;
    for (size_t i = 0; i < words; i++)
        if (dest[i] != row->wanted(i, n) && bench.errors++ == 0)
            fprintf(stderr, "PE %d: %s of %zu words: word %zu is %lu\n", bench.pe, row->name, n, i,
                    (unsigned long)dest[i]);
    bench.agree(0, 0);
}

static double time_us(const struct row *row, size_t n)
{
    bench.agree(0, 0);
    const double start = bench_now_us();
    for (int i = 0; i < CALLS; i++)
        row->call(n);
    bench.agree(0, 0);
    return (bench_now_us() - start) / CALLS;
}

static void measure_row(const struct row *row)
{
    static double us[SIZES][ROUNDS], median[SIZES];
    const int rounds = bench.quick ? ROUNDS / 4 : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < n_sizes; i++)
            us[i][round] = time_us(row, sizes[i] / 8);
    for (int i = 0; i < n_sizes; i++) {
        qsort(us[i], (size_t)rounds, sizeof *us[i], bench_compare_doubles);
        median[i] = us[i][rounds / 2];
    }
    for (int i = 0; bench.pe == 0 && i < n_sizes; i++) {
        const double step = i + 1 < n_sizes ? median[i] / median[i + 1] : 1;
        printf("{\"row\": \"%s\", \"pes\": %d, \"bytes\": %zu, \"us\": %.4g, \"min\": %.4g, \"step\": %.2f%s}\n",
               row->name, bench.pes, sizes[i], median[i], us[i][0], step,
               step > most_step ? ", \"too_steep\": true" : "");
    }
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    source = pes_alloc(MOST_BYTES * (size_t)bench.pes);
    dest = pes_alloc(MOST_BYTES * (size_t)bench.pes);
    for (size_t i = 0; i < MOST_BYTES / 8 * (size_t)bench.pes; i++)
        source[i] = word(bench.pe, i);
    make_sizes();
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        for (int i = 0; bench.check && i < n_sizes; i++)
            check(&rows[r], sizes[i] / 8);
        if (!bench.check)
            measure_row(&rows[r]);
    }
    return pes_end();
}
