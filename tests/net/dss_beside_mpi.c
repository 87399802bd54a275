/* MPI's part of dss_beside.f90. */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

void begin_mpi(void);
void end_mpi(void);

void begin_mpi(void)
{
    MPI_Init(NULL, NULL);
}

void end_mpi(void)
{
    int rank, right = 1, all = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right on %d ranks\n", all);
    MPI_Finalize();
}
