/* MPI-3's one-sided communication under the names of pes.h and transfer.h.
 *
 * Symmetric memory is one window. MPI allocates it, so that MPI may share it within a node; it is locked for all ranks
 * from start to end.  A blocking put ends when its source may be used again, a blocking get with its data; a quiet is a
 * flush of all targets. */
#pragma once

#include "../../timing/ranks.h"

enum { WINDOW_BYTES = 8 << 20 };

static char *window_memory;
static size_t window_used;

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
    ranks_agree(0, 0);
    return window_memory + start;
}

static inline void pes_start(int argc, char **argv, int min_pes)
{
    ranks_start(argc, argv);
    if (bench.pes < min_pes) {
        fprintf(stderr, "%s: started with %d rank(s), needs %d\n", argv[0], bench.pes, min_pes);
        pes_stop(2);
    }
    window_memory = ranks_window(WINDOW_BYTES);
}

static inline int pes_end(void)
{
    return ranks_end();
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

static inline void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline void quiet(void)
{
    MPI_Win_flush_all(window);
}
