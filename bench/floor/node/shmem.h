/* The floor: the calls that the benchmarks use, with as little work as possible.
 *
 * Benchmark programs compiled with this header, instead of a library's, measure processes with one shared mapping.
 * Everything is inlined, without checks, tables or calls: only memcpy, C11 atomics and one addition to find the other
 * process's copy.  Each function moves the data and gives the ordering that OpenSHMEM guarantees, no more.  This is no
 * full OpenSHMEM: it needs up to FLOOR_MAX_PES PEs that all participate in every collective, one blocking wait per PE,
 * allocations freed in reverse order, and correct arguments.
 *
 * Waiting: two processes have a core each and spin.  If there are more processes than cores, a waiting process yields
 * its core immediately, which is the fastest way to wait in this case. */
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "launch.h"

#define BENCH_IS_FLOOR 1

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_CMP_EQ 0
#define SHMEM_SIGNAL_SET 1
#define SHMEM_TEAM_WORLD 0

/* Shared data of the processes besides their heaps. Each word of a PE is on its own cache line. */
struct floor_pe {
    _Alignas(128) _Atomic uint64_t arrived; /* barriers entered */
    _Alignas(128) _Atomic uint64_t ready;   /* collectives whose source may be read */
    _Alignas(128) _Atomic uint64_t done;    /* collectives whose peers' sources have been read */
};

struct floor_shared {
    struct floor_pe pe[FLOOR_MAX_PES];
    _Alignas(128) _Atomic uint32_t gathered;   /* barrier of many PEs: number of arrivals */
    _Alignas(128) _Atomic uint64_t generation; /* barrier of many PEs: number of completed barriers */
};

static struct {
    int pe, pes;
    int crowded; /* more processes than cores */
    struct floor_shared *shared;
    char *heap; /* this PE's heap; PE k's heap is (k - me) * FLOOR_HEAP_BYTES further on */
    size_t heap_used;
    uint64_t barriers, collectives;
} floor_self;

/* --- set-up ------------------------------------------------------------------------------------------------------- */

static inline void shmem_init(void)
{
    floor_self.pe = atoi(getenv(FLOOR_ENV_PE));
    floor_self.pes = atoi(getenv(FLOOR_ENV_PES));
    cpu_set_t cores;
    sched_getaffinity(0, sizeof cores, &cores);
    floor_self.crowded = floor_self.pes > CPU_COUNT(&cores);
    for (int core = 0, nth = 0; core < CPU_SETSIZE && !floor_self.crowded; core++)
        if (CPU_ISSET(core, &cores) && nth++ == floor_self.pe) {
            CPU_ZERO(&cores);
            CPU_SET(core, &cores);
            sched_setaffinity(0, sizeof cores, &cores);
            break;
        }
    char *base = mmap((void *)FLOOR_ADDRESS, FLOOR_BYTES(floor_self.pes), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, FLOOR_FD, 0);
    if (base == MAP_FAILED) {
        perror("floor: cannot map the shared memory");
        exit(1);
    }
    floor_self.shared = (struct floor_shared *)base;
    floor_self.heap = base + FLOOR_HEAP_BYTES * ((size_t)floor_self.pe + 1);
}

static inline void shmem_finalize(void)
{
}

/* A routine of one or two statements. */
#define FLOOR(T, NAME, ARGS, ...) static inline T NAME ARGS { __VA_ARGS__; }

FLOOR(void, shmem_global_exit, (int code), exit(code))
FLOOR(int, shmem_my_pe, (void), return floor_self.pe)
FLOOR(int, shmem_n_pes, (void), return floor_self.pes)

/* The address, in this PE, of PE pe's copy of the object at `mine`. */
static inline void *floor_at(const void *mine, int pe)
{
    return (char *)(uintptr_t)mine + (ptrdiff_t)(pe - floor_self.pe) * (ptrdiff_t)FLOOR_HEAP_BYTES;
}

FLOOR(void *, shmem_ptr, (const void *mine, int pe), return floor_at(mine, pe))

