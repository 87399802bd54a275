/* Work for a PE that is to compute: a chain of dependent steps without a call, of which no compiler can leave any out,
 * since its result is used.  Where time is emulated each PE has a core of its own, and no time goes by in steps: work
 * is so much of the emulated time. */
#ifndef COPAL_BENCH_COMPUTE_H
#define COPAL_BENCH_COMPUTE_H

#include "bench.h"

struct work {
    long steps;
    uint64_t result; /* what they come to */
    double us;       /* how long they take when nothing else happens */
};

static inline uint64_t compute(long steps)
{
    uint64_t x = 1;
    for (long i = 0; i < steps; i++)
        x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

/* As much work as takes that long: by the quickest of a few tries, which nobody disturbed. */
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

#endif
