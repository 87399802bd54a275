/* Every algorithm of every collective, in groups of every shape, over the sizes where something changes.
 *
 * usage: matrix [COLLECTIVE [ALGORITHM [GROUP]]]
 *
 * COLLECTIVE and ALGORITHM as in shcoll.h ("reduce", "ring" or "knomial:signal:2"); GROUP is the beginning of a name in
 * families_make ("active"); "all" is any of them.  The public routines, which choose, are tried as well, as "choice". */
/* pes: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 */
/* timeout: 240 */
#include "calls.h"

static unsigned char *want, *kept; /* private: what dest should be, what source was */
static uint64_t serial, calls;

/* --- one call in all circles of a family ------------------------------------------------------------------------------ */

/* Whether the algorithm takes the call there; that is the same on all members. */
static bool refused(const struct trial *t, struct circle *c)
{
    char text[SHCOLL_SENTENCE_BYTES];
    struct shcoll_group *g = circle_group(c, SHCOLL_SYNC);
    const struct shcoll_call call = call_of(t, t->n * t->size, NULL, NULL);
    return t->by.algorithm && shcoll_refuses(t->by, g, &call, text);
}

/* Returns in how many circles it has been done, on this PE or on others. */
static int try(struct trial *t, int family)
{
    struct family *f = &families[family];
    int done = 0;
    size_t needed = 0;
    const int root = t->root;
    t->serial = ++serial;
    for (int i = 0; i < f->circles; i++)
        needed += place_bytes(dest_bytes(t, &f->circle[i]));
    if (!places_fit(needed) || calls_in_round == MAX_CALLS) {
        round_end(f);
        round_begin(arena == &arenas[1]);
    }
    for (int i = 0; i < f->circles; i++) {
        struct circle *c = &f->circle[i];
        unsigned char *dest = place_take(dest_bytes(t, c), t->shift);
        digests[i][calls_in_round] = 0;
        t->root = root % c->size;
        if (refused(t, c))
            continue;
        done++;
        if (shcoll_group_on(c->start, c->stride, c->size, NULL, true).me >= 0)
            call_and_check(t, family, i, dest, want, kept);
    }
    calls_in_round++;
    calls += (uint64_t)done;
    return done;
}

/* --- sizes ------------------------------------------------------------------------------------------------------------ */

enum { SMALL, MEDIUM, LARGE };
static const size_t small_sizes[] = {0, 1, 3, 63, 64, 65}, medium_sizes[] = {4095, 4096, 4097, 8191, 8192, 8193, 32767, 32769};

/* Medium sizes are tried where much is different, large ones in the world alone. */
static int level_of(int family)
{
    static const char *const medium[] = {"reverse stride 2", "rows", "active set from 1"};
    if (family == 0)
        return LARGE;
    for (size_t i = 0; i < sizeof medium / sizeof medium[0]; i++)
        if (strcmp(families[family].name, medium[i]) == 0)
            return MEDIUM;
    return SMALL;
}

/* What a PE can bring or get of the largest size, when a piece is for or from every PE. */
static bool has_large(enum shcoll_collective what)
{
    const int n = shmem_n_pes();
    return what == SHCOLL_BROADCAST ? n <= 9 : n <= 5 || n == 8;
}
static const size_t large_size = ((size_t)1 << 20) + 1;

/* --- the calls of a round --------------------------------------------------------------------------------------------- */

static int try_syncs(struct trial t, int family)
{
    int done = 0;
    for (int i = 0; i < 20; i++)
        done += try(&t, family);
    return done;
}

/* Broadcast and the collects; all roots at small sizes. */
static int try_bytes(struct trial t, int family)
{
    int done = 0, longest = 0;
    const int level = level_of(family);
    for (int i = 0; i < families[family].circles; i++)
        if (families[family].circle[i].size > longest)
            longest = families[family].circle[i].size;
    t.size = 1;
    for (size_t i = 0; i < sizeof small_sizes / sizeof small_sizes[0]; i++)
        for (int root = 0; root < (t.what == SHCOLL_BROADCAST ? longest : 2); root++) {
            t.n = small_sizes[i], t.root = root, t.shift = (unsigned)(root + 1) % 3 * 5;
            done += try(&t, family);
        }
    for (size_t i = 0; level >= MEDIUM && i < sizeof medium_sizes / sizeof medium_sizes[0]; i++) {
        t.n = medium_sizes[i], t.root = (int)(serial % (uint64_t)longest), t.shift = i % 3 * 7;
        done += try(&t, family);
    }
    if (level >= LARGE && has_large(t.what)) {
        t.n = large_size, t.root = (int)(serial % (uint64_t)longest), t.shift = 3;
        done += try(&t, family);
    }
    return done;
}

