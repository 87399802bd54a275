/* Timing for the micro-benchmarks: one clock, one way to repeat, one line of JSON per measured row.
 *
 * A program describes a row by a function that performs the operation n times: no indirect call is between operations.
 * Every PE calls measure() for every row.  If a PE does not take part, its function returns immediately, and the PE
 * waits in agree().  This file does not use OpenSHMEM: the floor (bench/floor) includes it too. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "slices.h"

enum { BENCH_MIN_SLICES = 3, BENCH_SLICES = 10, BENCH_SLICE_US = 2000, BENCH_ROW_US = 30000, BENCH_SLOW_US = 100000,
       BENCH_MAX_BYTES = 4 << 20, BENCH_EMULATED_OPERATIONS = 16, BENCH_MANY_PES = 64 };

typedef void bench_op(long n, size_t bytes);

/* Defines an operation: PEs for which WHERE holds execute one statement n times. */
#define BENCH_LOOP(NAME, WHERE, ...) static void NAME(long n, size_t bytes) \
    { (void)bytes; if (WHERE) for (long i = 0; i < n; i++) { __VA_ARGS__; } }

static struct {
    int pe, pes;
    bool quick;         /* fewer sizes, fewer batches */
    bool check;         /* a test: executes every operation a few times and checks its data, not its time */
    bool emulated;      /* emulated time is reproducible, so few operations and batches are enough */
    long operations;    /* number of operations in an emulated batch; 0: BENCH_EMULATED_OPERATIONS */
    double (*clock)(void);           /* if emulated: seconds */
    void (*compute)(double seconds); /* if emulated: advances the time, as if this PE computed */
    double batch_us;    /* minimum time of a slice; 0: BENCH_SLICE_US */
    long most;          /* limit of operations in a slice, if each consumes a resource; 0: no limit */
    double (*figure)(double us); /* maps the time of a slice to the time that counts; NULL: the same */
    double (*trip_us)(void); /* the round trip of two flags between the cores of PEs 0 and 1, the same on all PEs */
    struct slice_flags *flags;
    bool crowded;       /* PEs may share cores: the PE that reads the clock may not be the first to begin */
    int messages;       /* messages of one operation: the result is the time per message; 0: one */
    const char *fields; /* additional fields of the row, such as "\"pairs\": 2, "; NULL: none */
    int errors;
    long (*agree)(long value, int from); /* a barrier that also gives every PE the value that PE `from` passed */
} bench;

static inline double bench_now_us(void)
{
    return bench.emulated && bench.clock ? bench.clock() * 1e6 : slice_clock_us();
}

static inline int bench_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of n operations. All PEs start together; the time begins after their barrier or, if `crowded`, before it. */
static inline double bench_batch_us(long n, size_t bytes, bench_op *op)
{
    double before = bench_now_us();
    bench.agree(0, 0);
    double start = bench.crowded ? before : bench_now_us();
    op(n, bytes);
    const double us = bench_now_us() - start;
    return bench.figure ? bench.figure(us) : us;
}

/* A barrier (agree) comes first, because PE 0's operations may need the progress of PE 1, which makes none while it
 * waits for a flag. */
static inline double bench_measured_trip_us(void)
{
    bench.agree(0, 0);
    const double us = bench.pe < 2 ? slice_trip_us(bench.flags, bench.pe) : 0;
    return (double)bench.agree((long)(us * 1e3), 0) * 1e-3;
}

static inline double bench_no_trip_us(void)
{
    return 0;
}

/* Tells all PEs whether PEs 0 and 1 share the flags. */
static inline void bench_find_flags(void)
{
    if (bench.pe == 0 && bench.pes > 1 && !bench.check && !bench.emulated)
        bench.flags = slice_map((long)getpid(), 0);
    const long name = bench.agree(bench.flags ? (long)getpid() : 0, 0);
    if (name && bench.pe == 1)
        bench.flags = slice_map(name, 1);
    bench.agree(0, 0);
    const bool shared = bench.agree(bench.flags && atomic_load(&bench.flags->of[1].turn) > 0, 0) > 0;
    bench.trip_us = shared ? bench_measured_trip_us : bench_no_trip_us;
}

/* The first argument of every program: "check", "quick", "full" or "emulated". bench.pes is known. */
static inline void bench_arguments(int argc, char **argv)
{
    cpu_set_t cores;
    bench.check = argc > 1 && strcmp(argv[1], "check") == 0;
    bench.emulated = argc > 1 && strcmp(argv[1], "emulated") == 0;
    bench.quick = bench.check || (argc > 1 && strcmp(argv[1], "quick") == 0);
    bench.crowded = !bench.emulated && sched_getaffinity(0, sizeof cores, &cores) == 0 && bench.pes > CPU_COUNT(&cores);
}

/* The number of repetitions for a median.  Emulated times hardly differ, and jobs of many PEs take long. */
static inline int bench_repeats(int quick, int full)
{
    if (bench.emulated)
        return bench.pes > BENCH_MANY_PES ? 1 : BENCH_MIN_SLICES;
    return bench.check ? 1 : bench.quick ? quick : full;
}

/* The number of slices of that length in a row, the same on all PEs. */
static inline int bench_slices(int by, double slice_us)
{
    const int most = bench_repeats(BENCH_SLICES / 2, BENCH_SLICES);
    const double fit = BENCH_ROW_US / slice_us;
    if (most <= BENCH_MIN_SLICES)
        return most;
    return (int)bench.agree(slice_us > BENCH_SLOW_US ? 1 : fit > most ? most
                            : fit < BENCH_MIN_SLICES ? BENCH_MIN_SLICES : (long)fit, by);
}

