/* The sum of 1 to 2^20 integers over all PEs, as the Xeon Phi paper measures reductions: the calls of every
 * contestant, and the check of results.
 *
 * Each call of a window has its own result array; each window ends with a barrier.  OpenSHMEM requires a barrier before
 * a program uses an array again, and all contestants do the same. */
#pragma once

#include "../../timing/bench.h"

enum {
    MAX_INTS = 1 << 20,
    WINDOW = 8,
    WINDOW_INTS = 16 << 10, /* above this, a window is one call, because its barrier takes little of the time */
    RESULT_INTS = MAX_INTS > WINDOW * WINDOW_INTS ? MAX_INTS : WINDOW * WINDOW_INTS,
};

static int *source;  /* this PE's integers */
static int *results; /* of a window */

/* Each contestant defines this.  slot is the number of the call in its window. */
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

/* Positive and negative numbers of all magnitudes. No partial sum overflows. */
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
    uint64_t seed = 0; /* differs in each row, so that results of an earlier row fail the check */
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
