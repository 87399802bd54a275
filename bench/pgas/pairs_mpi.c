/* The MPI-3 twin of pairs.c: one window that everybody locks shared, MPI_Put and MPI_Get with a flush. */
#include <mpi.h>

#include "pairs.h"

static MPI_Win window;

static void flush(void)
{
    MPI_Win_flush(partner, window);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void put(size_t to, size_t from, size_t bytes)
{
    MPI_Put(local + from, (int)bytes, MPI_BYTE, partner, (MPI_Aint)to, (int)bytes, MPI_BYTE, window);
}

static void get(size_t to, size_t from, size_t bytes)
{
    MPI_Get(local + to, (int)bytes, MPI_BYTE, partner, (MPI_Aint)from, (int)bytes, MPI_BYTE, window);
}

static void put_by_call(long n, size_t bytes)
{
    put_each(n, bytes, put, flush);
}

static void get_by_call(long n, size_t bytes)
{
    get_each(n, bytes, get, flush);
}

static void put_windows_by_call(long n, size_t bytes)
{
    put_windows(n, bytes, put, flush);
}

static void get_windows_by_call(long n, size_t bytes)
{
    get_windows(n, bytes, get, flush);
}

static const struct way by_call = {"", put_by_call, get_by_call, put_windows_by_call, get_windows_by_call};

/* What is written in the window by either side is seen by the other one behind it. */
static long agree(long value, int from)
{
    MPI_Win_sync(window);
    MPI_Bcast(&value, 1, MPI_LONG, from, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_sync(window);
    return value;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.pe);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.pes);
    bench_arguments(argc, argv);
    bench.agree = agree;
    local = bench_alloc(BUFFER_BYTES);
    MPI_Win_allocate(BUFFER_BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &remote, &window);
    memset(remote, 0, BUFFER_BYTES);
    MPI_Win_lock_all(0, window);
    pair_up();
    run_way(&by_call);
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return bench.errors ? 1 : 0;
}