/* more: further fields of the row; NULL: none. */
static inline void bench_print_with(const char *row, size_t bytes, double us, double min, const char *more)
{
    printf("{\"row\": \"%s\", \"pes\": %d, \"bytes\": %zu, %s%s\"us\": %.6g, \"min\": %.6g}\n", row, bench.pes,
           bytes, bench.fields ? bench.fields : "", more, us, min);
    fflush(stdout);
}

static inline void bench_print(const char *row, size_t bytes, double us, double min)
{
    bench_print_with(row, bytes, us, min, "");
}

/* Prints a line for each distance of the cores: the median of its slices, and their number. */
static inline void bench_print_slices(const char *row, size_t bytes, struct slices *s)
{
    for (int phase = 0; phase < SLICE_PHASES; phase++) {
        const int n = s->n[phase];
        char more[96] = "";
        if (n == 0)
            continue;
        qsort(s->us[phase], (size_t)n, sizeof(double), bench_compare_doubles);
        qsort(s->trip[phase], (size_t)n, sizeof(double), bench_compare_doubles);
        if (phase != SLICE_UNKNOWN)
            snprintf(more, sizeof more, "\"phase\": \"%s\", \"slices\": %d, \"flag\": %.3f, ", slice_names[phase], n,
                     s->trip[phase][n / 2]);
        bench_print_with(row, bytes, s->us[phase][n / 2], s->us[phase][0], more);
    }
}

/* The number of operations in a slice, by PE `by`'s clock. A number must be enough in two consecutive trials, because
 * other load may have delayed the first; one trial is enough if it takes much longer than a slice. */
static inline long bench_batch_length(int by, size_t bytes, bench_op *op, double *batch_us)
{
    const double enough_us = bench.check ? 0 : bench.batch_us > 0 ? bench.batch_us : BENCH_SLICE_US;
    long n = 1;
    if (bench.emulated) { /* the first operation makes the connections */
        *batch_us = bench_batch_us(1, bytes, op);
        n = bench.operations ? bench.operations : BENCH_EMULATED_OPERATIONS / (bench.pes > BENCH_MANY_PES ? 4 : 1);
        return bench.most && bench.most < n ? bench.most : n;
    }
    for (bool was_enough = false;;) {
        double us = *batch_us = bench_batch_us(n, bytes, op);
        double factor = us >= enough_us ? 1 : us * 10 < enough_us ? 8 : 1.2 * enough_us / us;
        bool sure = us >= enough_us && (was_enough || us >= 10 * enough_us);
        long next = (long)((double)n * factor + 0.999);
        next = bench.agree(sure ? 0 : bench.most && bench.most < next ? bench.most : next, by);
        if (next == 0 || (was_enough && next == n)) /* also if n is the limit */
            return n;
        was_enough = next <= n;
        n = next;
    }
}

/* Measures op by PE `by`'s clock and prints the row: the median of slices. They are so long that clock and start have
 * no effect, and so short that other activity of the machine disturbs few. */
static inline void measure_by(int by, const char *row, size_t bytes, bench_op *op)
{
    double slice_us, messages = bench.messages ? bench.messages : 1;
    if (!bench.trip_us)
        bench_find_flags();
    const long n = bench_batch_length(by, bytes, op, &slice_us);
    const int slices = bench_slices(by, slice_us);
    struct slices kept = {0};
    double before = bench.trip_us();
    for (int i = 0; i < slices; i++) {
        const double us = bench_batch_us(n, bytes, op) / ((double)n * messages), after = bench.trip_us();
        slice_add(&kept, us, before, after);
        before = after;
    }
    if (bench.pe == by)
        bench_print_slices(row, bytes, &kept);
    bench.agree(0, 0);
}

static inline void measure(const char *row, size_t bytes, bench_op *op)
{
    measure_by(0, row, bytes, op);
}

/* A value that depends on the PE (or row) and the element. */
static inline uint64_t bench_pattern(uint64_t seed, size_t i)
{
    return (seed + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)i * 0x2545f4914f6cdd1du;
}

static inline void bench_fill(uint64_t *words, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes / 8; i++)
        words[i] = bench_pattern(seed, i);
}

static inline void bench_expect(const char *row, size_t i, uint64_t got, uint64_t want)
{
    if (got == want || bench.errors++ >= 10)
        return;
    printf("{\"error\": \"%s: PE %d found %llx in place of %llx at element %zu\"}\n", row, bench.pe,
           (unsigned long long)got, (unsigned long long)want, i);
    fflush(stdout);
}

static inline void bench_expect_filled(const char *row, const uint64_t *words, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes / 8; i++)
        bench_expect(row, i, words[i], bench_pattern(seed, i));
}

/* The next message size of a sweep: every power of two; in a quick run 8 and 16 bytes, then 8 times the last size,
 * which includes 64 KiB and 4 MiB. */
static inline size_t bench_next_size(size_t bytes)
{
    return bytes * (bench.quick && bytes > 8 ? 8 : 2);
}

static inline void *bench_alloc(size_t bytes)
{
    void *p = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    if (!p) {
        fprintf(stderr, "bench: out of memory allocating %zu bytes\n", bytes);
        exit(1);
    }
    memset(p, 0, bytes);
    return p;
}
