/* MPI's collectives, for the comparison with OpenSHMEM's.  MPI needs no barrier between two calls with the same
 * destination.  Nevertheless each window ends with a barrier, so that all contestants do the same work. */
#include "../../timing/ranks.h"
#include "sweep.h"

static MPI_Datatype strided = MPI_DATATYPE_NULL; /* one block of alltoalls, with the gap after its last word */
static int *counts, *displacements;              /* of collect, in words */

static void barrier_all(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void prepare(int collective, size_t bytes)
{
    int words = (int)(bytes / 8);
    if (collective == COLLECT)
        for (int pe = 0, at = 0; pe < bench.pes; at += counts[pe++]) {
            counts[pe] = (int)(contribution(pe, bytes) / 8);
            displacements[pe] = at;
        }
    if (collective == ALLTOALLS) {
        if (strided != MPI_DATATYPE_NULL)
            MPI_Type_free(&strided);
        MPI_Datatype vector;
        MPI_Type_vector(words, 1, STRIDE, MPI_UINT64_T, &vector);
        MPI_Type_create_resized(vector, 0, (MPI_Aint)bytes * STRIDE, &strided);
        MPI_Type_commit(&strided);
        MPI_Type_free(&vector);
    }
}

CALL(barrier, MPI_Barrier(MPI_COMM_WORLD))

static void broadcast(const struct call *c)
{
    void *buffer = bench.pe == c->root ? (void *)(uintptr_t)c->source : c->dest;
    MPI_Bcast(buffer, (int)(c->bytes / 8), MPI_UINT64_T, c->root, MPI_COMM_WORLD);
}

CALL(sum, MPI_Allreduce(c->source, c->dest, (int)(c->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))

static void fcollect(const struct call *c)
{
    int words = (int)(c->bytes / 8);
    MPI_Allgather(c->source, words, MPI_UINT64_T, c->dest, words, MPI_UINT64_T, MPI_COMM_WORLD);
}

static void collect(const struct call *c)
{
    MPI_Allgatherv(c->source, counts[bench.pe], MPI_UINT64_T, c->dest, counts, displacements, MPI_UINT64_T,
                   MPI_COMM_WORLD);
}

static void alltoall(const struct call *c)
{
    int words = (int)(c->bytes / 8);
    MPI_Alltoall(c->source, words, MPI_UINT64_T, c->dest, words, MPI_UINT64_T, MPI_COMM_WORLD);
}

CALL(alltoalls, MPI_Alltoall(c->source, 1, strided, c->dest, 1, strided, MPI_COMM_WORLD))
CALL(inscan, MPI_Scan(c->source, c->dest, (int)(c->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
CALL(exscan, MPI_Exscan(c->source, c->dest, (int)(c->bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))

static const struct contestant self = {
    .alloc = bench_alloc,
    .barrier = barrier_all,
    .prepare = prepare,
    .calls = {barrier, broadcast, sum, fcollect, collect, alltoall, alltoalls, inscan, exscan},
};

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    counts = bench_alloc((size_t)bench.pes * sizeof *counts);
    displacements = bench_alloc((size_t)bench.pes * sizeof *displacements);
    run_sweep(&self, argc, argv);
    if (strided != MPI_DATATYPE_NULL)
        MPI_Type_free(&strided);
    return ranks_end();
}
