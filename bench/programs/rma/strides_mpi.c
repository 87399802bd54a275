/* The MPI-3 twin of strides.c: MPI_Put and MPI_Get of vector types, with a flush. */
#include "../../timing/ranks.h"
#include "strides.h"

static MPI_Datatype target_type = MPI_DATATYPE_NULL, origin_type = MPI_DATATYPE_NULL;

static void make_type(MPI_Datatype *type, ptrdiff_t stride)
{
    if (*type != MPI_DATATYPE_NULL)
        MPI_Type_free(type);
    MPI_Type_vector(ELEMENTS, 1, (int)stride, MPI_INT, type);
    MPI_Type_commit(type);
}

static void make_types(void)
{
    make_type(&target_type, target_stride);
    make_type(&origin_type, origin_stride);
}

BENCH_LOOP(put, bench.pe == 0,
           MPI_Put(local, 1, origin_type, target, 0, 1, target_type, window); MPI_Win_flush(target, window))
BENCH_LOOP(get, bench.pe == 0,
           MPI_Get(local, 1, origin_type, target, 0, 1, target_type, window); MPI_Win_flush(target, window))

static const struct way by_call = {"", put, get};

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    target = 1 % bench.pes;
    local = bench_alloc(EXTENT_BYTES);
    remote = ranks_window(EXTENT_BYTES);
    run_way(&by_call, make_types);
    MPI_Type_free(&target_type);
    MPI_Type_free(&origin_type);
    return ranks_end();
}
