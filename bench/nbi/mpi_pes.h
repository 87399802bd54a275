/* MPI-3's one-sided communication under the names of pes.h and transfer.h.
 *
 * Symmetric memory is one window, allocated by MPI so that it may share it within a node, locked for all from start to
 * end.  A blocking put ends when its source may be used again, a blocking get with its data; a quiet is a flush of all
 * targets. */
#ifndef COPAL_BENCH_NBI_MPI_PES_H
#define COPAL_BENCH_NBI_MPI_PES_H

#include <mpi.h>

#include "../bench.h"

enum { WINDOW_BYTES = 8 << 20 };

static MPI_Win window;
static char *window_memory;
static size_t window_used;

static inline void pes_barrier(void)
{
    MPI_Win_sync(window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
}

static inline long pes_agree(long value, int from)
{
    MPI_Bcast(&value, 1, MPI_LONG, from, MPI_COMM_WORLD);
    pes_barrier();
    return value;
}

static inline void pes_stop(int code)
{
    MPI_Abort(MPI_COMM_WORLD, code);
}

static inline void *pes_alloc(size_t bytes)
{
    const size_t start = (window_used + 4095) / 4096 * 4096;
    if (bytes > WINDOW_BYTES - start) {
        fprintf(stderr, "bench: out of window memory allocating %zu bytes\n", bytes);
        pes_stop(1);
    }
    window_used = start + bytes;
    memset(window_memory + start, 0, bytes);
    pes_barrier();
    return window_memory + start;
}

static inline void pes_start(int argc, char **argv, int min_pes)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.pe);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.pes);
    bench_arguments(argc, argv);
    bench.agree = pes_agree;
    if (bench.pes < min_pes) {
        fprintf(stderr, "%s: started with %d rank(s), needs %d\n", argv[0], bench.pes, min_pes);
        pes_stop(2);
    }
    MPI_Win_allocate(WINDOW_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static inline int pes_end(void)
{
    pes_barrier();
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return bench.errors ? 1 : 0;
}

static inline MPI_Aint window_place(const long *symmetric)
{
    return (MPI_Aint)((const char *)symmetric - window_memory);
}

static inline void put_nbi(long *dest, const long *source, size_t bytes, int pe)
{
    const int words = (int)(bytes / 8);
    MPI_Put(source, words, MPI_LONG, pe, window_place(dest), words, MPI_LONG, window);
}

static inline void get_nbi(long *dest, const long *source, size_t bytes, int pe)
{
    const int words = (int)(bytes / 8);
    MPI_Get(dest, words, MPI_LONG, pe, window_place(source), words, MPI_LONG, window);
}

static inline void put(long *dest, const long *source, size_t bytes, int pe)
{
    put_nbi(dest, source, bytes, pe);
    MPI_Win_flush_local(pe, window);
}

static inline void get(long *dest, const long *source, size_t bytes, int pe)
{
    get_nbi(dest, source, bytes, pe);
    MPI_Win_flush(pe, window);
}

static inline void quiet(void)
{
    MPI_Win_flush_all(window);
}

#endif
