/* Common parts of the SHCOLL tests: groups of every shape, memory for results, and failure reports.
 *
 * Only <shmem.h> of OpenSHMEM 1.4 and <shcoll.h> are used: the same files are compiled with other OpenSHMEMs
 * (scripts/check-portable). Results go to unused memory of an arena that is otherwise poison. A checked result
 * becomes poison again immediately, and at the end of a round the whole arena must be poison. Calls therefore follow
 * each other without further synchronization, and the test detects a write beside a result, or into a result after its
 * owner has returned. */
#pragma once

#include <shcoll.h>
#include <shmem.h>

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../check.h"
#include "../values.h"

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Bytes that identify their call, sender, receiver (0 if there are many) and index. */
static inline void pattern(void *to, size_t n, uint64_t serial, int sender, int receiver)
{
    const uint64_t seed = value(serial, sender, (uint64_t)receiver + 1);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = (seed + i) * 0x9e3779b97f4a7c15u;
        word ^= word >> 32;
        memcpy((char *)to + i, &word, n - i < 8 ? n - i : 8);
    }
}

/* --- failures, and where a PE hangs ------------------------------------------------------------------------------- */

/* This PE's current call, for messages: collective, algorithm, group, size. */
static char doing[256];

static inline __attribute__((format(printf, 1, 2))) void failed(const char *format, ...)
{
    if (check_failures++ >= 20)
        return; /* further failures are only counted */
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "PE %d: %s: %s\n", shmem_my_pe(), doing, text);
}

static inline void alarmed(int sig)
{
    (void)sig;
    static const char hung[] = "a PE hangs in: ";
    if (write(2, hung, sizeof hung - 1) < 0 || write(2, doing, strlen(doing)) < 0 || write(2, "\n", 1) < 0)
        _exit(3);
    _exit(2);
}

/* A PE that then takes ten times as long as the longest case does prints where it hangs, and ends. */
static inline void watchdog(void)
{
    signal(SIGALRM, alarmed);
    alarm(300);
}

/* Sometimes this PE is late, so that the others run ahead of it. */
static inline void dawdle(uint64_t serial)
{
    const uint64_t h = value(serial, shmem_my_pe(), 77);
    if (h % 64 == 0)
        nanosleep(&(struct timespec){0, (long)(h / 64 % 200000)}, NULL); /* late on purpose */
}

/* The verdict of all PEs, which PE 0 prints, because not every OpenSHMEM passes exit codes on. All PEs call it, and
 * main returns its value. */
static inline int verdict(const char *test, uint64_t calls)
{
    static long failures;
    alarm(300);
    shmem_barrier_all();
    shmem_long_atomic_add(&failures, check_failures, 0);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%s: %s, %llu calls on %d PEs\n", failures ? "FAILED" : "PASSED", test, (unsigned long long)calls,
               shmem_n_pes());
    fflush(stdout);
    return check_result();
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

/* A pSync may be used again when all members have returned from the call that used it. Calls use several pSyncs one
 * after the other; before the first is used again, the members synchronize on one more pSync. Only these syncs use it;
 * they may follow each other immediately. */
enum { TURNS = 4, SYNC_BETWEEN = TURNS, SYNC_TESTED, PSYNCS };

/* The PEs start, start + stride, ..., or the PEs in a list: a lasting group or an active set. */
struct circle {
    int start, stride, size;
    int *pes; /* NULL: strided */
    struct shcoll_group *lasting; /* NULL: an active set */
    struct shcoll_group set;      /* an active set for one call; a group on a list of PEs */
    long (*pSyncs)[SHCOLL_SYNC_SIZE];
    int used; /* pSyncs since the last sync */
};

/* Circles that are active at the same time; a PE in several circles calls for one after the other. */
enum { MAX_CIRCLES = 8, MAX_FAMILIES = 24, MAX_SETS = 6 };
struct family {
    const char *name;
    int circles;
    struct circle circle[MAX_CIRCLES];
};

static struct family families[MAX_FAMILIES];
static int n_families;
static long pSyncs[MAX_SETS][PSYNCS][SHCOLL_SYNC_SIZE]; /* zero, which is SHCOLL_SYNC_VALUE */

