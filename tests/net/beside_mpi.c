/* A program that uses MPI, and whose PEs find each other by the launcher or by MPI:
 *
 *     beside_mpi [end WHAT | silent | first WHICH | ranks WHICH]
 *
 * first: the library WHICH, shmem or mpi, begins first and ends last; both: shmem begins first and MPI ends last.
 * ranks: the same, and each PE prints its rank. silent: removes the launchers' variables before shmem_init. end: PE 1
 * ends the job, or finalizes MPI too early. */
#include <mpi.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long heard; /* symmetric */

static int wrong(const char *what, long got, long want)
{
    if (got == want)
        return 0;
    fprintf(stderr, "%s: got %ld, want %ld\n", what, got, want);
    return 1;
}

/* Uses both at the same time: an MPI message is pending while the PEs synchronize. */
static int exchange(int rank, int size)
{
    int bad = 0, from = -1;
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    for (long round = 1; round <= 20; round++) {
        MPI_Request request;
        MPI_Irecv(&from, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
        shmem_long_p(&heard, round * 1000 + rank, next);
        shmem_barrier_all();
        bad |= wrong("from the PE before", heard, round * 1000 + before);
        MPI_Send(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        bad |= wrong("from the rank before", from, before);
        shmem_barrier_all();
    }
    return bad;
}

static int together(const char *which, int only_tell)
{
    const int shmem_first = strcmp(which, "mpi") != 0, shmem_last = strcmp(which, "shmem") == 0;
    int rank, size, bad = 0;
    if (shmem_first)
        shmem_init();
    MPI_Init(NULL, NULL);
    if (!shmem_first)
        shmem_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (only_tell) {
        printf("PE %d is rank %d\n", shmem_my_pe(), rank);
    } else {
        bad |= wrong("shmem_my_pe", shmem_my_pe(), rank) | wrong("shmem_n_pes", shmem_n_pes(), size);
        bad |= exchange(rank, size);
        printf("PE %d of %d, %d near\n", shmem_my_pe(), size, shmem_team_n_pes(SHMEM_TEAM_SHARED));
    }
    if (!shmem_last)
        shmem_finalize();
    MPI_Finalize();
    if (shmem_last) {
        shmem_barrier_all();
        shmem_finalize();
    }
    return bad;
}

int main(int argc, char **argv)
{
    const char *const how = argc > 1 ? argv[1] : "", *const what = argc > 2 ? argv[2] : "";
    static const char *const told[] = {"PMIX_RANK", "PMI_FD", "PMI_SIZE", "PMI_RANK", "OMPI_COMM_WORLD_SIZE"};
    int rank, size, bad = 0;
    if (strcmp(how, "first") == 0 || strcmp(how, "ranks") == 0)
        return together(what, strcmp(how, "ranks") == 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; strcmp(how, "silent") == 0 && i < sizeof told / sizeof told[0]; i++)
        unsetenv(told[i]);
    for (int session = 0; session < 3; session++) {
        shmem_init();
        bad |= wrong("shmem_my_pe", shmem_my_pe(), rank) | wrong("shmem_n_pes", shmem_n_pes(), size);
        bad |= exchange(rank, size);
        if (strcmp(what, "global") == 0 && rank == 1)
            shmem_global_exit(7);
        if (strcmp(what, "bad_pe") == 0 && rank == 1)
            shmem_long_p(&heard, 1, 12345);
        if (*what && strcmp(what, "finalize") != 0)
            shmem_barrier_all();
        if (strcmp(what, "finalize") == 0)
            MPI_Finalize();
        if (session == 2)
            printf("PE %d of %d, %d near\n", shmem_my_pe(), size, shmem_team_n_pes(SHMEM_TEAM_SHARED));
        shmem_finalize();
    }
    MPI_Finalize();
    return bad;
}