static int try_strided(struct trial t, int family)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16}, elements[] = {0, 1, 3, 17, 64};
    static const ptrdiff_t strides[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 2}};
    int done = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const ptrdiff_t *st = strides[(i + j) % 4];
            t.size = sizes[i], t.n = elements[j], t.dst = st[0], t.sst = st[1], t.shift = j % 2 * t.size;
            done += try(&t, family);
        }
    for (size_t j = 0; level_of(family) >= MEDIUM && j < 4; j++) {
        t.size = sizes[1 + j], t.n = 8192 / t.size + j - 1, t.dst = strides[j][0], t.sst = strides[j][1];
        done += try(&t, family);
    }
    return done;
}

/* Every type and operation at a small size; then a few of them, of different sizes and strictness, at all sizes. */
static int try_reductions(struct trial t, int family)
{
    int done = 0;
    const int level = level_of(family);
    for (t.kind.op = 0; t.kind.op <= MATRICES; t.kind.op++)
        for (t.kind.type = 0; t.kind.type < (t.kind.op == MATRICES ? 1 : SHCOLL_TYPES); t.kind.type++) {
            t.size = kind_op(t.kind)->size, t.n = 3, t.in_place = (serial + 1) % 3 == 0;
            t.shift = serial % 2 * t.size;
            if (t.size)
                done += try(&t, family);
        }
    static const struct kind kinds[] = {{SHCOLL_MAX, SHCOLL_UINT8}, {SHCOLL_SUM, SHCOLL_INT64}, {SHCOLL_SUM, SHCOLL_DOUBLE},
                                        {MATRICES, 0}};
    static const size_t bytes[] = {64, 496, 4096, 8192, 32768};
    const int limit = is_reduction(t.what) && t.what != SHCOLL_REDUCE && shmem_n_pes() > 8 ? 4 : 5;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        t.kind = kinds[i], t.size = kind_op(t.kind)->size, t.shift = 0;
        for (t.n = 0; t.n < 2; t.n++)
            done += try(&t, family);
        for (int j = 0; j < (level >= MEDIUM ? limit : 2); j++)
            for (t.n = bytes[j] / t.size - 1; t.n <= bytes[j] / t.size + 1; t.n++) {
                t.in_place = (t.n + i) % 3 == 0;
                done += try(&t, family);
            }
        if (level >= LARGE && i > 0 && has_large(t.what)) {
            t.n = large_size / t.size + 1;
            done += try(&t, family);
        }
    }
    return done;
}

static int try_all(struct trial t, int family)
{
    static int (*const tries[SHCOLL_COLLECTIVES])(struct trial, int) = {
        try_syncs, try_bytes, try_bytes, try_bytes, try_bytes, try_strided, try_reductions, try_reductions, try_reductions,
    };
    round_begin(level_of(family) > SMALL);
    watchdog(120);
    const int done = tries[t.what](t, family);
    round_end(&families[family]);
    return done;
}

/* --- the matrix ------------------------------------------------------------------------------------------------------- */

static bool any(const char *argument)
{
    return !argument || strcmp(argument, "all") == 0;
}

static _Noreturn void refuse(const char *what, const char *argument)
{
    if (shmem_my_pe() == 0)
        fprintf(stderr, "matrix: '%s' is not %s\n", argument, what);
    shmem_barrier_all();
    shmem_finalize();
    exit(2);
}

/* All rows of a collective, or one, in all families that are asked for. */
static void try_collective(enum shcoll_collective what, const char *algorithm, const char *group)
{
    const bool all = any(algorithm), chosen_too = all || strcmp(algorithm, "choice") == 0;
    int rows = 0, done = 0;
    for (int family = 0; family < n_families; family++) {
        if (!any(group) && strncmp(families[family].name, group, strlen(group)) != 0)
            continue;
        struct trial t = {.what = what, .dst = 1, .sst = 1, .size = 1};
        if (chosen_too)
            done += try_all(t, family);
        for (int i = 0; all && (t.by = shcoll_algorithm_number(what, i)).algorithm; i++, rows++)
            done += try_all(t, family);
        if (!chosen_too) {
            t.by = shcoll_find(what, algorithm);
            if (!t.by.algorithm)
                refuse("an algorithm of this collective", algorithm);
            done += try_all(t, family);
        }
    }
    if (!done)
        refuse("a group here, or no algorithm does anything in it", group ? group : "all");
}

int main(int argc, char **argv)
{
    shmem_init();
    shcoll_init();
    const char *collective = argc > 1 ? argv[1] : NULL, *algorithm = argc > 2 ? argv[2] : NULL;
    families_make();
    const size_t bytes = (size_t)12 << 20;
    areas_make(bytes);
    want = malloc(bytes);
    kept = malloc(bytes);
    bool known = false;
    for (int i = 0; i < SHCOLL_COLLECTIVES; i++)
        if (any(collective) || strcmp(collective, shcoll_collective_names[i]) == 0) {
            try_collective((enum shcoll_collective)i, algorithm, argc > 3 ? argv[3] : NULL);
            known = true;
        }
    if (!known)
        refuse("a collective", collective);
    free(kept);
    free(want);
    areas_free();
    families_free();
    const int result = verdict("matrix", calls);
    shmem_finalize();
    return result;
}
