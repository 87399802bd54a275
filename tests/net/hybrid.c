/* MPI and OpenSHMEM in one program: either may be initialized first, both work, and ranks are equal to PE numbers.
 *
 *   hybrid shmem|mpi      the library that is initialized first and finalized last */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

/* The part of Open MPI's mpi.h that is needed, because only the development package has the header; the library
 * comes with mpirun. The binary interface is the same in versions 1.10 to 6. */
typedef struct handle *MPI_Comm, *MPI_Datatype, *MPI_Op;
extern char ompi_mpi_comm_world, ompi_mpi_long, ompi_mpi_op_sum; /* objects, of which only the addresses are used */
#define MPI_COMM_WORLD ((MPI_Comm)(void *)&ompi_mpi_comm_world)
#define MPI_LONG ((MPI_Datatype)(void *)&ompi_mpi_long)
#define MPI_SUM ((MPI_Op)(void *)&ompi_mpi_op_sum)
int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Finalize(void);

static long heard; /* symmetric */

static int wrong(const char *what, long got, long want)
{
    if (got == want)
        return 0;
    fprintf(stderr, "%s: got %ld, want %ld\n", what, got, want);
    return 1;
}

int main(int argc, char **argv)
{
    const int shmem_first = argc > 1 && strcmp(argv[1], "shmem") == 0;
    int bad = 0;
    if (shmem_first)
        shmem_init();
    MPI_Init(&argc, &argv);
    if (!shmem_first)
        shmem_init();

    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int me = shmem_my_pe(), n = shmem_n_pes();
    bad |= wrong("shmem_my_pe", me, rank) | wrong("shmem_n_pes", n, size);

    for (long round = 1; round <= 100; round++) {
        shmem_long_p(&heard, round * 1000 + me, (me + 1) % n);
        shmem_barrier_all();
        bad |= wrong("from the PE before", heard, round * 1000 + (me + n - 1) % n);
        long sum = 0, mine = heard;
        MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
        bad |= wrong("sum over the ranks", sum, n * round * 1000 + (long)n * (n - 1) / 2);
    }
    if (!shmem_first)
        shmem_finalize();
    MPI_Finalize();
    if (shmem_first)
        shmem_finalize();
    return bad;
}
