/* pes: 1 2 4 */
/* args: 20000 */
/* args: -r library 20000 */
/* args: -r get 20000 */
/* args: -r flat_tree 20000 */
/* STREAM in OpenSHMEM: memory bandwidth of four kernels, each PE on its own arrays. An option adds reductions over the
 * PEs after each block, as in the Xeon Phi paper. */
#define _POSIX_C_SOURCE 200809L
#include "kernels.h"
#include "reduce.h"

#include <errno.h>
#include <math.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    TIMES = 10,               /* rounds; the first does not count */
    WEIGHTS = 17,             /* elements and blocks differ, so that a block at a wrong offset is found */
    BLOCK = 4096,             /* default number of elements between two reductions */
    DEFAULT_CACHE = 32 << 20, /* used if the system does not report the size of its last cache */
    QUICK = 8,                /* the divisor of the number of elements in a quick run */
};

#define TOLERANCE 1e-13

static const struct reduction {
    const char *name;
    reduce_fn *reduce; /* NULL: no reduction */
} reductions[] = {
    {"none", NULL},
    {"library", reduce_library},
    {"get", reduce_get},
    {"flat_tree", reduce_flat_tree},
};

enum { REDUCTIONS = sizeof reductions / sizeof reductions[0] };

static struct {
    int me, n_pes;
    bool json;
    size_t n, block;
    const struct reduction *reduction;
    double *array[3]; /* symmetric: a, b, c */
    double *sums;     /* symmetric: the sums of the last reduced block */
    double value[3];  /* the values of a, b and c in an element of weight 1 of PE 0 */
    double seconds[KERNELS][TIMES];
    double error; /* the largest relative error so far */
} stream;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every element of PE p is the element of plain STREAM times (p + 1) times its weight. */
static double weight(size_t i)
{
    return (double)(1 + i % WEIGHTS);
}

/* The maximum over all PEs. */
static double largest(double mine)
{
    static double part;
    double most = mine;
    part = mine;
    shmem_barrier_all();
    for (int pe = 0; pe < stream.n_pes; pe++) {
        double theirs = shmem_double_g(&part, pe);
        most = theirs > most || isnan(theirs) ? theirs : most;
    }
    shmem_barrier_all();
    return most;
}

/* ---- the kernels ---- */

static void run_in_blocks(const struct kernel *k)
{
    double *a = stream.array[0], *b = stream.array[1], *c = stream.array[2];
    for (size_t i = 0; i < stream.n; i += stream.block) {
        size_t n = stream.n - i < stream.block ? stream.n - i : stream.block;
        k->run(a + i, b + i, c + i, n);
        stream.reduction->reduce(stream.sums, stream.array[k->result] + i, n);
    }
}

static double time_kernel(const struct kernel *k)
{
    shmem_barrier_all();
    double start = seconds();
    if (stream.reduction->reduce)
        run_in_blocks(k);
    else
        k->run(stream.array[0], stream.array[1], stream.array[2], stream.n);
    shmem_barrier_all();
    return seconds() - start;
}

/* ---- expected results ---- */

static void note_error(double got, double want)
{
    double error = fabs(got - want) / fabs(want);
    if (!(error <= stream.error))
        stream.error = error;
}

static void check_sums(const struct kernel *k)
{
    size_t first = (stream.n - 1) / stream.block * stream.block;
    double pes = 0.5 * stream.n_pes * (stream.n_pes + 1);
    for (size_t i = first; i < stream.n; i++)
        note_error(stream.sums[i - first], stream.value[k->result] * pes * weight(i));
}

static void check_arrays(void)
{
    for (int which = 0; which < 3; which++)
        for (size_t i = 0; i < stream.n; i++)
            note_error(stream.array[which][i], stream.value[which] * (stream.me + 1) * weight(i));
}

static void run_rounds(void)
{
    double *value = stream.value;
    for (int round = 0; round < TIMES; round++)
        for (int i = 0; i < KERNELS; i++) {
            stream.seconds[i][round] = time_kernel(&kernels[i]);
            kernels[i].run(&value[0], &value[1], &value[2], 1);
            if (stream.reduction->reduce)
                check_sums(&kernels[i]);
        }
    check_arrays();
}

static void fill_arrays(void)
{
    static const double first[3] = {1, 2, 0};
    for (int which = 0; which < 3; which++) {
        stream.value[which] = first[which];
        for (size_t i = 0; i < stream.n; i++)
            stream.array[which][i] = first[which] * (stream.me + 1) * weight(i);
    }
    stream.value[0] *= 2;
    for (size_t i = 0; i < stream.n; i++)
        stream.array[0][i] *= 2;
}

/* ---- the program ---- */

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void report_kernel(int i)
{
    double *times = stream.seconds[i] + 1;
    qsort(times, TIMES - 1, sizeof times[0], compare);
    double megabytes = 1e-6 * kernels[i].bytes * (double)stream.n * stream.n_pes;
    double best = megabytes / times[0], median = megabytes / times[(TIMES - 1) / 2];
    if (stream.json)
        printf("{\"row\": \"stream\", \"kernel\": \"%s\", \"pes\": %d, \"value\": %.1f, \"median\": %.1f}\n",
               kernels[i].name, stream.n_pes, best, median);
    else
        printf(" %-8s %12.1f %12.1f\n", kernels[i].name, best, median);
}

