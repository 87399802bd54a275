/* pes: 2 */
/* args: check */
/* The cost of accesses that `oshrun --races` checks (scripts/race-cost): puts and gets in a loop, and loads and stores
 * of symmetric memory between barriers. */
#include "../../timing/pes.h"

enum { MOST = 32768 };

static char *data, here[MOST]; /* data: symmetric */

static void put(long n, size_t bytes)
{
    for (long i = 0; i < n && bench.pe == 0; i++) {
        shmem_putmem(data, here, bytes, 1);
        shmem_quiet();
    }
}

static void get(long n, size_t bytes)
{
    for (long i = 0; i < n && bench.pe == 0; i++)
        shmem_getmem(here, data, bytes, 1);
}

/* Each PE loads and stores its own memory, one long after the other. */
static void update(long n, size_t bytes)
{
    long *own = (long *)(void *)data;
    for (long i = 0; i < n; i++)
        for (size_t at = 0; at < bytes / sizeof *own; at++)
            own[at] = 3 * own[at] + i;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {8, 1024, MOST};
    pes_start(argc, argv, 2);
    data = pes_alloc(MOST);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(here, 5, sizeof here);
        measure("put", sizes[i], put);
        shmem_barrier_all();
        bench_expect("put", 0, (uint64_t)data[sizes[i] - 1], bench.pe == 1 ? 5 : 0);
        memset(here, 0, sizeof here);
        measure("get", sizes[i], get);
        bench_expect("get", 0, (uint64_t)here[0], bench.pe == 0 ? 5 : 0);
        shmem_barrier_all();
        measure("update", sizes[i], update);
        memset(data, 0, MOST);
        shmem_barrier_all();
    }
    return pes_end();
}
