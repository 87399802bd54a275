/* MPI's part of beside_mpi.f90: from MPI_Init to MPI_Finalize. */
#include <mpi.h>
#include <stddef.h>

int sum_by_mpi(int image, int images);

/* The sum over all images by MPI; -1 if MPI's ranks are not the images. */
int sum_by_mpi(int image, int images)
{
    int rank, size, sum = -1;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank + 1 == image && size == images)
        MPI_Allreduce(&image, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum;
}
