/* The part of copal-tune that runs as a job: it measures, predicts and prints. The front end, copal-tune, starts it and
 * reads its output: one record a line, words separated by blanks. */
#pragma once

#include "shcoll/choice/choose.h"
#include "shcoll/choice/predict.h"
#include "shcoll/choice/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern struct shcoll_group *all; /* the PEs of the job */

static inline double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare_doubles);
    return values[n / 2];
}

/* Symmetric memory, touched; ends the job if there is not enough. */
void *symmetric(size_t bytes);

/* Returns PE 0's value on all PEs; a barrier too. */
long told_by_0(long value);

/* The radices of a tree to measure besides the usual one: 2, 4, ... */
enum { MOST_RADIX = 64 };

/* The limits of a measurement of a collective's algorithms. rounds is odd. */
struct effort {
    int rounds;
    double seconds; /* of a batch of calls */
    double most;    /* skips algorithms that, by the model, take this many times as long as another; 0: none */
};
void measure(enum shcoll_collective collective, size_t least, size_t most, int factor, struct effort effort);

/* The parameters of the cost model within this node. */
void measure_parameters(int rounds);

/* Prints the model's times for a collective's algorithms. */
void predict(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes);
void predict_memory(int members);