static inline int circle_pe(const struct circle *c, int position)
{
    return c->pes ? c->pes[position] : c->start + position * c->stride;
}

/* The position of this PE; -1 if it is no member. */
static inline int circle_me(const struct circle *c)
{
    int me = c->size - 1;
    while (me >= 0 && circle_pe(c, me) != shmem_my_pe())
        me--;
    return me;
}

static inline int log_of(int stride)
{
    return stride == 1 ? 0 : 1 + log_of(stride / 2);
}

static inline struct shcoll_group set_on(const struct circle *c, int turn)
{
    return shcoll_active_set(c->start, log_of(c->stride), c->size, c->pSyncs[turn]);
}

/* The group for this PE's next call in the circle. */
static inline struct shcoll_group *circle_group(struct circle *c, enum shcoll_collective what)
{
    if (c->lasting)
        return c->lasting;
    if (what == SHCOLL_SYNC) {
        c->set = set_on(c, SYNC_TESTED);
        return &c->set;
    }
    if (c->used == TURNS) {
        c->set = set_on(c, SYNC_BETWEEN);
        shcoll_sync(&c->set);
        c->used = 0;
    }
    c->set = set_on(c, c->used++);
    return &c->set;
}

/* Synchronizes the members, for the test itself. */
static inline void circle_sync(struct circle *c)
{
    if (c->lasting) {
        shcoll_sync(c->lasting);
        return;
    }
    struct shcoll_group set = set_on(c, SYNC_BETWEEN);
    shcoll_sync(&set);
    c->used = 0;
}

static inline struct family *family_add(const char *name)
{
    struct family *f = &families[n_families++];
    *f = (struct family){.name = name};
    return f;
}

static inline void circle_add(struct family *f, int start, int stride, int size)
{
    if (size > 0)
        f->circle[f->circles++] = (struct circle){.start = start, .stride = stride, .size = size,
                                                  .lasting = shcoll_group_create(start, stride, size)};
}

/* A group on a list of PEs; it may be used after a barrier. */
static inline void circle_add_pes(struct family *f, const int *pes, int size)
{
    if (size < 1)
        return;
    struct circle *c = &f->circle[f->circles++];
    *c = (struct circle){.size = size, .pes = malloc((size_t)size * sizeof *pes), .lasting = &c->set};
    memcpy(c->pes, pes, (size_t)size * sizeof *pes);
    void *work = shmem_align(64, SHCOLL_WORK_BYTES);
    memset(work, 0, SHCOLL_WORK_BYTES);
    c->set = shcoll_group_on_pes(c->pes, size, circle_me(c), work);
}

/* Groups given by lists: in any order; without every third PE; and several that overlap: two interleaved halves, the
 * odd PEs in any order, the even PEs, all PEs backwards, and one PE alone. */
static inline void families_on_lists(int n)
{
    int *shuffled = malloc((size_t)n * sizeof *shuffled), *pes = malloc((size_t)n * sizeof *pes), size = 0;
    for (int i = 0; i < n; i++) { /* each PE swaps with an earlier position */
        const int place = (int)(value(1, 0, (uint64_t)i) % (uint64_t)(i + 1));
        shuffled[i] = i;
        shuffled[i] = shuffled[place];
        shuffled[place] = i;
    }
    circle_add_pes(family_add("list shuffled"), shuffled, n);
    for (int i = 0; i < n; i++)
        if (i % 3 != 2)
            pes[size++] = i;
    circle_add_pes(family_add("list of two in three"), pes, size);
    struct family *f = family_add("list several");
    for (int i = 0; i < n; i++)
        pes[i] = i % 2 ? (n + 1) / 2 + i / 2 : i / 2;
    circle_add_pes(f, pes, n);
    for (int odd = 1; odd >= 0; odd--) {
        size = 0;
        for (int i = 0; i < n; i++)
            if (shuffled[i] % 2 == odd)
                pes[size++] = shuffled[i];
        circle_add_pes(f, pes, size);
    }
    for (int i = 0; i < n; i++)
        pes[i] = n - 1 - i;
    circle_add_pes(f, pes, n);
    circle_add_pes(f, &shuffled[n / 2], 1);
    free(pes);
    free(shuffled);
}

