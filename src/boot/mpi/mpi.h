/* The bootstrap module for programs that use MPI under a launcher that Copal does not support: MPI, which the program
 * has initialized, gives the rank and distributes the endpoint addresses. SHMEM_BOOT=mpi requires it.
 *
 * The module is not compiled or linked with an MPI, because a computer may have several and the program chooses one:
 * library.c finds MPI's functions in the process. It knows three binary interfaces: Open MPI's, that of MPICH,
 * Intel MPI, MVAPICH and Cray MPICH, and that of the MPI 5 specification.
 *
 *   library     MPI's functions, and its handles
 *   by_mpi      joining, endpoint addresses, the end */
#pragma once

#include "boot/boot.h"

#include <stddef.h>
#include <stdint.h>

/* library.c: the MPI of this process. */

/* A communicator or a datatype: a pointer in Open MPI and in MPI 5, an int in MPICH and its relatives. Both are
 * passed in the same register. */
typedef intptr_t library_handle;

struct library {
    library_handle world, byte;
    int (*get_library_version)(char *text, int *length);
    int (*initialized)(int *flag);
    int (*finalized)(int *flag);
    int (*comm_rank)(library_handle comm, int *rank);
    int (*comm_size)(library_handle comm, int *size);
    int (*comm_dup)(library_handle comm, library_handle *fresh);
    int (*comm_free)(library_handle *comm);
    int (*allgather)(const void *from, int n_from, library_handle type_from, void *to, int n_to,
                     library_handle type_to, library_handle comm);
    int (*barrier)(library_handle comm);
    int (*abort)(library_handle comm, int code);
};
extern struct library library;

/* NULL, or a sentence that says why this process cannot use MPI. */
const char *library_find(void);

/* Whether MPI is between MPI_Init and MPI_Finalize. */
bool library_works(void);

/* A communicator of Copal's own, separate from the program's. NULL, or a sentence. */
const char *library_duplicate(library_handle *comm);

/* "Open MPI v4.1.4" */
const char *library_name(char *text, size_t room);
