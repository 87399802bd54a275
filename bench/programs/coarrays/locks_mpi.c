/* The rows of locks.f90 by MPI-3 RMA: an exclusive lock of the window of rank 0. */
#include "../../timing/ranks.h"

static int64_t *total, counted; /* counted: this rank's increments */
static MPI_Win guard;

static void lock_empty(long n, size_t bytes)
{
    (void)bytes;
    for (long i = 0; i < n; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, guard);
        MPI_Win_unlock(0, guard);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void lock_count(long n, size_t bytes)
{
    (void)bytes;
    for (long i = 0; i < n; i++) {
        int64_t there;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, guard);
        MPI_Get(&there, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, guard);
        MPI_Win_flush(0, guard);
        there++;
        MPI_Put(&there, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, guard);
        MPI_Win_unlock(0, guard);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    counted += n;
}

static double per_acquisition(double us)
{
    return us / bench.pes;
}

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &total, &guard);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, bench.pe, 0, guard);
    *total = 0;
    MPI_Win_unlock(bench.pe, guard);
    bench.figure = per_acquisition;
    measure("lock_empty", 0, lock_empty);
    measure("lock_count", 0, lock_count);
    MPI_Win_lock(MPI_LOCK_SHARED, bench.pe, 0, guard);
    if (bench.pe == 0)
        bench_expect("lock_count", 0, (uint64_t)*total, (uint64_t)(counted * bench.pes));
    MPI_Win_unlock(bench.pe, guard);
    MPI_Win_free(&guard);
    return ranks_end();
}
