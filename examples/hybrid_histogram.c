/* build: oshcc -c hybrid_histogram.c -o hybrid_histogram.o */
/* The OpenSHMEM part of hybrid.f90: a coarray is symmetric memory, so any shmem_* call works on it. */
#include <shmem.h>

void histogram_add(int64_t *counts, int bins, const int *values, int n);

/* Counts each value in its bin, on the PE that has the bin; each PE has `bins` bins. */
void histogram_add(int64_t *counts, int bins, const int *values, int n)
{
    for (int i = 0; i < n; i++)
        shmem_int64_atomic_inc(&counts[values[i] % bins], values[i] / bins);
    shmem_quiet();
}