/* Prevents the compiler from merging or removing repeated operations; generates no instruction. */
static inline void floor_keep(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

/* --- put and get -------------------------------------------------------------------------------------------------- */

static inline void floor_copy(void *dest, const void *source, size_t bytes)
{
    if (bytes == 8)
        memcpy(dest, source, 8);
    else
        memcpy(dest, source, bytes);
    floor_keep();
}

FLOOR(void, shmem_putmem, (void *dest, const void *source, size_t bytes, int pe),
      floor_copy(floor_at(dest, pe), source, bytes))
FLOOR(void, shmem_getmem, (void *dest, const void *source, size_t bytes, int pe),
      floor_copy(dest, floor_at(source, pe), bytes))
FLOOR(void, shmem_long_put, (long *dest, const long *source, size_t n, int pe),
      floor_copy(floor_at(dest, pe), source, n * sizeof *dest))
FLOOR(void, shmem_long_put_nbi, (long *dest, const long *source, size_t n, int pe),
      floor_copy(floor_at(dest, pe), source, n * sizeof *dest))
FLOOR(void, shmem_long_get, (long *dest, const long *source, size_t n, int pe),
      floor_copy(dest, floor_at(source, pe), n * sizeof *dest))
FLOOR(void, shmem_long_get_nbi, (long *dest, const long *source, size_t n, int pe),
      floor_copy(dest, floor_at(source, pe), n * sizeof *dest))
FLOOR(void, shmem_long_p, (long *dest, long value, int pe), *(volatile long *)floor_at(dest, pe) = value)
FLOOR(void, shmem_uint64_p, (uint64_t *dest, uint64_t value, int pe),
      atomic_store_explicit((_Atomic uint64_t *)floor_at(dest, pe), value, memory_order_release))
FLOOR(long, shmem_long_g, (const long *source, int pe), return *(const volatile long *)floor_at(source, pe))

static inline void floor_copy_strided(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t n)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++)
        dest[i * dst] = source[i * sst];
    floor_keep();
}

FLOOR(void, shmem_int_iput, (int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe),
      floor_copy_strided(floor_at(dest, pe), source, dst, sst, n))
FLOOR(void, shmem_int_iget, (int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int pe),
      floor_copy_strided(dest, floor_at(source, pe), dst, sst, n))

/* --- ordering, atomics, signals ----------------------------------------------------------------------------------- */

FLOOR(void, shmem_fence, (void), atomic_thread_fence(memory_order_release))
FLOOR(void, shmem_quiet, (void), atomic_thread_fence(memory_order_seq_cst))
FLOOR(long, shmem_long_atomic_fetch_add, (long *dest, long value, int pe),
      return atomic_fetch_add((_Atomic long *)floor_at(dest, pe), value))
FLOOR(void, shmem_long_atomic_add, (long *dest, long value, int pe),
      atomic_fetch_add((_Atomic long *)floor_at(dest, pe), value))
FLOOR(long, shmem_long_atomic_compare_swap, (long *dest, long expected, long value, int pe),
      atomic_compare_exchange_strong((_Atomic long *)floor_at(dest, pe), &expected, value); return expected)

static inline void floor_relax(void)
{
    if (floor_self.crowded)
        sched_yield();
}

static inline void floor_await(_Atomic uint64_t *word, uint64_t at_least)
{
    while (atomic_load_explicit(word, memory_order_acquire) < at_least)
        floor_relax();
}

static inline uint64_t shmem_signal_wait_until(uint64_t *signal, int cmp, uint64_t value)
{
    (void)cmp; /* signals of the benchmarks count upwards */
    floor_await((_Atomic uint64_t *)signal, value);
    return value;
}

static inline void shmem_long_put_signal(long *dest, const long *source, size_t n, uint64_t *signal, uint64_t value,
                                         int op, int pe)
{
    (void)op;
    shmem_long_put(dest, source, n, pe);
    shmem_uint64_p(signal, value, pe);
}

/* --- barrier, allocation, locks ----------------------------------------------------------------------------------- */

/* Two PEs signal each other, by one cache line in each direction. */
static inline void floor_barrier_pair(void)
{
    struct floor_pe *pe = floor_self.shared->pe;
    uint64_t turn = ++floor_self.barriers;
    atomic_store_explicit(&pe[floor_self.pe].arrived, turn, memory_order_release);
    floor_await(&pe[1 - floor_self.pe].arrived, turn);
}

/* The last of many PEs to arrive releases the others. All wait for one word, so each PE is scheduled once. */
static inline void floor_barrier_count(void)
{
    struct floor_shared *shared = floor_self.shared;
    uint64_t turn = ++floor_self.barriers;
    if (atomic_fetch_add(&shared->gathered, 1) + 1 == (uint32_t)floor_self.pes) {
        atomic_store_explicit(&shared->gathered, 0, memory_order_relaxed);
        atomic_store_explicit(&shared->generation, turn, memory_order_release);
    } else {
        floor_await(&shared->generation, turn);
    }
}

static inline void shmem_sync_all(void)
{
    if (floor_self.pes == 2)
        floor_barrier_pair();
    else if (floor_self.pes > 2)
        floor_barrier_count();
}

/* Release and acquire of the barrier's flags complete earlier plain stores. */
FLOOR(void, shmem_barrier_all, (void), shmem_sync_all())

/* The simplest allocator: a stack. */
static inline void *shmem_align(size_t alignment, size_t bytes)
{
    size_t start = (floor_self.heap_used + alignment - 1) / alignment * alignment;
    if (bytes > FLOOR_HEAP_BYTES - start)
        return NULL;
    floor_self.heap_used = start + bytes;
    shmem_barrier_all();
    return floor_self.heap + start;
}

