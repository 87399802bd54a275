/* pes: 1 2 4 */
/* args: check */
/* Put and get between pairs of PEs, by blocking and nonblocking calls and by loads and stores through shmem_ptr
 * (Namashivayam et al. 2014, figures 3 to 5): a single call gets the pointer; then memcpy copies, or a plain loop that
 * the compiler vectorises. The loop needs -O3 -fno-tree-loop-distribute-patterns; otherwise GCC replaces it by a call
 * of memcpy. */
#include "../../timing/pes.h"
#include "pairs.h"

#include <stdatomic.h>

static char *there; /* the partner's `remote`, mapped by this PE; NULL if this is impossible */

/* For gets, which are complete on return: only prevents the compiler from merging repetitions. */
static void use(void)
{
    atomic_signal_fence(memory_order_seq_cst);
}

static void meet(void)
{
    shmem_barrier_all();
}

/* --- movers ------------------------------------------------------------------------------------------------------- */

MOVER(put, shmem_putmem(remote + to, local + from, bytes, partner))
MOVER(get, shmem_getmem(local + to, remote + from, bytes, partner))
MOVER(put_nbi, shmem_long_put_nbi((long *)(remote + to), (const long *)(local + from), bytes / sizeof(long), partner))
MOVER(get_nbi, shmem_long_get_nbi((long *)(local + to), (const long *)(remote + from), bytes / sizeof(long), partner))

static inline void copy_ints(int *restrict dest, const int *restrict source, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dest[i] = source[i];
}

MOVER(store, copy_ints((int *)(there + to), (const int *)(local + from), bytes / sizeof(int)))
MOVER(load, copy_ints((int *)(local + to), (const int *)(there + from), bytes / sizeof(int)))
MOVER(memcpy_there, memcpy(there + to, local + from, bytes))
MOVER(memcpy_here, memcpy(local + to, there + from, bytes))

/* --- ways --------------------------------------------------------------------------------------------------------- */

WAY(put_by_call, put_each, put, shmem_quiet)
WAY(get_by_call, get_each, get, use)
WAY(put_windows_by_call, put_windows, put, shmem_quiet)
WAY(get_windows_by_call, get_windows, get, use)
WAY(put_by_stores, put_each, store, shmem_quiet)
WAY(get_by_loads, get_each, load, use)
WAY(put_windows_by_stores, put_windows, store, shmem_quiet)
WAY(get_windows_by_loads, get_windows, load, use)
WAY(put_by_memcpy, put_each, memcpy_there, shmem_quiet)
WAY(get_by_memcpy, get_each, memcpy_here, use)
WAY(put_windows_by_memcpy, put_windows, memcpy_there, shmem_quiet)
WAY(get_windows_by_memcpy, get_windows, memcpy_here, use)
WAY(put_one_nbi, put_each, put_nbi, shmem_quiet)
WAY(get_one_nbi, get_each, get_nbi, shmem_quiet)
WAY(put_windows_nbi, put_windows, put_nbi, shmem_quiet)
WAY(get_windows_nbi, get_windows, get_nbi, shmem_quiet)

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
