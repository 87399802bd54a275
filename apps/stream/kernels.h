/* The four kernels of STREAM, on n elements of a PE's own arrays. */
#pragma once

#include <stddef.h>

enum { KERNELS = 4 };

#define SCALAR 3.0

typedef void kernel_fn(double *restrict a, double *restrict b, double *restrict c, size_t n);

/* The array that a kernel writes, and its memory traffic for an element. */
struct kernel {
    const char *name;
    kernel_fn *run;
    int result; /* 0, 1, 2: a, b, c */
    int bytes;  /* for each element, as STREAM counts them: read and written once */
};

extern const struct kernel kernels[KERNELS];
