/* The OpenSHMEM side of bench.h: how PEs start, agree and end.  Written for any OpenSHMEM from 1.4 on. */
#pragma once

#include <shmem.h>

#include "bench.h"

#define BENCH_HAS_1_5 (SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5)

/* Copal's functions, which other OpenSHMEMs do not have: emulated time, and a computation that takes emulated time. */
extern double shmemx_clock(void) __attribute__((weak));
extern void shmemx_compute(double seconds) __attribute__((weak));

static long *bench_box; /* symmetric: receives the value of agree() */

static inline long pes_agree(long value, int from)
{
    shmem_barrier_all();
    if (bench.pe == from)
        for (int pe = 0; pe < bench.pes; pe++)
            shmem_long_p(bench_box, value, pe);
    shmem_barrier_all();
    return *(volatile long *)bench_box;
}

/* Zeroed symmetric memory on its own pages. Touches the pages, so that no page fault is measured. In emulated time it
 * does not, because page faults cost nothing, and many PEs share one machine's memory. */
static inline void *pes_alloc(size_t bytes)
{
    void *p = shmem_align(4096, bytes);
    if (!p) {
        fprintf(stderr, "bench: out of symmetric memory allocating %zu bytes\n", bytes);
        shmem_global_exit(1);
    }
    if (!bench.emulated)
        memset(p, 0, bytes);
    shmem_barrier_all();
    return p;
}

/* For a program that has initialized OpenSHMEM itself. */
static inline void pes_started(int argc, char **argv, int min_pes)
{
    bench.pe = shmem_my_pe();
    bench.pes = shmem_n_pes();
    bench_arguments(argc, argv);
    bench.agree = pes_agree;
    bench.clock = shmemx_clock;
    bench.compute = shmemx_compute;
    if (bench.emulated && (!bench.clock || !bench.compute)) {
        fprintf(stderr, "%s: argument 1 is \"emulated\", but this OpenSHMEM has no emulated time\n", argv[0]);
        shmem_global_exit(2);
    }
    if (bench.pes < min_pes) {
        fprintf(stderr, "%s: started with %d PE(s), needs %d\n", argv[0], bench.pes, min_pes);
        shmem_global_exit(2);
    }
    bench_box = pes_alloc(sizeof *bench_box);
}

static inline void pes_start(int argc, char **argv, int min_pes)
{
    shmem_init();
    pes_started(argc, argv, min_pes);
}

/* The last line shows that all rows are printed, even if the library fails when it finalizes. */
static inline int pes_end(void)
{
    shmem_barrier_all();
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    shmem_finalize();
    return bench.errors ? 1 : 0;
}
