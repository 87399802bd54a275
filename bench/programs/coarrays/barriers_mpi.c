/* The rows of barriers.f90 by MPI: MPI_Barrier, and messages of one number to and from the other ranks. */
#include "../../timing/ranks.h"

static int rounds, failures, meets; /* a rank sends `rounds` to the other ranks */
static int *others, *heard;
static MPI_Request *requests;

BENCH_LOOP(sync_all, true, MPI_Barrier(MPI_COMM_WORLD))

static void meet(long n, size_t bytes)
{
    (void)bytes;
    for (long i = 0; i < n; i++) {
        rounds++;
        for (int k = 0; k < meets; k++)
            MPI_Irecv(&heard[k], 1, MPI_INT, others[k], 1, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < meets; k++)
            MPI_Isend(&rounds, 1, MPI_INT, others[k], 1, MPI_COMM_WORLD, &requests[meets + k]);
        MPI_Waitall(2 * meets, requests, MPI_STATUSES_IGNORE);
        for (int k = 0; k < meets; k++)
            failures += heard[k] != rounds;
    }
}

static void meeting_row(const char *row)
{
    failures = 0;
    measure(row, 0, meet);
    bench_expect(row, 0, (uint64_t)failures, 0);
}

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    const int left = (bench.pe + bench.pes - 1) % bench.pes, right = (bench.pe + 1) % bench.pes;
    others = bench_alloc(((size_t)bench.pes + 1) * sizeof *others);
    heard = bench_alloc(((size_t)bench.pes + 1) * sizeof *heard);
    requests = bench_alloc(2 * ((size_t)bench.pes + 1) * sizeof *requests);
    measure("sync_all", 0, sync_all);
    others[0] = left;
    others[1] = right;
    meets = left == right ? 1 : 2;
    meeting_row("sync_ring");
    meets = bench.pe == 0 ? bench.pes - 1 : 1;
    for (int k = 0; k < meets; k++)
        others[k] = bench.pe == 0 ? k + 1 : 0;
    meeting_row("sync_first");
    return ranks_end();
}
