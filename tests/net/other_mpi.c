/* A library that acts as an unknown MPI with one process, or claims to be an MPI that Copal knows. It ignores its
 * handle arguments. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int MPI_Get_library_version(char *text, int *length);
int MPI_Initialized(int *flag);
int MPI_Finalized(int *flag);
int MPI_Comm_rank(intptr_t comm, int *rank);
int MPI_Comm_size(intptr_t comm, int *size);
int MPI_Comm_dup(intptr_t comm, intptr_t *fresh);
int MPI_Comm_free(intptr_t *comm);
int MPI_Allgather(const void *from, int n_from, intptr_t type_from, void *to, int n_to, intptr_t type_to,
                  intptr_t comm);
int MPI_Barrier(intptr_t comm);
int MPI_Abort(intptr_t comm, int code);

int MPI_Get_library_version(char *text, int *length)
{
    *length = sprintf(text, "%s", VERSION);
    return 0;
}

int MPI_Initialized(int *flag)
{
    *flag = 1;
    return 0;
}

int MPI_Finalized(int *flag)
{
    *flag = 0;
    return 0;
}

int MPI_Comm_rank(intptr_t comm, int *rank)
{
    (void)comm;
    *rank = 0;
    return 0;
}

int MPI_Comm_size(intptr_t comm, int *size)
{
    (void)comm;
    *size = 1;
    return 0;
}

int MPI_Comm_dup(intptr_t comm, intptr_t *fresh)
{
    *fresh = comm;
    return 0;
}

int MPI_Comm_free(intptr_t *comm)
{
    *comm = 0;
    return 0;
}

int MPI_Allgather(const void *from, int n_from, intptr_t type_from, void *to, int n_to, intptr_t type_to,
                  intptr_t comm)
{
    (void)type_from, (void)n_to, (void)type_to, (void)comm;
    memcpy(to, from, (size_t)n_from);
    return 0;
}

int MPI_Barrier(intptr_t comm)
{
    (void)comm;
    return 0;
}

int MPI_Abort(intptr_t comm, int code)
{
    (void)comm, (void)code;
    return 1;
}
