/* Counts the puts of 8 bytes that the target does not have when MPI_Win_flush returns. Rank 0 then sets a flag in
 * memory that both ranks map, and rank 1, which makes progress, reads the word. 2 ranks, on one machine:
 *     cc flush_mpi.c -lmpi */
#include <fcntl.h>
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PUTS = 20000 };

struct flags {
    _Alignas(128) atomic_long flushed;
    _Alignas(128) atomic_long read;
};

int main(int argc, char **argv)
{
    static const char name[] = "/bench-flush";
    int rank, any, late = 0;
    long *word;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &window);
    *word = 0;
    if (rank == 0)
        shm_unlink(name);
    MPI_Barrier(MPI_COMM_WORLD);
    const int fd = shm_open(name, O_RDWR | O_CREAT, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct flags)) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    struct flags *flags = mmap(NULL, sizeof *flags, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (flags == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (long i = 1; i <= PUTS; i++)
        if (rank == 0) {
            MPI_Put(&i, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window);
            MPI_Win_flush(1, window);
            atomic_store(&flags->flushed, i);
            while (atomic_load(&flags->read) != i)
                ;
        } else {
            while (atomic_load(&flags->flushed) != i)
                MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
            MPI_Win_sync(window);
            late += *(volatile long *)word != i;
            atomic_store(&flags->read, i);
        }
    if (rank == 1)
        printf("%d of %d puts arrived after their flush\n", late, PUTS);
    MPI_Win_unlock_all(window);
    if (rank == 0)
        shm_unlink(name);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
