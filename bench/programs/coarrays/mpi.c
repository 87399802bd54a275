/* MPI twins of the coarray rows: the calls that a program written for MPI would make. */
#include "../../timing/ranks.h"
#include "rows.h"

static uint64_t *remote, *local;
static MPI_Win guard;
static MPI_Datatype type_there = MPI_DATATYPE_NULL, type_here = MPI_DATATYPE_NULL;
static int64_t *counter, added;
static double *sums;

static MPI_Datatype columns(size_t step, size_t column_step)
{
    MPI_Datatype column, type;
    MPI_Type_vector((int)shape->count, 1, (int)step, MPI_UINT64_T, &column);
    MPI_Type_create_hvector((int)shape->columns, 1, (MPI_Aint)column_step * 8, column, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&column);
    return type;
}

static void free_types(void)
{
    if (type_there != MPI_DATATYPE_NULL) {
        MPI_Type_free(&type_there);
        MPI_Type_free(&type_here);
    }
}

static void prepare(void)
{
    free_types();
    type_there = columns(shape->step, shape->column_step);
    type_here = shape->packed ? columns(1, shape->count) : columns(shape->step, shape->column_step);
}

static bool contiguous(void)
{
    return shape->columns == 1 && shape->step == 1;
}

static void put(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    int count = contiguous() ? (int)shape->count : 1;
    MPI_Datatype to = contiguous() ? MPI_UINT64_T : type_there, from = contiguous() ? MPI_UINT64_T : type_here;
    for (long i = 0; i < n; i++) {
        MPI_Put(local + here(0, 0), count, from, 1, (MPI_Aint)(shape->first * 8), count, to, window);
        MPI_Win_flush(1, window);
    }
}

static void get(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe != 0)
        return;
    int count = contiguous() ? (int)shape->count : 1;
    MPI_Datatype from = contiguous() ? MPI_UINT64_T : type_there, to = contiguous() ? MPI_UINT64_T : type_here;
    for (long i = 0; i < n; i++) {
        MPI_Get(local + here(0, 0), count, to, 1, (MPI_Aint)(shape->first * 8), count, from, window);
        MPI_Win_flush(1, window);
    }
}

static void event_round_trip(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe > 1)
        return;
    int other = 1 - bench.pe;
    for (long i = 0; i < n; i++) {
        if (bench.pe == 0)
            MPI_Send(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (bench.pe == 1)
            MPI_Send(NULL, 0, MPI_BYTE, other, 2, MPI_COMM_WORLD);
    }
}

static void lock_of(long n, int owner)
{
    for (long i = 0; i < n; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, owner, 0, guard);
        MPI_Win_unlock(owner, guard);
    }
}

static void lock_own(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        lock_of(n, 0);
}

static void lock_remote(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        lock_of(n, 1);
}

static void add(long n, size_t bytes)
{
    (void)bytes;
    const int64_t three = 3;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            MPI_Accumulate(&three, 1, MPI_INT64_T, 1, 0, 1, MPI_INT64_T, MPI_SUM, window);
            MPI_Win_flush(1, window);
        }
    added += 3 * n;
}

static void fetch_add(long n, size_t bytes)
{
    (void)bytes;
    const int64_t five = 5;
    int64_t old;
    if (bench.pe == 0)
        for (long i = 0; i < n; i++) {
            MPI_Fetch_and_op(&five, &old, MPI_INT64_T, 1, 0, MPI_SUM, window);
            MPI_Win_flush(1, window);
            bench_expect("atomic_fetch_add", (size_t)i, (uint64_t)old, (uint64_t)(added + 5 * i));
        }
    added += 5 * n;
}

BENCH_LOOP(co_sum, true, MPI_Allreduce(MPI_IN_PLACE, sums, (int)(bytes / 8), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD))
BENCH_LOOP(co_broadcast, true, MPI_Bcast(sums, (int)(bytes / 8), MPI_DOUBLE, (int)(i % bench.pes), MPI_COMM_WORLD))

static void allocate(long n, size_t bytes)
{
    void *memory;
    MPI_Win own;
    for (long i = 0; i < n; i++) {
        MPI_Win_allocate((MPI_Aint)bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &own);
        *(long *)memory = i;
        MPI_Win_free(&own);
    }
}

static void fill_sums(size_t words, double factor)
{
    for (size_t i = 0; i < words; i++)
        sums[i] = factor * (double)(i + 1);
}

static void collective_rows(size_t words)
{
    double pes = bench.pes;
    fill_sums(words, 0);
    measure("co_sum", words * 8, co_sum);
    fill_sums(words, bench.pe + 1);
    co_sum(1, words * 8);
    for (size_t i = 0; i < words; i++)
        bench_expect("co_sum", i, (uint64_t)sums[i], (uint64_t)(pes * (pes + 1) / 2 * (double)(i + 1)));
    measure("co_broadcast", words * 8, co_broadcast);
    fill_sums(words, bench.pe + 1);
    co_broadcast(1, words * 8);
    for (size_t i = 0; i < words; i++)
        bench_expect("co_broadcast", i, (uint64_t)sums[i], i + 1);
}

static void atomic_rows(void)
{
    counter[0] = 0;
    ranks_agree(0, 0);
    measure("atomic_add", 0, add);
    measure("atomic_fetch_add", 0, fetch_add);
    if (bench.pe == 1) {
        ranks_sync();
        bench_expect("atomic_add", 0, (uint64_t)counter[0], (uint64_t)added);
    }
}

int main(int argc, char **argv)
{
    ranks_start(argc, argv);
    local = bench_alloc(WORDS * 8);
    sums = bench_alloc(WORDS);
    remote = ranks_window(WORDS * 8);
    counter = (int64_t *)remote;
    void *word;
    MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &guard);

    if (bench.pes == 2)
        run_shapes(&(struct contestant){local, remote, prepare, put, get});
    measure("event_round_trip", 0, event_round_trip);
    measure("lock_own", 0, lock_own);
    measure("lock_remote", 0, lock_remote);
    atomic_rows();
    measure("allocate", 1024, allocate);
    collective_rows(1);
    collective_rows(512);
    collective_rows(131072);

    free_types();
    MPI_Win_free(&guard);
    return ranks_end();
}
