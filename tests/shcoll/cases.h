/* The cases of the matrix: the calls of each collective in a family of groups. */
#pragma once

#include "calls.h"

/* --- sizes -------------------------------------------------------------------------------------------------------- */

enum { SMALL, MEDIUM, LARGE };
static const size_t small_sizes[] = {0, 1, 3, 63, 64, 65},
                    medium_sizes[] = {4095, 4096, 4097, 8191, 8192, 8193, 32767, 32769};

/* Three groups of very different shapes are also tried with medium sizes, the world also with large sizes. */
static inline int level_of(int family)
{
    static const char *const medium[] = {"reverse stride 2", "rows", "active set from 1"};
    if (family == 0)
        return LARGE;
    for (size_t i = 0; i < sizeof medium / sizeof medium[0]; i++)
        if (strcmp(families[family].name, medium[i]) == 0)
            return MEDIUM;
    return SMALL;
}

/* MATRIX_EVERY=3 in the environment: every third family, without the largest size. */
static inline int every(void)
{
    const char *text = getenv("MATRIX_EVERY");
    return text && atoi(text) > 1 ? atoi(text) : 1;
}

/* Whether the largest size is tried: it needs much memory if every PE has a piece for every other PE. */
static inline bool has_large(enum shcoll_collective what)
{
    const int n = shmem_n_pes();
    return every() == 1 && n <= (what == SHCOLL_BROADCAST ? 7 : 4);
}
static const size_t large_size = ((size_t)1 << 20) + 1;

/* --- the calls of a round ----------------------------------------------------------------------------------------- */

static inline int try_syncs(struct trial t, int family)
{
    int done = 0;
    for (int i = 0; i < 20; i++)
        done += try(t, family);
    return done;
}

/* Broadcast and the collects; all roots at small sizes. */
static inline int try_bytes(struct trial t, int family)
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
            done += try(t, family);
        }
    for (size_t i = 0; level >= MEDIUM && i < sizeof medium_sizes / sizeof medium_sizes[0]; i++) {
        t.n = medium_sizes[i], t.root = (int)(serial % (uint64_t)longest), t.shift = i % 3 * 7;
        done += try(t, family);
    }
    if (level >= LARGE && has_large(t.what)) {
        t.n = large_size, t.root = (int)(serial % (uint64_t)longest), t.shift = 3;
        done += try(t, family);
    }
    return done;
}

static inline int try_strided(struct trial t, int family)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16}, elements[] = {0, 1, 3, 17, 64};
    static const ptrdiff_t strides[][2] = {{1, 1}, {2, 1}, {1, 3}, {3, 2}};
    int done = 0;
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++) {
            const ptrdiff_t *st = strides[(i + j) % 4];
            t.size = sizes[i], t.n = elements[j], t.dst = st[0], t.sst = st[1], t.shift = j % 2 * t.size;
            done += try(t, family);
        }
    for (size_t j = 0; level_of(family) >= MEDIUM && j < 4; j++) {
        t.size = sizes[1 + j], t.n = 8192 / t.size + j - 1, t.dst = strides[j][0], t.sst = strides[j][1];
        done += try(t, family);
    }
    return done;
}

/* All types and operations, in groups with many cases; in other groups a type of each size, and each operation. */
static inline bool wants_kind(struct kind k, int level)
{
    static const struct kind few[] = {
        {SHCOLL_AND, SHCOLL_UINT8}, {SHCOLL_OR, SHCOLL_INT16}, {SHCOLL_XOR, SHCOLL_UINT32}, {SHCOLL_MAX, SHCOLL_UINT64},
        {SHCOLL_MIN, SHCOLL_INT8}, {SHCOLL_SUM, SHCOLL_FLOAT}, {SHCOLL_PROD, SHCOLL_COMPLEX_DOUBLE},
        {MATRICES, 0}, {RECORDS, 1},
                                      {RECORDS, 4}};
    for (size_t i = 0; level < MEDIUM && i < sizeof few / sizeof few[0]; i++)
        if (k.op == few[i].op && k.type == few[i].type)
            return true;
    return level >= MEDIUM && kind_op(k)->size && (k.op != MATRICES || k.type == 0);
}

/* Some reductions give one member the result. */
static inline struct trial to_some(struct trial t)
{
    t.to_root = t.what == SHCOLL_REDUCE && serial % 4 == 0;
    t.root = (int)(serial / 4 % (uint64_t)shmem_n_pes());
    return t;
}

