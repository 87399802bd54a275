/* Each reduction, immediately followed by each collective, by all algorithms, with a PE that is deliberately late: in
 * the middle of the reduction, before it reads another PE's data, or before it signals. The others run as far ahead of
 * it as they can; results and sources are overwritten as soon as a call has returned.
 *
 * usage: reduce_then_collective SIZE [SEED]
 *
 * SIZE PEs are treated as one node, wherever they are; with 0, the real nodes are used. */
/* pes: 4 6 7 */
/* args: 3 */
#define COPAL_NO_GENERICS
#include <pshmem.h>

#include "calls.h"

/* --- the late PE -------------------------------------------------------------------------------------------------- */

enum act { READS, SIGNALS, NEVER };
static enum act late_act = NEVER; /* this PE pauses before an act of this kind */
static uint64_t late_after;       /* the number of such acts before the pause */

static void about_to(enum act act)
{
    if (act != late_act || late_after-- > 0)
        return;
    late_act = NEVER;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL); /* late on purpose */
}

#define BEHIND(ACT, NAME, ARGS, ...) void shmem_##NAME ARGS { about_to(ACT); pshmem_##NAME(__VA_ARGS__); }
BEHIND(READS, getmem, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
BEHIND(READS, getmem_nbi, (void *dest, const void *source, size_t n, int pe), dest, source, n, pe)
BEHIND(SIGNALS, putmem_signal,
       (void *dest, const void *source, size_t n, uint64_t *signal, uint64_t value, int op, int pe),
       dest, source, n, signal, value, op, pe)
BEHIND(SIGNALS, uint64_p, (uint64_t *dest, uint64_t value, int pe), dest, value, pe)
BEHIND(SIGNALS, ulonglong_atomic_inc, (unsigned long long *dest, int pe), dest, pe)

/* --- pairs of calls ----------------------------------------------------------------------------------------------- */

static uint64_t seed, pairs;

/* A random number that is the same on all PEs. */
static uint64_t any_of(uint64_t n)
{
    static uint64_t draws;
    return value(seed, -1, draws++) % n;
}

/* A reduction, mostly of a vector that is too large for slots. */
static struct trial reduction(struct shcoll_choice by)
{
    struct trial t = {.what = SHCOLL_REDUCE, .by = by, .kind = {SHCOLL_SUM, SHCOLL_INT32}, .size = 4, .dst = 1,
                      .sst = 1};
    t.n = any_of(4) ? 2100 : 10;
    return t;
}

static struct trial second(enum shcoll_collective what, struct shcoll_choice by)
{
    struct trial t = {.what = what, .by = by, .size = 1, .dst = 1, .sst = 1};
    t.n = any_of(3) ? any_of(100) : 2100;
    t.root = (int)any_of((uint64_t)shmem_n_pes());
    if (is_reduction(what))
        t.kind = (struct kind){SHCOLL_MAX, SHCOLL_INT64}, t.size = 8, t.n /= 8;
    return t;
}

static void pair(struct shcoll_choice by, enum shcoll_collective what, struct shcoll_choice then)
{
    const struct trial first = reduction(by);
    const bool is_late = (int)any_of((uint64_t)shmem_n_pes()) == shmem_my_pe();
    const enum act act = pairs++ % 2 ? SIGNALS : READS;
    const uint64_t after = any_of(act == READS ? 2 : 5);
    if (is_late)
        late_act = act, late_after = after;
    try(first, 0);
    late_act = NEVER;
    try(second(what, then), 0);
}

static void pairs_with(struct shcoll_choice by)
{
    watchdog();
    for (int what = 0; what < SHCOLL_COLLECTIVES; what++) {
        struct shcoll_choice then;
        int row = 0;
        do { /* after the last algorithm, a call without a given algorithm: SHCOLL chooses one */
            then = shcoll_algorithm_number((enum shcoll_collective)what, row++);
            pair(by, (enum shcoll_collective)what, then);
        } while (then.algorithm);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: reduce_then_collective SIZE [SEED]\n");
        return 2;
    }
    if (strcmp(argv[1], "0") != 0)
        setenv("SHCOLL_NODE_SIZE", argv[1], 1); /* read by shcoll_init */
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    suite_begin();
    round_begin(true);
    struct shcoll_choice by;
    for (int row = 0; (by = shcoll_algorithm_number(SHCOLL_REDUCE, row)).algorithm; row++)
        pairs_with(by);
    round_end();
    return suite_end("reduce_then_collective");
}
