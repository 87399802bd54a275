/* The MPI-3 twin of pairs.c: one window that all ranks lock shared; MPI_Put and MPI_Get with a flush. */
#include "../../timing/ranks.h"
#include "pairs.h"

static void flush(void)
{
    MPI_Win_flush(partner, window);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

MOVER(put, MPI_Put(local + from, (int)bytes, MPI_BYTE, partner, (MPI_Aint)to, (int)bytes, MPI_BYTE, window))
MOVER(get, MPI_Get(local + to, (int)bytes, MPI_BYTE, partner, (MPI_Aint)from, (int)bytes, MPI_BYTE, window))

WAY(put_by_call, put_each, put, flush)
WAY(get_by_call, get_each, get, flush)
WAY(put_windows_by_call, put_windows, put, flush)
WAY(get_windows_by_call, get_windows, get, flush)

static const struct way by_call = {"", put_by_call, get_by_call, put_windows_by_call, get_windows_by_call};

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    local = bench_alloc(BUFFER_BYTES);
    remote = ranks_window(BUFFER_BYTES);
    pair_up();
    run_way(&by_call);
    return ranks_end();
}
