/* pes: 2 */
/* args: check */
/* Acquires and releases a lock: a free lock, by each of two PEs; and by all PEs at once. */
#include "../../timing/pes.h"

static long *lock;    /* symmetric */
static long *counter; /* symmetric, on PE 0: protected by the lock during the check */

static void set_and_clear(long n)
{
    for (long i = 0; i < n; i++) {
        shmem_set_lock(lock);
        shmem_clear_lock(lock);
    }
}

static void free_pe0(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 0)
        set_and_clear(n);
}

static void free_pe1(long n, size_t bytes)
{
    (void)bytes;
    if (bench.pe == 1)
        set_and_clear(n);
}

/* Makes n acquisitions in total; the time ends when every PE has made its share. */
static void contended(long n, size_t bytes)
{
    (void)bytes;
    set_and_clear(n / bench.pes + 1);
    shmem_barrier_all();
}

#ifdef BENCH_IS_FLOOR /* the floor's set_lock is a bare test-and-set; this row's lock keeps the order of arrival */
BENCH_LOOP(fifo_free, bench.pe == 0, floor_set_fifo_lock(lock); floor_clear_fifo_lock(lock))

static void fifo_contended(long n, size_t bytes)
{
    (void)bytes;
    for (long i = 0; i < n / bench.pes + 1; i++) {
        floor_set_fifo_lock(lock);
        floor_clear_fifo_lock(lock);
    }
    shmem_barrier_all();
}
#endif

/* Without the lock, increments of one word by two PEs would be lost. */
static void check_exclusion(void)
{
    enum { INCREMENTS = 2000 };
    for (long i = 0; i < INCREMENTS; i++) {
        shmem_set_lock(lock);
        long value = shmem_long_g(counter, 0);
        shmem_long_p(counter, value + 1, 0);
        shmem_quiet();
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    if (bench.pe == 0)
        bench_expect("lock", 0, (uint64_t)*counter, (uint64_t)(INCREMENTS * bench.pes));
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 2);
    lock = pes_alloc(sizeof *lock);
    counter = pes_alloc(sizeof *counter);
    measure("lock_pe0", 0, free_pe0);
    measure_by(1, "lock_pe1", 0, free_pe1);
    measure("lock_contended", 0, contended);
    check_exclusion();
#ifdef BENCH_IS_FLOOR
    measure("lock_fifo_free", 0, fifo_free);
    measure("lock_fifo_contended", 0, fifo_contended);
#endif
    return pes_end();
}