static inline int try_kinds(struct trial t, int family, int level)
{
    int done = 0;
    for (t.kind.op = 0; t.kind.op < KIND_OPS; t.kind.op++)
        for (t.kind.type = 0; t.kind.type < SHCOLL_TYPES; t.kind.type++) {
            t.size = kind_op(t.kind)->size, t.n = 3, t.in_place = (serial + 1) % 3 == 0;
            t.shift = serial % 2 * t.size % 64;
            if (wants_kind(t.kind, level))
                done += try(to_some(t), family);
        }
    return done;
}

/* All kinds at a small size; then a few of them, of different sizes and strictness, at all sizes. */
static inline int try_reductions(struct trial t, int family)
{
    static const struct kind kinds[] = {{SHCOLL_MAX, SHCOLL_UINT8}, {SHCOLL_SUM, SHCOLL_INT64},
                                        {SHCOLL_SUM, SHCOLL_DOUBLE}, {MATRICES, 0}, {RECORDS, 2}};
    static const size_t bytes[] = {64, 496, 512, 4096, 8192, 32768};
    const int level = level_of(family), limit = t.what != SHCOLL_REDUCE && shmem_n_pes() > 8 ? 5 : 6;
    int done = try_kinds(t, family, level);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        t.kind = kinds[i], t.size = kind_op(t.kind)->size, t.shift = 0;
        for (t.n = 0; t.n < 2; t.n++)
            done += try(to_some(t), family);
        for (int j = 0; j < (level >= MEDIUM ? limit : 2); j++)
            for (t.n = bytes[j] / t.size - 1; t.n <= bytes[j] / t.size + 1; t.n++) {
                t.in_place = (t.n + i) % 3 == 0;
                done += try(to_some(t), family);
            }
        if (level >= LARGE && i > 0 && has_large(t.what)) {
            t.n = large_size / t.size + 1;
            done += try(t, family);
        }
    }
    return done;
}

static inline int try_all(struct trial t, int family)
{
    static int (*const tries[SHCOLL_COLLECTIVES])(struct trial, int) = {
        try_syncs, try_bytes, try_bytes, try_bytes, try_bytes, try_strided,
        try_reductions, try_reductions, try_reductions,
    };
    round_begin(level_of(family) > SMALL);
    watchdog();
    const int done = tries[t.what](t, family);
    round_end();
    return done;
}

/* --- the matrix --------------------------------------------------------------------------------------------------- */

static inline bool any(const char *argument)
{
    return !argument || strcmp(argument, "all") == 0;
}

static inline bool begins(const char *text, const char *argument)
{
    return any(argument) || strncmp(text, argument, strlen(argument)) == 0;
}

/* In a family: the rows of a collective whose name begins so, or a row with another radix than its usual one. */
static inline int try_rows(enum shcoll_collective what, const char *algorithm, int family)
{
    struct trial t = {.what = what, .dst = 1, .sst = 1, .size = 1};
    const int chosen = begins("choice", algorithm) ? try_all(t, family) : 0;
    int named = 0;
    bool found = false;
    for (int i = 0; (t.by = shcoll_algorithm_number(what, i)).algorithm; i++) {
        char name[SHCOLL_NAME_BYTES];
        if (!begins(shcoll_name(t.by, name), algorithm))
            continue;
        found = true;
        named += try_all(t, family);
    }
    if (any(algorithm) && !named)
        failed("no algorithm of %s does anything in the group %s", shcoll_collective_names[what],
               families[family].name);
    if (!found && (t.by = shcoll_find(what, algorithm)).algorithm)
        named = try_all(t, family);
    return chosen + named;
}

/* The requested cases; any of the arguments may be NULL. Ends the job if there are none. */
static inline void try_matrix(const char *collective, const char *algorithm, const char *group)
{
    int done = 0;
    for (int what = 0; what < SHCOLL_COLLECTIVES; what++)
        for (int family = 0; family < n_families; family += every())
            if ((any(collective) || strcmp(collective, shcoll_collective_names[what]) == 0) &&
                begins(families[family].name, group))
                done += try_rows((enum shcoll_collective)what, algorithm, family);
    if (done)
        return;
    if (shmem_my_pe() == 0)
        fprintf(stderr,
                "nothing is called '%s %s %s': a collective, the beginning of an algorithm's name and that of a group "
                "were expected, or all\n",
                collective, algorithm ? algorithm : "all", group ? group : "all");
    shmem_global_exit(2);
}
