/* The sum of 1 to 2^20 integers over all PEs, as the Xeon Phi paper measures reductions: what every contestant calls,
 * and how the result is checked.
 *
 * Calls come in windows of which each has a result of its own, then all PEs meet: what OpenSHMEM asks of a program
 * before it uses an array again, and everybody does it. */
#ifndef COPAL_PGAS_REDUCTIONS_H
#define COPAL_PGAS_REDUCTIONS_H

#include "../../timing/bench.h"

enum {
    MAX_INTS = 1 << 20,
    WINDOW = 8,
    WINDOW_INTS = 16 << 10, /* beyond, a window is one call: the meeting does not show */
    RESULT_INTS = MAX_INTS > WINDOW * WINDOW_INTS ? MAX_INTS : WINDOW * WINDOW_INTS,
    ROW_US = 8000, /* the time that the batches of a row get */
};

static int *source;  /* this PE's integers */
static int *results; /* of a window */

/* What each contestant defines.  slot counts the calls of a window. */
static void sum(int *result, size_t ints, long slot);
static void meet(void);

static void sums(long n, size_t bytes)
{
    const size_t ints = bytes / sizeof(int);
    const long window = ints <= WINDOW_INTS ? WINDOW : 1;
    for (long i = 0; i < n; i++) {
        sum(results + (size_t)(i % window) * ints, ints, i % window);
        if (i % window == window - 1)
            meet();
    }
}

/* Positive and negative numbers of all magnitudes of which no partial sum overflows. */
static int addend(int pe, uint64_t seed, size_t i)
{
    return (int32_t)(uint32_t)bench_pattern(seed * (uint64_t)bench.pes + (uint64_t)pe, i) / bench.pes;
}

static void expect_sums(uint64_t seed, size_t ints)
{
    for (size_t i = 0; i < ints; i++) {
        int total = 0;
        for (int pe = 0; pe < bench.pes; pe++)
            total += addend(pe, seed, i);
        bench_expect("sum", i, (uint32_t)results[i], (uint32_t)total);
    }
}

static void run_rows(void)
{
    bench.row_us = ROW_US;
    uint64_t seed = 0; /* moves on, so that what a former row left behind does not pass the check */
    for (size_t ints = 1; ints <= MAX_INTS; ints *= bench.quick ? 8 : 2, seed++) {
        for (size_t i = 0; i < ints; i++)
            source[i] = addend(bench.pe, seed, i);
        measure("sum", ints * sizeof(int), sums);
        memset(results, 0xff, ints * sizeof(int));
        meet();
        sum(results, ints, 0);
        meet();
        expect_sums(seed, ints);
    }
}

#endif
