/* pes: 1 2 4 */
/* args: check */
/* Ordering and synchronization: quiet and fence with nothing outstanding, barriers, and the round trip of a flag, of
 * data followed by a flag, and of a put with signal. If the number of PEs is not 2, only the barriers. */
#include "../../timing/pes.h"

enum { PAGES = 32, PAGE_WORDS = 4096 / 8 };

static long *turns;      /* symmetric */
static uint64_t *pages;  /* symmetric */
static long *data;       /* in one of the pages */
static uint64_t *signal; /* the signal of `data`, signal_at words after it */
static size_t signal_at;
static long round_trip; /* the same on both PEs */
static long page;

BENCH_LOOP(quiet, bench.pe == 0, shmem_quiet())
BENCH_LOOP(fence, bench.pe == 0, shmem_fence())
BENCH_LOOP(barrier_all, true, shmem_barrier_all())
BENCH_LOOP(sync_all, true, shmem_sync_all())

/* Each PE writes the number of the round to its right neighbour, then checks what the left one has written. */
static void check_barrier(void)
{
    int right = (bench.pe + 1) % bench.pes;
    for (long i = 1; i <= 100; i++) {
        shmem_long_p(turns, i * 10 + bench.pe, right);
        shmem_barrier_all();
        int left = (bench.pe + bench.pes - 1) % bench.pes;
        bench_expect("barrier_all", (size_t)i, (uint64_t)*(volatile long *)turns, (uint64_t)(i * 10 + left));
        shmem_barrier_all();
    }
}

static void wait_for_signal(long value)
{
#if BENCH_HAS_1_5
    shmem_signal_wait_until(signal, SHMEM_CMP_EQ, (uint64_t)value);
#else
    shmem_uint64_wait_until(signal, SHMEM_CMP_EQ, (uint64_t)value);
#endif
}

static void send_flag(long value)
{
    shmem_uint64_p(signal, (uint64_t)value, 1 - bench.pe);
}

static void send_put_fence_flag(long value)
{
    shmem_long_put(data, &value, 1, 1 - bench.pe);
    shmem_fence();
    send_flag(value);
}

/* PE 0 sends and waits for PE 1's reply. The access time depends on the cache line's page by some twenty per cent, so
 * each batch uses another page. */
static void ping_pong(const char *row, long n, void (*send)(long value), bool with_data)
{
    uint64_t *here = pages + (size_t)(page++ % PAGES) * PAGE_WORDS;
    data = (long *)here;
    signal = here + signal_at;
    long first = round_trip + 1, wrong = 0;
    for (long i = first; i < first + n; i++) {
        if (bench.pe == 0)
            send(i);
        wait_for_signal(i);
        if (with_data)
            wrong |= *(volatile long *)data ^ i;
        if (bench.pe == 1)
            send(i);
    }
    bench_expect(row, 0, (uint64_t)wrong, 0);
    round_trip += n;
}

static void flag(long n, size_t bytes)
{
    (void)bytes;
    ping_pong("flag", n, send_flag, false);
}

static void put_fence_flag(long n, size_t bytes)
{
    (void)bytes;
    ping_pong("put_fence_flag", n, send_put_fence_flag, true);
}

#if BENCH_HAS_1_5
static void send_put_signal(long value)
{
    shmem_long_put_signal(data, &value, 1, signal, (uint64_t)value, SHMEM_SIGNAL_SET, 1 - bench.pe);
}

static void put_signal(long n, size_t bytes)
{
    (void)bytes;
    ping_pong("put_signal", n, send_put_signal, true);
}
#endif

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    turns = pes_alloc(sizeof *turns);
    pages = pes_alloc(PAGES * PAGE_WORDS * 8);

    measure("barrier_all", 0, barrier_all);
    measure("sync_all", 0, sync_all);
    check_barrier();
    if (bench.pes == 2) {
        measure("quiet", 0, quiet);
        measure("fence", 0, fence);
        signal_at = 1; /* on the cache line of its data */
        measure("flag", 8, flag);
        measure("put_fence_flag", 8, put_fence_flag);
#if BENCH_HAS_1_5
        measure("put_signal", 8, put_signal);
#endif
        signal_at = 16; /* on a cache line of its own */
        measure("put_fence_flag_apart", 8, put_fence_flag);
#if BENCH_HAS_1_5
        measure("put_signal_apart", 8, put_signal);
#endif
    }
    return pes_end();
}