static inline void family_of_one(const char *name, int start, int stride, int size)
{
    if (size > 0)
        circle_add(family_add(name), start, stride, size);
}

static inline void set_add(const char *name, int start, int log_stride, int size)
{
    static int sets;
    if (size < 1)
        return;
    struct family *f = family_add(name);
    f->circle[f->circles++] = (struct circle){.start = start, .stride = 1 << log_stride, .size = size,
                                              .pSyncs = pSyncs[sets++]};
}

/* All PEs call it, after shcoll_init. */
static inline void families_make(void)
{
    const int n = shmem_n_pes(), width = n > 24 ? (n + 7) / 8 : n > 5 ? 3 : 2;
    family_of_one("world", 0, 1, n);
    family_of_one("reverse", n - 1, -1, n);
    family_of_one("reverse stride 2", n - 1, -2, (n + 1) / 2);
    family_of_one("offset", n / 2, 1, n - n / 2);
    family_of_one("single", n / 2, 1, 1);
    family_of_one("split of split", 1, 4, (n + 2) / 4);
    struct family *stride_2 = family_add("stride 2"), *stride_3 = family_add("stride 3");
    struct family *rows = family_add("rows"), *columns = family_add("columns"),
                  *overlapping = family_add("overlapping");
    for (int i = 0; i < 2; i++)
        circle_add(stride_2, i, 2, (n + 1 - i) / 2);
    for (int i = 0; i < 3; i++)
        circle_add(stride_3, i, 3, (n + 2 - i) / 3);
    for (int i = 0; i < n; i += width)
        circle_add(rows, i, 1, n - i < width ? n - i : width);
    for (int i = 0; i < width && i < MAX_CIRCLES; i++)
        circle_add(columns, i, width, (n + width - 1 - i) / width);
    circle_add(overlapping, 0, 1, (2 * n + 2) / 3);
    circle_add(overlapping, n / 3, 1, n - n / 3);
    circle_add(overlapping, n - 1, -1, n);
    families_on_lists(n);
    set_add("active set 0 0 all", 0, 0, n);
    set_add("active set from 1", 1, 0, n - 1);
    set_add("active set stride 2", 0, 1, (n + 1) / 2);
    set_add("active set from 1 stride 2", 1, 1, n / 2);
    set_add("active set from 1 stride 4", 1, 2, (n + 2) / 4);
    shmem_barrier_all();
}

static inline void families_free(void)
{
    for (int i = 0; i < n_families; i++)
        for (int j = 0; j < families[i].circles; j++) {
            struct circle *c = &families[i].circle[j];
            if (c->lasting && !c->pes) {
                shcoll_group_free(c->lasting);
            } else if (c->lasting) {
                shmem_barrier_all();
                shmem_free(c->set.work);
                free(c->pes);
            }
        }
}

/* --- places ------------------------------------------------------------------------------------------------------- */

enum { POISON = 0xa5, GUARD = 64, STATIC_ARENA = 1 << 20, MAX_CALLS = 1024 };

struct arena {
    unsigned char *base;
    size_t size;
};
static _Alignas(64) unsigned char static_arena[STATIC_ARENA];
static struct arena arenas[2] = {{static_arena, STATIC_ARENA}, {NULL, 0}};
static struct arena *arena = arenas;
static size_t arena_used;
static unsigned char *source_area; /* symmetric: sources, refilled as soon as a call has returned */

/* This PE's digests of results that must have the same bits on all members, by circle and call (otherwise 0), and the
 * family of each call. */
static uint64_t (*digests)[MAX_CALLS]; /* MAX_CIRCLES of them, symmetric */
static int family_of_call[MAX_CALLS];
static int calls_in_round;

/* Allocates symmetric memory; all PEs call it. */
static inline void *area_make(size_t bytes)
{
    void *area = shmem_align(64, bytes);
    if (!area) {
        fprintf(stderr, "PE %d: the symmetric heap has no %zu bytes\n", shmem_my_pe(), bytes);
        shmem_global_exit(1);
    }
    return area;
}

