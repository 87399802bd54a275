/* The MPI twin of reductions.c. */
#include <mpi.h>

#include "reductions.h"

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sum(int *result, size_t ints, long slot)
{
    (void)slot;
    MPI_Allreduce(source, result, (int)ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static long agree(long value, int from)
{
    MPI_Bcast(&value, 1, MPI_LONG, from, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    return value;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench.pe);
    MPI_Comm_size(MPI_COMM_WORLD, &bench.pes);
    bench_arguments(argc, argv);
    bench.agree = agree;
    source = bench_alloc(MAX_INTS * sizeof *source);
    results = bench_alloc(RESULT_INTS * sizeof *results);
    run_rows();
    if (bench.pe == 0) {
        printf("{\"done\": true}\n");
        fflush(stdout);
    }
    MPI_Finalize();
    return bench.errors ? 1 : 0;
}
