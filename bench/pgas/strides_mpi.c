/* The MPI-3 twin of strides.c: MPI_Put and MPI_Get of vector types, with a flush. */
#include <mpi.h>

#include "strides.h"

static MPI_Win window;
static MPI_Datatype target_type = MPI_DATATYPE_NULL, origin_type = MPI_DATATYPE_NULL;

static void make_type(MPI_Datatype *type, ptrdiff_t stride)
{
    if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
    MPI_Type_vector(ELEMENTS, 1, (int)stride, MPI_INT, type);
    MPI_Type_commit(type);
}

static void make_types(void)
{
    make_type(&target_type, target_stride);
    make_type(&origin_type, origin_stride);
}

static void put(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            MPI_Put(local, 1, origin_type, target, 0, 1, target_type, window);
            MPI_Win_flush(target, window);
        }
}

static void get(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            MPI_Get(local, 1, origin_type, target, 0, 1, target_type, window);
            MPI_Win_flush(target, window);
        }
}

static const struct way by_call = {"", put, get};

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
    bench.row_us = ROW_US;
    target = 1 % bench.pes;
    local = bench_alloc(EXTENT_BYTES);
    MPI_Win_allocate(EXTENT_BYTES, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &remote, &window);
    memset(remote, 0, EXTENT_BYTES);
    MPI_Win_lock_all(0, window);
    run_way(&by_call, make_types);
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Type_free(&target_type);
    MPI_Type_free(&origin_type);
    MPI_Finalize();
    return bench.errors ? 1 : 0;
}