static bool report(double error)
{
    bool right = error <= TOLERANCE;
    if (stream.me != 0)
        return right;
    if (!stream.json) {
        printf(" STREAM, %d PE(s), %zu elements of 8 bytes in each of 3 arrays of a PE, %.1f MB in all\n", stream.n_pes,
               stream.n, 24e-6 * (double)stream.n * stream.n_pes);
        printf(" Reduction: %s\n", stream.reduction->name);
        printf(" %-8s %12s %12s\n", "kernel", "best MB/s", "median MB/s");
    }
    for (int i = 0; i < KERNELS; i++)
        report_kernel(i);
    if (!stream.json)
        printf(" Verification: %s, largest relative error %.2g\n", right ? "SUCCESSFUL" : "UNSUCCESSFUL", error);
    else if (!right)
        printf("{\"error\": \"stream: the largest relative error is %.2g, allowed is %.2g\"}\n", error, TOLERANCE);
    else
        printf("{\"done\": true}\n");
    return right;
}

static bool all_reachable(void)
{
    for (int pe = 0; pe < stream.n_pes; pe++)
        if (!shmem_ptr(stream.sums, pe))
            return false;
    return true;
}

static int run(void)
{
    bool there = reduce_create(stream.block);
    stream.sums = shmem_align(4096, stream.block * sizeof(double));
    for (int which = 0; which < 3; which++)
        there = (stream.array[which] = shmem_align(4096, stream.n * sizeof(double))) && there;
    if (!there || !stream.sums) {
        if (stream.me == 0)
            fprintf(stderr, "STREAM: not enough symmetric memory for 3 x %zu elements on each PE "
                            "(SHMEM_SYMMETRIC_SIZE)\n", stream.n);
        return 1;
    }
    if (stream.reduction->reduce == reduce_flat_tree && !all_reachable()) {
        fprintf(stderr, "STREAM: PE %d cannot reach the memory of all others by shmem_ptr; use -r library\n",
                stream.me);
        shmem_global_exit(1);
    }
    fill_arrays();
    run_rounds();
    bool right = report(largest(stream.error));
    for (int which = 0; which < 3; which++)
        shmem_free(stream.array[which]);
    shmem_free(stream.sums);
    reduce_destroy();
    return right ? 0 : 1;
}

/* The elements of one array of a PE: the arrays of all PEs together take four times the size of the last cache, or a
 * quarter of the memory if that is less. */
static size_t default_elements(void)
{
    double cache = DEFAULT_CACHE, memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
#ifdef _SC_LEVEL3_CACHE_SIZE
    if (sysconf(_SC_LEVEL3_CACHE_SIZE) > 0)
        cache = (double)sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    double bytes = 4 * cache < memory / 4 ? 4 * cache : memory / 4;
    return (size_t)(bytes / 3 / sizeof(double) / stream.n_pes);
}

/* Only the first PE prints. */
static int usage(const char *what, const char *value)
{
    if (stream.me == 0)
        fprintf(stderr, "STREAM: %s%s%s\nusage: stream [-j] [-r none|library|get|flat_tree] [-b BLOCK] "
                        "[ELEMENTS|full|quick]\n", what, *value ? " " : "", value);
    return 2;
}

static bool parse_number(const char *text, size_t least, size_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    *number = (size_t)value;
    return end != text && !*end && !errno && value >= (long long)least && value <= 1LL << 40;
}

static int parse_and_run(int argc, char **argv)
{
    stream.block = BLOCK;
    stream.reduction = reductions;
    stream.n = default_elements();
    for (int option; (option = getopt(argc, argv, ":jr:b:")) != -1;) {
        char letter[] = {'-', (char)optopt, '\0'};
        if (option == '?')
            return usage("unknown option", letter);
        if (option == ':')
            return usage("no value for option", letter);
        if (option == 'j')
            stream.json = true;
        else if (option == 'b' && !parse_number(optarg, 1, &stream.block))
            return usage("-b has to be a number from 1 on, not", optarg);
        else if (option == 'r') {
            const struct reduction *r = reductions;
            while (r < reductions + REDUCTIONS && strcmp(r->name, optarg) != 0)
                r++;
            if (r == reductions + REDUCTIONS)
                return usage("unknown reduction", optarg);
            stream.reduction = r;
        }
    }
    const char *size = optind < argc ? argv[optind] : "full";
    if (optind + 1 < argc)
        return usage("unexpected argument", argv[optind + 1]);
    if (strcmp(size, "quick") == 0)
        stream.n /= QUICK;
    else if (strcmp(size, "full") != 0 && !parse_number(size, 1, &stream.n))
        return usage("ELEMENTS has to be a number from 1 on, full or quick, not", size);
    return run();
}

int main(int argc, char **argv)
{
    opterr = 0;
    shmem_init();
    stream.me = shmem_my_pe();
    stream.n_pes = shmem_n_pes();
    int code = parse_and_run(argc, argv);
    shmem_finalize();
    return code;
}
