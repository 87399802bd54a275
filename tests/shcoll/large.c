/* More than 2 GiB through a collective: lengths and offsets beyond 31 and 32 bits, by the chosen and by every third
 * algorithm.
 *
 * usage: large [COLLECTIVE [ALGORITHM]]
 *
 * Every fifteenth word is filled and checked, to limit the time. If memory is short the test prints
 * that and exits with 77. */
/* pes: 2 */
#include "suite.h"

enum { STEP = 15, SKIPPED = 77 };
static const size_t words = ((size_t)2200 << 20) / sizeof(uint64_t);
static uint64_t *source, *dest, calls;

static uint64_t element(int from, int to, size_t i)
{
    return i * 0x9e3779b97f4a7c15u + (uint64_t)from * 0xc2b2ae3d27d4eb4fu + (uint64_t)to * 0x165667b19e3779f9u;
}

/* Fills or checks the n words that one PE has for another. */
static void fill(uint64_t *at, size_t n, int from, int to)
{
    for (size_t i = 0; i < n; i += STEP)
        at[i] = element(from, to, i);
}

static void check(const uint64_t *at, size_t n, int from, int to)
{
    for (size_t i = 0; i < n; i += STEP)
        if (at[i] != element(from, to, i)) {
            failed("word %zu of %zu from PE %d: got %#llx, want %#llx", i, n, from, (unsigned long long)at[i],
                   (unsigned long long)element(from, to, i));
            return;
        }
}

static void check_sums(int n_pes)
{
    for (size_t i = 0; i < words; i += STEP) {
        uint64_t sum = 0;
        for (int pe = 0; pe < n_pes; pe++)
            sum += element(pe, 0, i);
        if (dest[i] != sum) {
            failed("word %zu of %zu: got %#llx, want %#llx", i, words, (unsigned long long)dest[i],
                   (unsigned long long)sum);
            return;
        }
    }
}

/* One call in which each PE gets more than 2 GiB. */
static void try(struct shcoll_group *g, enum shcoll_collective what, struct shcoll_choice by)
{
    const int n_pes = g->size, me = g->me, root = n_pes - 1;
    const size_t each = words / (size_t)n_pes;
    struct shcoll_call call = {.dest = dest, .source = source, .n = each * 8, .size = 1, .root = root};
    char name[SHCOLL_NAME_BYTES], text[SHCOLL_SENTENCE_BYTES];
    snprintf(doing, sizeof doing, "%s by %s, more than 2 GiB", shcoll_collective_names[what], shcoll_name(by, name));
    if (what == SHCOLL_BROADCAST)
        call.n = words * 8;
    if (what == SHCOLL_REDUCE)
        call.n = words, call.size = 8, call.op = SHCOLL_OP(SUM, uint64_t);
    if (shcoll_refuses(by, g, &call, text))
        return;
    watchdog();
    for (size_t i = 0; i < words; i += STEP)
        dest[i] = POISON;
    for (int to = 0; what == SHCOLL_ALLTOALL && to < n_pes; to++)
        fill(source + (size_t)to * each, each, me, to);
    if (what != SHCOLL_ALLTOALL && (what != SHCOLL_BROADCAST || me == root))
        fill(source, what == SHCOLL_FCOLLECT ? each : words, me, 0);
    shmem_barrier_all();
    shcoll_run(by, g, &call);
    for (int from = 0; (what == SHCOLL_FCOLLECT || what == SHCOLL_ALLTOALL) && from < n_pes; from++)
        check(dest + (size_t)from * each, each, from, what == SHCOLL_ALLTOALL ? me : 0);
    if (what == SHCOLL_BROADCAST)
        check(dest, words, root, 0);
    if (what == SHCOLL_REDUCE)
        check_sums(n_pes);
    calls++;
    shmem_barrier_all();
}

static size_t available_memory(void)
{
    char line[200];
    size_t kib = 0;
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && fgets(line, sizeof line, f) && sscanf(line, "MemAvailable: %zu kB", &kib) != 1)
        continue;
    if (f)
        fclose(f);
    return kib * 1024;
}

/* Two arrays on each PE, and half of this for other memory. */
static bool enough_memory(int n_pes)
{
    static int enough;
    if (shmem_my_pe() == 0)
        enough = available_memory() / 24 >= (size_t)n_pes * words;
    shmem_barrier_all();
    return shmem_int_g(&enough, 0);
}

int main(int argc, char **argv)
{
    static const enum shcoll_collective tried[] = {SHCOLL_BROADCAST, SHCOLL_FCOLLECT, SHCOLL_ALLTOALL, SHCOLL_REDUCE};
    setenv("SHMEM_SYMMETRIC_SIZE", "5G", 0);
    shmem_init();
    shcoll_init();
    if (!enough_memory(shmem_n_pes())) {
        if (shmem_my_pe() == 0)
            printf("SKIPPED: large, there are not %zu GiB of memory\n", (size_t)shmem_n_pes() * words * 24 >> 30);
        shmem_finalize();
        return SKIPPED;
    }
    source = shmem_malloc(words * 8);
    dest = shmem_malloc(words * 8);
    if (!source || !dest) {
        fprintf(stderr, "large: the symmetric heap has no two arrays of %zu bytes\n", words * 8);
        shmem_global_exit(1);
    }
    struct shcoll_group *all = shcoll_group_create(0, 1, shmem_n_pes());
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        const char *name = shcoll_collective_names[tried[i]];
        struct shcoll_choice by;
        if (argc > 1 && strcmp(argv[1], name) != 0)
            continue;
        if (argc > 2 && (by = shcoll_find(tried[i], argv[2])).algorithm)
            try(all, tried[i], by);
        if (argc > 2)
            continue;
        try(all, tried[i],
            shcoll_chosen(all, tried[i], words * 8 / (tried[i] == SHCOLL_BROADCAST ? 1 : (size_t)all->size)));
        for (int row = 0; (by = shcoll_algorithm_number(tried[i], row)).algorithm; row += argc > 1 ? 1 : 3)
            try(all, tried[i], by);
    }
    shcoll_group_free(all);
    shmem_free(dest);
    shmem_free(source);
    const int result = verdict("large", calls);
    shmem_finalize();
    return result;
}
