/* Timing for the micro-benchmarks: one clock, one way to repeat, one line of JSON per measured row.
 *
 * A program describes a row by a function that performs the operation n times: no indirect call is between operations.
 * Every PE calls measure() for every row.  If a PE does not participate, its function returns immediately, and the PE
 * waits in agree().  This file does not use OpenSHMEM: the floor (bench/floor) includes it too. */
#ifndef COPAL_BENCH_H
#define COPAL_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BENCH_MIN_BATCHES = 3, BENCH_MAX_BATCHES = 31, BENCH_MAX_BYTES = 4 << 20, BENCH_EMULATED_OPERATIONS = 16,
       BENCH_MANY_PES = 64 };

typedef void bench_op(long n, size_t bytes);

/* Defines an operation: PEs for which WHERE holds execute one statement n times. */
#define BENCH_LOOP(NAME, WHERE, ...) static void NAME(long n, size_t bytes) \
    { (void)bytes; if (WHERE) for (long i = 0; i < n; i++) { __VA_ARGS__; } }

static struct {
    int pe, pes;
    bool quick;         /* fewer sizes, fewer batches */
    bool check;         /* a test: executes every operation a few times and checks its data, not its time */
    bool emulated;      /* emulated time, which is reproducible: few operations and batches are enough */
    long operations;    /* operations of a batch if emulated; 0: BENCH_EMULATED_OPERATIONS */
    double (*clock)(void);           /* if emulated: seconds */
    void (*compute)(double seconds); /* if emulated: advances the time, as if this PE computed */
    double batch_us;    /* minimum time of a batch; 0: a millisecond */
    double row_us;      /* time for all batches of a row; 0: a fixed number of batches */
    bool crowded;       /* PEs may share cores: the PE that reads the clock may not be the first to begin */
    int messages;       /* messages of one operation: the result is the time per message; 0: one */
    const char *fields; /* additional fields of the row, such as "\"pairs\": 2, "; NULL: none */
    int errors;
    long (*agree)(long value, int from); /* a barrier that also gives every PE the value that PE `from` passed */
} bench;

static inline double bench_now_us(void)
{
    struct timespec t;
    if (bench.emulated)
        return bench.clock() * 1e6;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static inline int bench_compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The time of n operations. All PEs start together; the time begins after their barrier or, if crowded, before it. */
static inline double bench_batch_us(long n, size_t bytes, bench_op *op)
{
    double before = bench_now_us();
    bench.agree(0, 0);
    double start = bench.crowded ? before : bench_now_us();
    op(n, bytes);
    return bench_now_us() - start;
}

/* The first argument of every program: "check", "quick", "full" or "emulated". */
static inline void bench_arguments(int argc, char **argv)
{
    bench.check = argc > 1 && strcmp(argv[1], "check") == 0;
    bench.emulated = argc > 1 && strcmp(argv[1], "emulated") == 0;
    bench.quick = bench.check || (argc > 1 && strcmp(argv[1], "quick") == 0);
}

/* The number of repetitions for a median.  Emulated times hardly differ, and jobs of many PEs take long. */
static inline int bench_repeats(int quick, int full)
{
    if (bench.emulated)
        return bench.pes > BENCH_MANY_PES ? 1 : BENCH_MIN_BATCHES;
    return bench.check ? 1 : bench.quick ? quick : full;
}

/* The number of batches of that length in a row, the same on all PEs. */
static inline int bench_batches(int by, double batch_us)
{
    int most = bench_repeats(BENCH_MAX_BATCHES / 2, BENCH_MAX_BATCHES);
    if (bench.row_us == 0 || most <= BENCH_MIN_BATCHES)
        return most;
    double fit = bench.row_us / batch_us;
    return (int)bench.agree(fit > most ? most : fit < BENCH_MIN_BATCHES ? BENCH_MIN_BATCHES : (long)fit, by);
}

static inline void bench_print(const char *row, size_t bytes, double us, double min)
{
    printf("{\"row\": \"%s\", \"pes\": %d, \"bytes\": %zu, %s\"us\": %.6g, \"min\": %.6g}\n", row, bench.pes, bytes,
           bench.fields ? bench.fields : "", us, min);
    fflush(stdout);
}

/* The number of operations in a batch, by PE `by`'s clock. A number must be enough in two consecutive trials, because
 * the first may have been delayed by something else; one trial is enough if it takes much longer than a batch. */
static inline long bench_batch_length(int by, size_t bytes, bench_op *op, double *batch_us)
{
    const double enough_us = bench.check ? 0 : bench.batch_us ? bench.batch_us : 1000;
    long n = 1;
    if (bench.emulated) { /* the first operation connects */
        *batch_us = bench_batch_us(1, bytes, op);
        return bench.operations ? bench.operations
                                : BENCH_EMULATED_OPERATIONS / (bench.pes > BENCH_MANY_PES ? 4 : 1);
    }
    for (bool was_enough = false;;) {
        double us = *batch_us = bench_batch_us(n, bytes, op);
        double factor = us >= enough_us ? 1 : us * 10 < enough_us ? 8 : 1.2 * enough_us / us;
        bool sure = us >= enough_us && (was_enough || us >= 10 * enough_us);
        long next = bench.agree(sure ? 0 : (long)((double)n * factor + 0.999), by);
        if (next == 0)
            return n;
        was_enough = next <= n;
        n = next;
    }
}

/* Measures op by PE `by`'s clock and prints the row: the median of many short batches. Batches are long enough that
 * clock and start do not matter, and short enough that other activity of the machine disturbs few of them. */
static inline void measure_by(int by, const char *row, size_t bytes, bench_op *op)
{
    double batch_us;
    long n = bench_batch_length(by, bytes, op, &batch_us);
    double us[BENCH_MAX_BATCHES], messages = (double)n * (bench.messages ? bench.messages : 1);
    int batches = bench_batches(by, batch_us);
    for (int i = 0; i < batches; i++)
        us[i] = bench_batch_us(n, bytes, op) / messages;
    qsort(us, (size_t)batches, sizeof us[0], bench_compare_doubles);
    if (bench.pe == by)
        bench_print(row, bytes, us[batches / 2], us[0]);
    bench.agree(0, 0);
}

static inline void measure(const char *row, size_t bytes, bench_op *op)
{
    measure_by(0, row, bytes, op);
}

/* A value that depends on PE (or row) and element. */
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

#endif
