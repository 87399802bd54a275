/* Collectives one directly after the other: what they are, by which algorithm, from which root, of what size and in which
 * group is chosen at random, the same on all PEs, and nothing else synchronizes them.
 *
 * usage: back_to_back [CALLS [SEED]]
 *
 * Lasting groups and active sets, which overlap, take turns at random as well. */
/* pes: 2 4 7 16 */
/* timeout: 240 */
#include "calls.h"

/* Random, and the same on all PEs. */
static uint64_t seed;
static uint64_t any_of(uint64_t n)
{
    static uint64_t draws;
    return mix(seed, -1, draws++) % n;
}

/* Mostly small: what goes wrong between two calls goes wrong in short ones. */
static size_t any_size(void)
{
    switch (any_of(50)) {
    case 0: return 8180 + any_of(30);
    case 1: return 500 + any_of(4000);
    default: return any_of(130);
    }
}

static struct shcoll_choice any_row(enum shcoll_collective what)
{
    static int rows[SHCOLL_COLLECTIVES];
    while (shcoll_algorithm_number(what, rows[what]).algorithm)
        rows[what]++;
    return shcoll_algorithm_number(what, (int)any_of((uint64_t)rows[what] + 1)); /* the one behind the last: the choice */
}

static struct kind any_kind(void)
{
    struct kind k;
    do
        k = (struct kind){(int)any_of(MATRICES + 1), (int)any_of(SHCOLL_TYPES)};
    while (kind_op(k)->size == 0);
    return k;
}

static void try_any(void)
{
    struct trial t = {.what = (enum shcoll_collective)any_of(SHCOLL_COLLECTIVES), .size = 1, .dst = 1, .sst = 1};
    t.by = any_row(t.what);
    t.n = any_size();
    t.root = (int)any_of((uint64_t)shmem_n_pes());
    t.shift = any_of(3) * 8;
    if (t.what == SHCOLL_ALLTOALLS) {
        t.size = (size_t)1 << any_of(5);
        t.dst = 1 + (ptrdiff_t)any_of(3), t.sst = 1 + (ptrdiff_t)any_of(3);
        t.shift = 0;
    } else if (is_reduction(t.what)) {
        t.kind = any_kind();
        t.size = kind_op(t.kind)->size;
        t.in_place = any_of(8) == 0;
        t.shift = 0;
    }
    t.n /= t.size;
    try(t, (int)any_of((uint64_t)n_families));
}

int main(int argc, char **argv)
{
    const uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    suite_begin();
    round_begin(true);
    while (calls < wanted) {
        watchdog(60);
        try_any();
    }
    round_end();
    return suite_end("back_to_back");
}
