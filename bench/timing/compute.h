/* Work for a PE: a chain of dependent steps without a call, which compilers cannot remove because its result is used.
 * In emulated time, where each PE has its own core and steps take no time, work advances the emulated time instead. */
#pragma once

#include "bench.h"

struct work {
    long steps;
    uint64_t result; /* the result of the steps */
    double us;       /* time of the steps on an idle machine */
};

static inline uint64_t compute(long steps)
{
    uint64_t x = 1;
    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

/* The work that takes this time, by the fastest of a few trials. */
static inline struct work work_for(double us)
{
    struct work work = {.steps = 20000, .us = 0};
    if (bench.emulated)
        return (struct work){.us = us};
    for (int turn = 0; turn < 2; turn++) {
        double best = 0;
        for (int i = 0; i < 7; i++) {
            double start = bench_now_us();
            work.result = compute(work.steps);
            double took = bench_now_us() - start;
            best = i == 0 || took < best ? took : best;
        }
        work.us = best;
        if (turn == 0)
            work.steps = (long)((double)work.steps * us / best) + 1;
    }
    return work;
}

static inline void do_work(const char *row, const struct work *work)
{
    if (bench.emulated)
        bench.compute(work->us * 1e-6);
    else
        bench_expect(row, 0, compute(work->steps), work->result);
}

static inline double bench_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, bench_compare_doubles);
    return values[n / 2];
}
