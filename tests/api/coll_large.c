/* pes: 2 */
/* More than 2 GiB through one broadcast and one fcollect: lengths and offsets past 31 and 32 bits.  Needs 9 GiB of
 * memory; where there is less, a tenth of it is moved and only the calls are tested.  One element of a cache line or
 * two is filled and looked at, to keep the time within reason. */
#include "coll.h"

enum { STEP = 15 };

static uint64_t element(int pe, size_t i)
{
    return i * 0x9e3779b97f4a7c15u + (uint64_t)pe;
}

static size_t available_memory(void)
{
    char line[200];
    size_t kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
            break;
    if (f)
        fclose(f);
    return kib * 1024;
}

static void check_block(const uint64_t *a, size_t n, int pe, size_t first, const char *what)
{
    for (size_t i = 0; i < n; i += STEP)
        if (a[i] != element(pe, first + i)) {
            CHECK(0, "%s: element %zu of %zu from PE %d is wrong", what, i, n, pe);
            return;
        }
}

int main(void)
{
    shmem_init();
    static size_t room, n;
    int me = shmem_my_pe(), n_pes = shmem_n_pes();
    n = ((size_t)2200 << 20) / sizeof(uint64_t); /* in all, a little over 2 GiB */
    room = available_memory() / 2;
    shmem_size_min_reduce(SHMEM_TEAM_WORLD, &room, &room, 1);
    if (room < (size_t)n_pes * 2 * n * sizeof(uint64_t))
        n /= 10;
    size_t each = n / (size_t)n_pes;
    n = each * (size_t)n_pes;
    uint64_t *source = shmem_malloc(n * sizeof *source), *dest = shmem_malloc(n * sizeof *dest);
    CHECK(source && dest, "no memory for %zu elements", n);
    if (source && dest) {
        for (size_t i = 0; i < each; i += STEP)
            source[i] = element(me, i);
        shmem_uint64_fcollect(SHMEM_TEAM_WORLD, dest, source, each);
        for (int k = 0; k < n_pes; k++)
            check_block(dest + (size_t)k * each, each, k, 0, "fcollect");
        int root = n_pes - 1;
        for (size_t i = 0; me == root && i < n; i += STEP)
            source[i] = element(root + 5, i);
        shmem_barrier_all(); /* dest has been read everywhere */
        shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, n * sizeof *dest, root);
        check_block(dest, n, root + 5, 0, "broadcastmem");
    }
    shmem_free(source);
    shmem_free(dest);
    shmem_finalize();
    return check_result();
}
