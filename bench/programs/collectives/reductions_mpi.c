/* The MPI twin of reductions.c. */
#include "../../timing/ranks.h"
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

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    source = bench_alloc(MAX_INTS * sizeof *source);
    results = bench_alloc(RESULT_INTS * sizeof *results);
    run_rows();
    return ranks_end();
}
