/* The MPI side of bench.h: how ranks start, agree and end, and the window of programs with one-sided calls. */
#pragma once

#include <mpi.h>

#include "bench.h"

static MPI_Win window = MPI_WIN_NULL; /* created by ranks_window() */

static inline void ranks_sync(void)
{
    if (window != MPI_WIN_NULL)
        MPI_Win_sync(window);
}

/* After this call, each side sees what the other side has written in the window. */
static inline long ranks_agree(long value, int from)
{
    ranks_sync();
    MPI_Bcast(&value, 1, MPI_LONG, from, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    ranks_sync();
    return value;
}

static inline void ranks_start(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.pe);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.pes);
    bench_arguments(argc, argv);
    bench.emulated = false; /* MPI has no emulated time */
    bench.agree = ranks_agree;
}

/* A zeroed window with displacements in bytes. MPI allocates it, so that MPI can share it within a node; it is locked
 * for all ranks until the end. */
static inline void *ranks_window(size_t bytes)
{
    void *memory;
    MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memset(memory, 0, bytes);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    return memory;
}

static inline int ranks_end(void)
{
    ranks_agree(0, 0);
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    if (window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return bench.errors ? 1 : 0;
}
