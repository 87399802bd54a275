/* The operations of the nonblocking benchmarks: put and get, blocking and nonblocking, and their quiet.
 *
 * One source for both interfaces: OpenSHMEM, or, compiled with -DBENCH_MPI, MPI-3's one-sided communication.  Lengths
 * are in bytes and multiples of 8. */
#pragma once

#ifdef BENCH_MPI
#include "mpi_pes.h"
#else
#include "../../timing/pes.h"

static inline void put(long *dest, const long *source, size_t bytes, int pe)
{
    shmem_long_put(dest, source, bytes / 8, pe);
}

static inline void put_nbi(long *dest, const long *source, size_t bytes, int pe)
{
    shmem_long_put_nbi(dest, source, bytes / 8, pe);
}

static inline void get(long *dest, const long *source, size_t bytes, int pe)
{
    shmem_long_get(dest, source, bytes / 8, pe);
}

static inline void get_nbi(long *dest, const long *source, size_t bytes, int pe)
{
    shmem_long_get_nbi(dest, source, bytes / 8, pe);
}

static inline void quiet(void)
{
    shmem_quiet();
}

static inline void meet(void)
{
    shmem_barrier_all();
}

static inline void pes_stop(int code)
{
    shmem_global_exit(code);
}
#endif

struct kind {
    const char *name;
    void (*move)(long *dest, const long *source, size_t bytes, int pe);
    bool put;
    bool ends; /* the operation is complete on return, at origin and target */
};

enum { PUT, PUT_NBI, GET, GET_NBI, KINDS };

static const struct kind kinds[KINDS] = {
    [PUT] = {"put", put, true, false},
    [PUT_NBI] = {"put_nbi", put_nbi, true, false},
    [GET] = {"get", get, false, true},
    [GET_NBI] = {"get_nbi", get_nbi, false, false},
};

/* Refuses further arguments; bench_arguments() has read the only one. */
static inline void only_argument(int argc, char **argv)
{
    if (argc <= 2 && (argc < 2 || bench.quick || bench.emulated || strcmp(argv[1], "full") == 0))
        return;
    if (bench.pe == 0)
        fprintf(stderr, "%s: argument %d is \"%s\", allowed is one alone: check, quick, full or emulated\n", argv[0],
                argc - 1, argv[argc - 1]);
    bench.agree(0, 0);
    pes_stop(2);
}

/* The average over all PEs, on every PE.  The other PEs put their values to words of PE 0, which adds them up. */
static inline double mean_of_pes(double value)
{
    static long *board; /* symmetric: a word for each PE; used on PE 0 */
    if (!board)
        board = pes_alloc((size_t)bench.pes * sizeof *board);
    long bits;
    memcpy(&bits, &value, sizeof bits);
    bench.agree(0, 0);
    put(&board[bench.pe], &bits, sizeof bits, 0);
    quiet();
    bench.agree(0, 0);
    double sum = 0;
    for (int pe = 0; pe < bench.pes && bench.pe == 0; pe++) {
        memcpy(&value, &board[pe], sizeof value);
        sum += value;
    }
    memcpy(&bits, &sum, sizeof bits);
    bits = bench.agree(bits, 0);
    memcpy(&sum, &bits, sizeof sum);
    return sum / bench.pes;
}

static inline void print_us(const char *row, size_t bytes, double us)
{
    if (bench.pe == 0)
        bench_print(row, bytes, us, us);
}

static inline void print_value(const char *row, size_t bytes, double value)
{
    if (bench.pe != 0)
        return;
    printf("{\"row\": \"%s\", \"pes\": %d, \"bytes\": %zu, \"value\": %.6g}\n", row, bench.pes, bytes, value);
    fflush(stdout);
}
