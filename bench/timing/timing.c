/* bench.h for timing.f90, with calls back to Fortran. */
#include <unistd.h>

#include "bench.h"

long timing_agree(long value);
void timing_operation(long n);
double timing_figure(double us);
void timing_start(int me, int images, const char *how);
void timing_measure(const char *row, size_t bytes, long most, const char *fields);

static long agree(long value, int from)
{
    (void)from; /* always PE 0 of bench.h, which is image 1 */
    return timing_agree(value);
}

static void operation(long n, size_t bytes)
{
    (void)bytes;
    timing_operation(n);
}

void timing_start(int me, int images, const char *how)
{
    char *arguments[] = {"", (char *)(uintptr_t)how};
    bench.pe = me - 1;
    bench.pes = images;
    bench.agree = agree;
    bench.figure = timing_figure;
    bench_arguments(2, arguments);
}

/* most: the limit of operations in a slice; 0: no limit. */
void timing_measure(const char *row, size_t bytes, long most, const char *fields)
{
    bench.most = most;
    bench.fields = fields;
    measure(row, bytes, operation);
}
