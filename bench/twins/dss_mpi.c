/* The exchange of apps/dss by MPI: nonblocking messages; the values of each are added when it arrives. */
#include <mpi.h>
#include <stdlib.h>

static struct {
    int links;
    int *rank, *first, *length; /* for each link */
    double *arrived;
    MPI_Request *receives, *sends;
} x;

void dss_join(int *me, int *ranks)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, me);
    MPI_Comm_size(MPI_COMM_WORLD, ranks);
}

static int *copy_of(const int *values)
{
    int *copy = malloc(((size_t)x.links + 1) * sizeof *copy);
    for (int l = 0; l < x.links; l++)
        copy[l] = values[l];
    return copy;
}

void dss_connect(int ranks, int links, const int *rank, const int *first, const int *there, const int *length,
                 int most)
{
    (void)ranks, (void)there;
    x.links = links;
    x.rank = copy_of(rank);
    x.first = copy_of(first);
    x.length = copy_of(length);
    x.arrived = malloc(((size_t)most + 1) * sizeof *x.arrived);
    x.receives = malloc(2 * ((size_t)links + 1) * sizeof *x.receives);
    x.sends = x.receives + links;
}

void dss_begin_step(int step)
{
    (void)step;
    for (int l = 0; l < x.links; l++)
        MPI_Irecv(x.arrived + x.first[l], x.length[l], MPI_DOUBLE, x.rank[l], 0, MPI_COMM_WORLD, &x.receives[l]);
}

void dss_send(int link, const double *values)
{
    MPI_Isend(values, x.length[link - 1], MPI_DOUBLE, x.rank[link - 1], 0, MPI_COMM_WORLD, &x.sends[link - 1]);
}

void dss_take(int *link, double **values)
{
    int l;
    MPI_Waitany(x.links, x.receives, &l, MPI_STATUS_IGNORE);
    *link = l + 1;
    *values = x.arrived + x.first[l];
}

void dss_end_step(void)
{
    MPI_Waitall(x.links, x.sends, MPI_STATUSES_IGNORE);
}

void dss_meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void dss_stop_all(void)
{
    MPI_Abort(MPI_COMM_WORLD, 1);
}

void dss_leave(void)
{
    MPI_Finalize();
}