/* Allocates an arena in the heap beside the static arena, an area for sources, and one for digests; all PEs call it. */
static inline void areas_make(size_t bytes)
{
    arenas[1] = (struct arena){area_make(bytes), bytes};
    source_area = area_make(bytes);
    digests = area_make(MAX_CIRCLES * sizeof *digests);
    for (int i = 0; i < 2; i++)
        memset(arenas[i].base, POISON, arenas[i].size);
    shmem_barrier_all();
}

static inline void areas_free(void)
{
    shmem_free(arenas[1].base);
    shmem_free(source_area);
    shmem_free(digests);
}

/* The bytes of an arena that a place of so many bytes needs, with guards; the place begins up to 63 bytes after a
 * multiple of 64. */
static inline size_t place_bytes(size_t bytes)
{
    return (bytes + 2 * GUARD + 127) / 64 * 64;
}

static inline bool places_fit(size_t bytes)
{
    return arena_used + bytes <= arena->size;
}

static inline unsigned char *place_take(size_t bytes, size_t shift)
{
    unsigned char *place = arena->base + arena_used + GUARD + shift;
    arena_used += place_bytes(bytes);
    if (arena_used > arena->size) {
        fprintf(stderr, "error in the test: %s: no place for a dest of %zu bytes\n", doing, bytes);
        shmem_global_exit(2);
    }
    return place;
}

/* The first of n bytes that is not poison; n if there is none. */
static inline size_t not_poison(const unsigned char *p, size_t n)
{
    if (n == 0 || (p[0] == POISON && memcmp(p, p + 1, n - 1) == 0))
        return n;
    size_t i = 0;
    while (p[i] == POISON)
        i++;
    return i;
}

static inline void guards_check(const unsigned char *place, size_t bytes)
{
    const size_t before = not_poison(place - GUARD, GUARD), after = not_poison(place + bytes, GUARD);
    if (before < GUARD)
        failed("%zu bytes before dest: got %#x, want the guard %#x", GUARD - before, place[before - GUARD], POISON);
    if (after < GUARD)
        failed("%zu bytes behind the end of dest: got %#x, want the guard %#x", after, place[bytes + after], POISON);
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

/* Begins a round of calls, in which only the calls themselves synchronize; all PEs call it. */
static inline void round_begin(bool in_heap)
{
    arena = &arenas[in_heap];
    arena_used = 0;
    calls_in_round = 0;
    memset(digests, 0, MAX_CIRCLES * sizeof *digests);
    shmem_barrier_all();
}

static inline void digests_check(void)
{
    for (int call = 0; call < calls_in_round; call++)
        for (int i = 0; i < families[family_of_call[call]].circles; i++) {
            const int first = circle_pe(&families[family_of_call[call]].circle[i], 0);
            if (!digests[i][call] || first == shmem_my_pe())
                continue;
            const uint64_t want = shmem_uint64_g(&digests[i][call], first);
            if (digests[i][call] != want)
                failed(
                    "call %d of the round: the result does not have the same bits as PE %d's: digest %#llx, want %#llx",
                    call, first, (unsigned long long)digests[i][call], (unsigned long long)want);
        }
}

static inline void pSyncs_check(void)
{
    long *words = &pSyncs[0][0][0];
    for (int i = 0; i < MAX_SETS * PSYNCS * SHCOLL_SYNC_SIZE; i++)
        if (words[i] != SHCOLL_SYNC_VALUE) {
            failed("after the round a pSync holds %ld at index %d, want 0", words[i], i % SHCOLL_SYNC_SIZE);
            words[i] = SHCOLL_SYNC_VALUE;
        }
}

static inline void round_end(void)
{
    shmem_barrier_all();
    const size_t at = not_poison(arena->base, arena_used);
    if (at < arena_used) {
        failed("written after the call had returned: byte %zu of %zu in this round's arena: got %#x, want %#x", at,
               arena_used, arena->base[at], POISON);
        memset(arena->base, POISON, arena->size);
    }
    digests_check();
    pSyncs_check();
    for (int i = 0; i < n_families; i++)
        families[i].circle[0].used = 0;
    shmem_barrier_all();
}
