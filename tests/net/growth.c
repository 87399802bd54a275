/* A million operations between nodes, of all kinds, and 100,000 contexts: at the end a PE has the memory and the descriptors
 * that it had after the first twentieth.  The limits of what may be under way are low, so that the pools are full by then. */
#include "../check.h"

#include <dirent.h>
#include <malloc.h>
#include <shmem.h>
#include <stdbool.h>
#include <unistd.h>

enum { OPERATIONS = 1000000, FIRST = OPERATIONS / 20, BLOCK = 4 << 10, LARGE = 64 << 10 };
static const size_t malloc_room = 512 << 10, resident_room = 4 << 20;

struct held {
    size_t allocated, resident, descriptors;
};

static struct held look(void)
{
    struct held h = {.allocated = mallinfo2().uordblks + mallinfo2().hblkhd};
    FILE *f = fopen("/proc/self/statm", "r");
    size_t pages = 0;
    CHECK(f && fscanf(f, "%*s %zu", &pages) == 1, "no /proc/self/statm");
    h.resident = pages * (size_t)sysconf(_SC_PAGESIZE);
    if (f)
        fclose(f);
    DIR *d = opendir("/proc/self/fd");
    while (d && readdir(d))
        h.descriptors++;
    if (d)
        closedir(d);
    return h;
}

struct data {
    uint64_t word, sum, signal;
    char block[BLOCK], strided[BLOCK], large[LARGE];
};
static struct data *mine, *local;

static void context(int i, int pe)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(i % 3 == 0 ? SHMEM_CTX_PRIVATE : 0, &ctx) != 0) {
        CHECK(false, "no context in turn %d", i);
        return;
    }
    if (i % 20 == 9)
        shmem_ctx_uint64_put_nbi(ctx, &mine->word, &local->word, 1, pe);
    shmem_ctx_destroy(ctx);
}

static void operation(int i, int pe)
{
    switch (i % 10) {
    case 0: shmem_uint64_put_nbi(&mine->word, &local->word, 1, pe); break;
    case 1: shmem_uint64_atomic_add(&mine->sum, 1, pe); break;
    case 2: shmem_uint64_get_nbi(&local->word, &mine->word, 1, pe); break;
    case 3: shmem_putmem_nbi(mine->block, local->block, (size_t)(i % BLOCK) + 1, pe); break;
    case 4: i % 100 == 4 ? shmem_iput32((int32_t *)mine->strided, (int32_t *)local->strided, 3, 1, 40, pe) : (void)0; break;
    case 5: shmem_uint64_atomic_fetch_add_nbi(&local->sum, &mine->sum, 1, pe); break;
    case 6: shmem_uint64_put_signal_nbi(&mine->word, &local->word, 1, &mine->signal, 1, SHMEM_SIGNAL_ADD, pe); break;
    case 7: shmem_fence(); break;
    case 8: i % 1000 == 8 ? shmem_putmem_nbi(mine->large, local->large, LARGE, pe) : (void)0; break;
    case 9: context(i, pe); break;
    }
    if (i % 500 == 499)
        i % 1000 == 499 ? shmem_quiet() : shmem_pe_quiet(&pe, 1);
}

int main(void)
{
    setenv("SHMEM_NET_TUNE", "sends=16,asked=64", 1);
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), pe = (me + n / 2) % n;
    mine = shmem_calloc(1, sizeof *mine);
    local = calloc(1, sizeof *local);
    struct held early = {0};
    for (int i = 0; i < OPERATIONS; i++) {
        operation(i, pe);
        if (i == FIRST) {
            shmem_barrier_all();
            early = look();
        }
    }
    shmem_barrier_all();
    const struct held late = look();
    CHECK(late.allocated <= early.allocated + malloc_room, "PE %d: %zu bytes from malloc, %zu before", me, late.allocated,
          early.allocated);
    CHECK(late.resident <= early.resident + resident_room, "PE %d: %zu bytes resident, %zu before", me, late.resident,
          early.resident);
    CHECK(late.descriptors == early.descriptors, "PE %d: %zu descriptors, %zu before", me, late.descriptors, early.descriptors);
    CHECK(mine->sum == 2 * (OPERATIONS / 10), "PE %d: the sum is %lu", me, mine->sum);
    CHECK(mine->signal == OPERATIONS / 10, "PE %d: the signal is %lu", me, mine->signal);
    shmem_barrier_all();
    free(local);
    shmem_free(mine);
    shmem_finalize();
    return check_result();
}