FLOOR(void *, shmem_malloc, (size_t bytes), return shmem_align(64, bytes))
FLOOR(void, shmem_free, (void *p), shmem_barrier_all(); floor_self.heap_used = (size_t)((char *)p - floor_self.heap))

/* Test-and-set on PE 0: the first PE acquires the lock, most often the PE that has just released it. */
static inline void shmem_set_lock(long *lock)
{
    _Atomic long *word = floor_at(lock, 0);
    while (atomic_exchange_explicit(word, 1, memory_order_acquire))
        while (atomic_load_explicit(word, memory_order_relaxed))
            floor_relax();
}

FLOOR(void, shmem_clear_lock, (long *lock),
      atomic_store_explicit((_Atomic long *)floor_at(lock, 0), 0, memory_order_release))

/* A ticket lock, which serves PEs in their order, as OpenSHMEM requires.  Between two processes it causes fewer cache
 * misses than a queue (MCS), which is faster if many PEs wait. */
static inline void floor_set_fifo_lock(long *lock)
{
    _Atomic uint32_t *ticket = floor_at(lock, 0), *serving = ticket + 1;
    uint32_t mine = atomic_fetch_add(ticket, 1);
    while (atomic_load_explicit(serving, memory_order_acquire) != mine)
        floor_relax();
}

static inline void floor_clear_fifo_lock(long *lock)
{
    _Atomic uint32_t *serving = (_Atomic uint32_t *)floor_at(lock, 0) + 1;
    uint32_t mine = atomic_load_explicit(serving, memory_order_relaxed);
    atomic_store_explicit(serving, mine + 1, memory_order_release);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

/* Announces that other PEs may read this PE's source in place. The source is free when all readers have signalled. */
static inline uint64_t floor_announce(void)
{
    uint64_t turn = ++floor_self.collectives;
    atomic_store_explicit(&floor_self.shared->pe[floor_self.pe].ready, turn, memory_order_release);
    return turn;
}

static inline const void *floor_source(const void *source, int pe, uint64_t turn)
{
    if (pe != floor_self.pe)
        floor_await(&floor_self.shared->pe[pe].ready, turn);
    return floor_at(source, pe);
}

static inline void floor_finish(uint64_t turn)
{
    atomic_store_explicit(&floor_self.shared->pe[floor_self.pe].done, turn, memory_order_release);
}

static inline void floor_await_all_done(uint64_t turn)
{
    for (int pe = 0; pe < floor_self.pes; pe++)
        if (pe != floor_self.pe)
            floor_await(&floor_self.shared->pe[pe].done, turn);
}

static inline void floor_broadcast(void *dest, const void *source, size_t bytes, int root, int root_too)
{
    uint64_t turn = floor_announce();
    if (floor_self.pe != root || root_too)
        memcpy(dest, floor_source(source, root, turn), bytes);
    floor_finish(turn);
    if (floor_self.pe == root)
        floor_await_all_done(turn);
}

FLOOR(void, shmem_broadcastmem, (int team, void *dest, const void *source, size_t bytes, int root),
      (void)team; floor_broadcast(dest, source, bytes, root, 1))

static inline void shmem_fcollectmem(int team, void *dest, const void *source, size_t bytes)
{
    (void)team;
    uint64_t turn = floor_announce();
    for (int i = 0; i < floor_self.pes; i++) {
        int pe = (floor_self.pe + i) % floor_self.pes;
        memcpy((char *)dest + (size_t)pe * bytes, floor_source(source, pe, turn), bytes);
    }
    floor_finish(turn);
    floor_await_all_done(turn);
}

static inline void floor_add(double *restrict sum, const double *restrict values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        sum[i] += values[i];
}

/* Short vectors: each PE adds up all elements.  Long vectors: each PE adds up a share and copies the others' shares. */
static inline void shmem_double_sum_reduce(int team, double *dest, const double *source, size_t n)
{
    (void)team;
    size_t pes = (size_t)floor_self.pes, share = n <= 512 ? n : (n + pes - 1) / pes;
    size_t first = n <= 512 ? 0 : share * (size_t)floor_self.pe;
    size_t count = first + share <= n ? share : n - first;
    uint64_t turn = floor_announce();
    memcpy(dest + first, source + first, count * sizeof *dest);
    for (int i = 1; i < floor_self.pes; i++) {
        const double *theirs = floor_source(source, (floor_self.pe + i) % floor_self.pes, turn);
        floor_add(dest + first, theirs + first, count);
    }
    floor_finish(turn);
    floor_await_all_done(turn);
    if (n <= 512)
        return;
    for (int i = 1; i < floor_self.pes; i++) {
        int pe = (floor_self.pe + i) % floor_self.pes;
        size_t at = share * (size_t)pe;
        memcpy(dest + at, (double *)floor_at(dest, pe) + at, (at + share <= n ? share : n - at) * sizeof *dest);
    }
    turn = floor_announce();
    floor_finish(turn);
    floor_await_all_done(turn);
}
