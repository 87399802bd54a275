/* pes: 1 2 4 */
/* args: check */
/* Put and get between pairs of PEs, by blocking and nonblocking calls and by loads and stores through shmem_ptr
 * (Namashivayam et al. 2014, figures 3 to 5): the pointer is asked for once, then a plain loop copies, which the
 * compiler turns into vector instructions, or memcpy does.  The loop is a loop only with -O3
 * -fno-tree-loop-distribute-patterns; without, GCC makes it a call of memcpy. */
#include "../../timing/pes.h"
#include "pairs.h"

#include <stdatomic.h>

static char *there; /* the partner's `remote`, in this PE's memory; NULL where it cannot be */

/* What completes a get that is complete when it returns: the compiler must not merge what repeats. */
static void use(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static void meet(void)
{
    shmem_barrier_all();
}

/* --- movers ------------------------------------------------------------------------------------------------------- */

static void put(size_t to, size_t from, size_t bytes)
{
    shmem_putmem(remote + to, local + from, bytes, partner);
}

static void get(size_t to, size_t from, size_t bytes)
{
    shmem_getmem(local + to, remote + from, bytes, partner);
}

static void put_nbi(size_t to, size_t from, size_t bytes)
{
    shmem_long_put_nbi((long *)(remote + to), (const long *)(local + from), bytes / sizeof(long), partner);
}

static void get_nbi(size_t to, size_t from, size_t bytes)
{
    shmem_long_get_nbi((long *)(local + to), (const long *)(remote + from), bytes / sizeof(long), partner);
}

static inline void copy_ints(int *restrict dest, const int *restrict source, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dest[i] = source[i];
}

static void store(size_t to, size_t from, size_t bytes)
{
    copy_ints((int *)(there + to), (const int *)(local + from), bytes / sizeof(int));
}

static void load(size_t to, size_t from, size_t bytes)
{
    copy_ints((int *)(local + to), (const int *)(there + from), bytes / sizeof(int));
}

static void memcpy_there(size_t to, size_t from, size_t bytes)
{
    memcpy(there + to, local + from, bytes);
}

static void memcpy_here(size_t to, size_t from, size_t bytes)
{
    memcpy(local + to, there + from, bytes);
}

/* --- ways --------------------------------------------------------------------------------------------------------- */

static void put_by_call(long n, size_t bytes)
{
    put_each(n, bytes, put, shmem_quiet);
}

static void get_by_call(long n, size_t bytes)
{
    get_each(n, bytes, get, use);
}

static void put_windows_by_call(long n, size_t bytes)
{
    put_windows(n, bytes, put, shmem_quiet);
}

static void get_windows_by_call(long n, size_t bytes)
{
    get_windows(n, bytes, get, use);
}

static void put_by_stores(long n, size_t bytes)
{
    put_each(n, bytes, store, shmem_quiet);
}

static void get_by_loads(long n, size_t bytes)
{
    get_each(n, bytes, load, use);
}

static void put_windows_by_stores(long n, size_t bytes)
{
    put_windows(n, bytes, store, shmem_quiet);
}

static void get_windows_by_loads(long n, size_t bytes)
{
    get_windows(n, bytes, load, use);
}

static void put_by_memcpy(long n, size_t bytes)
{
    put_each(n, bytes, memcpy_there, shmem_quiet);
}

static void get_by_memcpy(long n, size_t bytes)
{
    get_each(n, bytes, memcpy_here, use);
}

static void put_windows_by_memcpy(long n, size_t bytes)
{
    put_windows(n, bytes, memcpy_there, shmem_quiet);
}

static void get_windows_by_memcpy(long n, size_t bytes)
{
    get_windows(n, bytes, memcpy_here, use);
}

static void put_one_nbi(long n, size_t bytes)
{
    put_each(n, bytes, put_nbi, shmem_quiet);
}

static void get_one_nbi(long n, size_t bytes)
{
    get_each(n, bytes, get_nbi, shmem_quiet);
}

static void put_windows_nbi(long n, size_t bytes)
{
    put_windows(n, bytes, put_nbi, shmem_quiet);
}

static void get_windows_nbi(long n, size_t bytes)
{
    get_windows(n, bytes, get_nbi, shmem_quiet);
}

static const struct way by_call = {"", put_by_call, get_by_call, put_windows_by_call, get_windows_by_call};
static const struct way by_nbi = {"_nbi", put_one_nbi, get_one_nbi, put_windows_nbi, get_windows_nbi};
static const struct way by_loop = {"_ptr", put_by_stores, get_by_loads, put_windows_by_stores, get_windows_by_loads};
static const struct way by_memcpy = {"_memcpy", put_by_memcpy, get_by_memcpy, put_windows_by_memcpy,
                                     get_windows_by_memcpy};

/* Whether every PE can load and store its partner's memory. */
static bool all_reach(void)
{
    bool reach = true;
    there = partner < 0 ? NULL : shmem_ptr(remote, partner);
    for (int pe = 0; pe < bench.pes; pe++)
        reach &= bench.agree(there || partner < 0, pe);
    return reach;
}

int main(int argc, char **argv)
{
    pes_start(argc, argv, 1);
    pair_up();
    remote = pes_alloc(BUFFER_BYTES);
    local = bench_alloc(BUFFER_BYTES);
    run_way(&by_call);
    run_way(&by_nbi);
    if (all_reach()) {
        run_way(&by_loop);
        if (pairs == 1)
            run_way(&by_memcpy);
    }
    return pes_end();
}
