/* The floor of the coarray benchmarks: plain loops and copies through one mapping, flags, atomic instructions. */
#include "../../timing/pes.h"
#include "rows.h"

static uint64_t *remote, *local;
static uint64_t *turn; /* symmetric: an event */
static uint64_t turns;
static long *lock, *counter;
static double *sums, *sum_source;

/* Copies by a loop or, if elements are adjacent, by memcpy. */
static void copy_shape(uint64_t *dest, const uint64_t *source, bool put)
{
    size_t step = shape->packed ? 1 : shape->step, bytes = shape->count * 8;
    size_t to = put ? shape->step : step, from = put ? step : shape->step;
    for (size_t c = 0; c < shape->columns; c++) {
        uint64_t *d = dest + (put ? there(c, 0) : here(c, 0));
        const uint64_t *s = source + (put ? here(c, 0) : there(c, 0));
        if (to == 1 && from == 1)
            memcpy(d, s, bytes);
        else
            for (size_t i = 0; i < shape->count; i++)
                d[i * to] = s[i * from];
    }
    floor_keep();
}

BENCH_LOOP(put, bench.pe == 0, copy_shape(floor_at(remote, 1), local, true))
BENCH_LOOP(get, bench.pe == 0, copy_shape(local, floor_at(remote, 1), false))

static void event_round_trip(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe > 1)
        return;
    for (long i = 0; i < n; i++) {
        turns++;
        if (bench.pe == 0)
            shmem_uint64_p(turn, turns, 1);
        shmem_signal_wait_until(turn, SHMEM_CMP_EQ, turns);
        if (bench.pe == 1)
            shmem_uint64_p(turn, turns, 0);
    }
}

BENCH_LOOP(lock_free, bench.pe == 0, floor_set_fifo_lock(lock); floor_clear_fifo_lock(lock))
BENCH_LOOP(add, bench.pe == 0, shmem_long_atomic_add(counter, 3, 1))
BENCH_LOOP(fetch_add, bench.pe == 0, local[0] += (uint64_t)shmem_long_atomic_fetch_add(counter, 5, 1))
BENCH_LOOP(co_sum, true, shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sums, sum_source, bytes / 8))
BENCH_LOOP(co_broadcast, true, shmem_broadcastmem(SHMEM_TEAM_WORLD, sums, sum_source, bytes, (int)(i % bench.pes)))

/* Each PE contributes (pe + 1) * (i + 1); a double holds the sums exactly. */
static void collective_rows(size_t words)
{
    double pes = bench.pes;
    for (size_t i = 0; i < words; i++)
        sum_source[i] = (double)(bench.pe + 1) * (double)(i + 1);
    measure("co_sum", words * 8, co_sum);
    for (size_t i = 0; i < words; i++)
        bench_expect("co_sum", i, (uint64_t)sums[i], (uint64_t)(pes * (pes + 1) / 2 * (double)(i + 1)));
    measure("co_broadcast", words * 8, co_broadcast);
    co_broadcast(1, words * 8);
    for (size_t i = 0; i < words && bench.pe != 0; i++)
        bench_expect("co_broadcast", i, (uint64_t)sums[i], i + 1);
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    remote = pes_alloc(WORDS * 8);
    local = bench_alloc(WORDS * 8);
    turn = pes_alloc(4096);
    lock = pes_alloc(4096);
    counter = pes_alloc(4096);
    sums = pes_alloc(WORDS);
    sum_source = pes_alloc(WORDS);
    if (bench.pes == 2)
        run_shapes(&(struct contestant){.local = local, .remote = remote, .put = put, .get = get});
    measure("event_round_trip", 0, event_round_trip);
    measure("lock_remote", 0, lock_free);
    measure("atomic_add", 0, add);
    measure("atomic_fetch_add", 0, fetch_add);
    collective_rows(1);
    collective_rows(512);
    collective_rows(131072);
    return pes_end();
}
