/* SHMEM_PROGRESS=none: a PE that only polls its own word by a routine of the library, or calls quiet or fence
 * between its loads, sees the store of a PE on another node. A routine that makes no progress hangs. */
#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>

#include "../check.h"

static uint64_t word;
static int me;

static uint64_t load(void)
{
    return __atomic_load_n(&word, __ATOMIC_ACQUIRE);
}

static uint64_t by_g(void)
{
    return shmem_uint64_g(&word, me);
}

static uint64_t by_get(void)
{
    uint64_t got;
    shmem_uint64_get(&got, &word, 1, me);
    return got;
}

static uint64_t by_get_nbi(void)
{
    uint64_t got;
    shmem_getmem_nbi(&got, &word, sizeof got, me);
    shmem_pe_quiet(&me, 1);
    return got;
}

static uint64_t by_iget(void)
{
    uint64_t got;
    shmem_uint64_iget(&got, &word, 1, 1, 1, me);
    return got;
}

static uint64_t by_ctx_get(void)
{
    static shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    uint64_t got;
    if (ctx == SHMEM_CTX_INVALID && shmem_ctx_create(0, &ctx) != 0)
        shmem_global_exit(1);
    shmem_ctx_uint64_get(ctx, &got, &word, 1, me);
    return got;
}

static uint64_t by_fetch(void)
{
    return shmem_uint64_atomic_fetch(&word, me);
}

static uint64_t by_fetch_add(void)
{
    return shmem_uint64_atomic_fetch_add(&word, 0, me);
}

static uint64_t by_signal_fetch(void)
{
    return shmem_signal_fetch(&word);
}

static uint64_t by_quiet(void)
{
    shmem_quiet();
    return load();
}

static uint64_t by_ctx_quiet(void)
{
    shmem_ctx_quiet(SHMEM_CTX_DEFAULT);
    return load();
}

static uint64_t by_pe_quiet(void)
{
    shmem_pe_quiet(&me, 1);
    return load();
}

static uint64_t by_fence(void)
{
    shmem_fence();
    return load();
}

static uint64_t (*const ways[])(void) = {by_g, by_get, by_get_nbi, by_iget, by_ctx_get, by_fetch, by_fetch_add,
                                         by_signal_fetch, by_quiet, by_ctx_quiet, by_pe_quiet, by_fence};
enum { WAYS = sizeof ways / sizeof *ways };

int main(void)
{
    setenv("SHMEM_PROGRESS", "none", 1);
    shmem_init();
    me = shmem_my_pe();
    const int last = shmem_n_pes() - 1;
    for (uint64_t i = 0; i < WAYS; i++) {
        if (me == 0)
            shmem_uint64_p(&word, i + 1, last);
        uint64_t got = 0;
        while (me == last && (got = ways[i]()) != i + 1) {
        }
        shmem_barrier_all();
        CHECK(me != last || got == i + 1, "by way %d %d came", (int)i, (int)got);
    }
    shmem_finalize();
    return check_result();
}
