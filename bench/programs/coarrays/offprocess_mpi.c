/* The exchange of offprocess.f90 by messages: both receives, both sends, and a wait for all. */
#include "../../timing/ranks.h"

enum { TO_RIGHT, TO_LEFT, MOST = 8192 }; /* tags; bytes of a block */

static int left, right;
static char *given, *incoming, *received;

static void messages(long n, size_t bytes)
{
    MPI_Request requests[4];
    for (long i = 0; i < n; i++) {
        MPI_Irecv(incoming, (int)bytes, MPI_BYTE, left, TO_RIGHT, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(incoming + bytes, (int)bytes, MPI_BYTE, right, TO_LEFT, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(given + bytes, (int)bytes, MPI_BYTE, right, TO_RIGHT, MPI_COMM_WORLD, &requests[2]);
        MPI_Isend(given, (int)bytes, MPI_BYTE, left, TO_LEFT, MPI_COMM_WORLD, &requests[3]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
        memcpy(received, incoming, 2 * bytes);
    }
}

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    left = (bench.pe + bench.pes - 1) % bench.pes;
    right = (bench.pe + 1) % bench.pes;
    given = bench_alloc(2 * MOST);
    incoming = bench_alloc(2 * MOST);
    received = bench_alloc(2 * MOST);
    for (size_t bytes = 128; bytes <= MOST; bytes *= 8) {
        bench_fill((uint64_t *)given, bytes, 2 * (uint64_t)bench.pe);
        bench_fill((uint64_t *)(given + bytes), bytes, 2 * (uint64_t)bench.pe + 1);
        measure("messages", bytes, messages);
        bench_expect_filled("messages", (uint64_t *)received, bytes, 2 * (uint64_t)left + 1);
        bench_expect_filled("messages", (uint64_t *)(received + bytes), bytes, 2 * (uint64_t)right);
    }
    return ranks_end();
}
