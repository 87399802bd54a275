/* Consecutive collectives without any other synchronization. The collective, its algorithm, root and size are chosen
 * at random, the same on all PEs.
 *
 * usage: back_to_back [CALLS [SEED]]
 *
 * Several calls run in one group, then several in another. Lasting groups and active sets alternate at random, and
 * overlap. In each series of calls one PE may be late, so that the others run as far ahead of it as they can. */
/* pes: 2 4 7 16 */
#include "calls.h"

/* A random number that is the same on all PEs. */
static uint64_t seed;
static uint64_t any_of(uint64_t n)
{
    static uint64_t draws;
    return value(seed, -1, draws++) % n;
}

/* Sizes are mostly small, because errors between two calls also happen with short calls. */
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
    /* The index after the last algorithm means the library's choice. */
    return shcoll_algorithm_number(what, (int)any_of((uint64_t)rows[what] + 1));
}

static struct kind any_kind(void)
{
    struct kind k;
    do
        k = (struct kind){(int)any_of(KIND_OPS), (int)any_of(SHCOLL_TYPES)};
    while (kind_op(k)->size == 0);
    return k;
}

/* Broadcasts and inclusive scans let some members run ahead, so they are chosen more often. */
static enum shcoll_collective any_collective(void)
{
    const int any = (int)any_of(SHCOLL_COLLECTIVES * 2);
    return any < SHCOLL_COLLECTIVES ? (enum shcoll_collective)any : any % 2 ? SHCOLL_BROADCAST : SHCOLL_INSCAN;
}

/* Makes a call with the given root, or a random root if it is -1. */
static void try_any(int family, int root)
{
    struct trial t = {.what = any_collective(), .size = 1, .dst = 1, .sst = 1};
    t.by = any_row(t.what);
    t.n = any_size();
    t.root = root < 0 ? (int)any_of((uint64_t)shmem_n_pes()) : root;
    t.shift = any_of(3) * 8;
    if (t.what == SHCOLL_ALLTOALLS) {
        t.size = (size_t)1 << any_of(5);
        t.dst = 1 + (ptrdiff_t)any_of(3), t.sst = 1 + (ptrdiff_t)any_of(3);
        t.shift = 0;
    } else if (is_reduction(t.what)) {
        t.kind = any_kind();
        t.size = kind_op(t.kind)->size;
        t.in_place = any_of(8) == 0;
        t.to_root = t.what == SHCOLL_REDUCE && any_of(4) == 0;
        t.shift = 0;
    }
    t.n /= t.size;
    try(t, family);
}

static void burst(void)
{
    const int family = any_of(2) ? 0 : (int)any_of((uint64_t)n_families), late = (int)any_of((uint64_t)shmem_n_pes());
    const int root = any_of(2) ? 0 : -1;
    for (uint64_t i = 5 + any_of(30); i > 0; i--) {
        const bool now = any_of(5) == 0;
        if (now && shmem_my_pe() == late)
            nanosleep(&(struct timespec){0, 200000}, NULL); /* late on purpose */
        try_any(family, root);
    }
}

int main(int argc, char **argv)
{
    const uint64_t wanted = argc > 1 ? strtoull(argv[1], NULL, 0) : 40000;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    suite_begin();
    round_begin(true);
    while (calls < wanted) {
        watchdog();
        burst();
    }
    round_end();
    return suite_end("back_to_back");
}
