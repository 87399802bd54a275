#include "kernels.h"

static void copy(double *restrict a, double *restrict b, double *restrict c, size_t n)
{
    (void)b;
    for (size_t i = 0; i < n; i++)
        c[i] = a[i];
}

static void scale(double *restrict a, double *restrict b, double *restrict c, size_t n)
{
    (void)a;
    for (size_t i = 0; i < n; i++)
        b[i] = SCALAR * c[i];
}

static void add(double *restrict a, double *restrict b, double *restrict c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}

static void triad(double *restrict a, double *restrict b, double *restrict c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + SCALAR * c[i];
}

const struct kernel kernels[KERNELS] = {
    {"copy", copy, 2, 16},
    {"scale", scale, 1, 16},
    {"add", add, 2, 24},
    {"triad", triad, 0, 24},
};
