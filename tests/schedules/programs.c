/* The actions of a program's PEs, and the check of their results.
 *
 * All calls of a PE share one source, which is overwritten as soon as a call has returned. They have separate dests,
 * which become poison after their check. At the end of a schedule all PEs' dests must be poison, which reveals late
 * writes. */
#include "programs.h"

#include <stdarg.h>
#include <stdlib.h>

enum { MOST_SOURCE = 96 << 10, PSYNC_WORDS = SHCOLL_SYNC_SIZE, WANTED_BYTES = 24 << 20 };
/* Whether SHCOLL is built for Copal and uses its guarantees beyond the specification, or for any OpenSHMEM. */
#if defined(COPAL_VERSION)
static const bool for_copal = true;
#else
static const bool for_copal = false;
#endif

static const struct kind kinds[KINDS] = {{SHCOLL_SUM, SHCOLL_INT64}, {SHCOLL_SUM, SHCOLL_DOUBLE},
                                         {SHCOLL_MAX, SHCOLL_UINT8}, {MATRICES, 0}, {RECORDS, 2},
                                         {SHCOLL_XOR, SHCOLL_UINT32}};

static struct program *p;
static struct circle circle;
static int members[MOST_PES], have_come[MOST_CALLS];

/* For each call: the offset of its dest in the arena, and each PE's contribution and expected result. */
static struct place {
    size_t dest;
    struct bytes {
        unsigned char *at;
        size_t n;
    } brought[MOST_PES], wanted[MOST_PES];
} places[MOST_CALLS];
static unsigned char wanted[WANTED_BYTES];
static size_t wanted_used, work_at, pSync_at, source_at, places_end;

/* --- the world ---------------------------------------------------------------------------------------------------- */

int layout_read(const char *layout, int node[MOST_PES])
{
    int n = 0, nodes = 0;
    for (const char *at = layout; *at; nodes++) {
        char *end;
        const long pes = strtol(at, &end, 10);
        if (pes < 1 || n + pes > MOST_PES || (*end && *end != '+')) {
            fprintf(stderr, "schedules: the layout is \"%s\", allowed are PEs of each node as in 3+1, at most %d\n",
                    layout, MOST_PES);
            exit(2);
        }
        for (long i = 0; i < pes; i++)
            node[n++] = nodes;
        at = *end ? end + 1 : end;
    }
    return n;
}

/* The nodes as shcoll_init sees them: blocks as large as the first node, otherwise one node for each PE. */
static int node_size_of_layout(void)
{
    int size = 1;
    while (size < world.n_pes && world.node[size] == 0)
        size++;
    for (int i = 0; i < world.n_pes; i++)
        if (world.node[i] != i / size)
            return 1;
    return size;
}

static void settle(void)
{
    if (*p->sync)
        setenv("SHCOLL_SYNC", p->sync, 1);
    else
        unsetenv("SHCOLL_SYNC");
    const int node_size = p->node_size ? p->node_size : node_size_of_layout();
    shcoll_settings_write(arena_of(0), node_size, p->crowded ? 1 : 64);
    shcoll_settings_read(arena_of(0), world.n_pes);
}

static void make_circle(void)
{
    const int n = world.n_pes;
    static struct shcoll_group lasting; /* its contents do not matter: only a null pointer differs */
    circle = (struct circle){.start = 0, .stride = 1, .size = n, .lasting = p->group == GROUP_PSYNC ? NULL : &lasting};
    if (p->group == GROUP_REVERSE)
        circle.start = n - 1, circle.stride = -1;
    if (p->group == GROUP_PART && n > 2)
        circle.start = 1, circle.size = n - 1;
    for (int i = 0; i < n; i++)
        members[i] = i % 2 ? n - 1 - i / 2 : i / 2; /* 0, the last, 1, the last but one, ... */
    if (p->group == GROUP_LIST && n > 2)
        circle.pes = members;
}

static int my_position(void)
{
    int me = circle.size - 1;
    while (me >= 0 && circle_pe(&circle, me) != world.me)
        me--;
    return me;
}

static struct shcoll_group group_here(void)
{
    char *const work = arena_of(world.me) + work_at;
    struct shcoll_group g;
    if (circle.pes)
        g = shcoll_group_on_pes(members, circle.size, my_position(), work);
    else
        g = shcoll_group_on(circle.start, circle.stride, circle.size, work, false);
    g.number = g.synchronized = p->from;
    g.syncs = p->from, g.broadcasts = p->from, g.slots = p->from;
    return g;
}

/* Whether the user must separate two calls with a pSync: always, except syncs, and broadcasts from one root. */
static int turn_of_call(int i)
{
    while (i > 0 && p->call[i].what == SHCOLL_BROADCAST && p->call[i - 1].what == SHCOLL_BROADCAST &&
           p->call[i - 1].trial.root == p->call[i].trial.root)
        i--;
    return p->call[i].what == SHCOLL_SYNC || p->call[i].what == CALL_BARRIER ? 0 : 1 + i % 4;
}

static struct shcoll_group group_of_call(int i)
{
    char *const work = arena_of(world.me) + pSync_at + (size_t)turn_of_call(i) * PSYNC_WORDS * sizeof(long);
    return shcoll_group_on(circle.start, circle.stride, circle.size, work, true);
}

/* --- results and expectations ------------------------------------------------------------------------------------- */

/* Numbers whose sums are exact in any order. */
static struct number operand_of(struct kind k, uint64_t serial, int pe, size_t i)
{
    struct number v = operand(k, serial, pe, i);
    if (k.op == SHCOLL_SUM && k.type == SHCOLL_DOUBLE)
        v.re = (long double)(v.bits % 4096), v.im = 0;
    return v;
}

static struct bytes take(size_t n)
{
    const struct bytes bytes = {wanted + wanted_used, n};
    wanted_used += (n + 63) / 64 * 64;
    if (wanted_used > WANTED_BYTES) {
        fprintf(stderr, "schedules: a program's results are more than %d bytes\n", WANTED_BYTES);
        exit(2);
    }
    return bytes;
}

static void reduce_here(const struct trial *t, int me, unsigned char *want)
{
    const int parties = t->what == SHCOLL_REDUCE ? circle.size : t->what == SHCOLL_INSCAN ? me + 1 : me;
    memset(want, 0, t->n * t->size);
    for (size_t i = 0; i < t->n && parties; i++) {
        struct reference r = reference_of(t->kind, operand_of(t->kind, t->serial, circle_pe(&circle, 0), i));
        for (int j = 1; j < parties; j++)
            reference_add(t->kind, &r, operand_of(t->kind, t->serial, circle_pe(&circle, j), i));
        store(t->kind, want, i, r.value);
    }
}

static void fill_in(int i, int me)
{
    const struct trial *t = &p->call[i].trial;
    const int pe = circle_pe(&circle, me);
    struct bytes *brought = &places[i].brought[pe], *want = &places[i].wanted[pe];
    if (p->call[i].what >= SHCOLL_COLLECTIVES) {
        *brought = *want = (struct bytes){wanted, 0};
        return;
    }
    *brought = take(source_bytes(t, &circle, me));
    *want = take(dest_bytes(t, &circle));
    if (is_reduction(t->what)) {
        for (size_t j = 0; j < t->n; j++)
            store(t->kind, brought->at, j, operand_of(t->kind, t->serial, pe, j));
        reduce_here(t, me, want->at);
    } else {
        source_fill(t, &circle, me, brought->at);
        dest_expected(t, &circle, me, want->at);
    }
}

static bool is_refused(int i)
{
    struct trial *t = &p->call[i].trial;
    char text[SHCOLL_SENTENCE_BYTES];
    struct shcoll_group g = p->group == GROUP_PSYNC ? group_of_call(i) : group_here();
    const struct shcoll_call c = call_of(t, t->n * t->size, NULL, NULL);
    if (p->call[i].what == CALL_TELLING)
        return p->group == GROUP_PSYNC;
    return p->call[i].what < SHCOLL_COLLECTIVES && t->by.algorithm && shcoll_refuses(t->by, &g, &c, text);
}

bool program_begin(struct program *program)
{
    p = program;
    world.n_pes = layout_read(p->layout, world.node);
    world.near_is_late = p->near_is_late;
    world.words_in_order = p->in_order;
    world.signals_vouch = for_copal;
    world.me = 0;
    settle();
    make_circle();
    wanted_used = 0;
    memset(places, 0, sizeof places);
    work_at = 0, pSync_at = SHCOLL_WORK_BYTES, source_at = pSync_at + 5 * PSYNC_WORDS * sizeof(long);
    size_t at = source_at + MOST_SOURCE + 64;
    for (int i = 0; i < p->n; i++) {
        struct trial *t = &p->call[i].trial;
        size_t most = 64;
        if (is_reduction(t->what) && p->call[i].what < SHCOLL_COLLECTIVES) {
            t->kind = kinds[p->call[i].kind];
            const size_t size = kind_op(t->kind)->size;
            t->n = (t->n * t->size + size - 1) / size, t->size = size;
        }
        t->root %= circle.size;
        t->serial = (uint64_t)i + 1;
        if (is_refused(i))
            return false;
        for (int me = 0; me < circle.size; me++) {
            fill_in(i, me);
            const struct place *place = &places[i];
            const size_t bytes = place->wanted[circle_pe(&circle, me)].n;
            most = bytes > most ? bytes : most;
            if (place->brought[circle_pe(&circle, me)].n > MOST_SOURCE)
                return false;
        }
        places[i].dest = (at + 127) / 64 * 64 + t->shift;
        at = places[i].dest + most + 64;
    }
    places_end = at;
    world.heap = (at + 63) / 64 * 64;
    if (world.heap + 3 * SHCOLL_WORK_BYTES > ARENA_BYTES)
        return false;
    for (int pe = 0; pe < world.n_pes; pe++) {
        memset(arena_of(pe), 0, source_at);
        memset(arena_of(pe) + source_at, POISON, world.heap + 2 * SHCOLL_WORK_BYTES - source_at);
    }
    return true;
}

/* --- a PE --------------------------------------------------------------------------------------------------------- */

static __attribute__((format(printf, 2, 3))) void wrong(int i, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fail("PE %d, call %d: %s", world.me, i + 1, text);
}

static void check(int i, const unsigned char *dest)
{
    const struct bytes *want = &places[i].wanted[world.me];
    if (memcmp(dest, want->at, want->n) == 0)
        return;
    size_t at = 0, bad = 0;
    while (dest[at] == want->at[at])
        at++;
    for (size_t j = at; j < want->n; j++)
        bad += dest[j] != want->at[j];
    wrong(i, "byte %zu of %zu is %#x and not %#x (%zu bytes are wrong)", at, want->n, dest[at], want->at[at], bad);
}

static uint64_t word_told(int i, int position)
{
    const uint64_t word = value((uint64_t)i + 1, position, 3);
    return word % 4 ? word : 0;
}

/* Each member sends the next one a word, and no member leaves before all have entered. */
static void synchronize(int i, struct shcoll_group *g, unsigned char *dest)
{
    const int before = (g->me + g->size - 1) % g->size, after = (g->me + 1) % g->size;
    uint64_t mine = word_told(i, g->me), told = 0;
    const uint64_t want = word_told(i, before);
    have_come[i]++;
    if (p->call[i].what == CALL_TELLING) {
        told = shcoll_sync_telling(g, mine);
    } else if (p->call[i].what == CALL_BARRIER) {
        shmem_putmem_nbi(dest, &mine, sizeof mine, circle_pe(&circle, after));
        shcoll_barrier(g);
        memcpy(&told, dest, sizeof told);
    } else if (p->call[i].trial.by.algorithm) {
        shcoll_run(p->call[i].trial.by, g, &(struct shcoll_call){.size = 1});
    } else {
        shcoll_sync(g);
    }
    if (have_come[i] != g->size)
        wrong(i, "it leaves when %d of %d members have entered", have_come[i], g->size);
    if (p->call[i].what != SHCOLL_SYNC && told != want)
        wrong(i, "it receives %#llx and not %#llx", (unsigned long long)told, (unsigned long long)want);
    if (p->call[i].what == CALL_BARRIER)
        memset(dest, POISON, sizeof told);
}

static void do_call(int i, struct shcoll_group *g)
{
    const struct trial *t = &p->call[i].trial;
    const struct bytes *brought = &places[i].brought[world.me];
    unsigned char *const dest = (unsigned char *)arena_of(world.me) + places[i].dest;
    unsigned char *const source = t->in_place ? dest : (unsigned char *)arena_of(world.me) + source_at + t->shift;
    if (p->call[i].what == SHCOLL_SYNC || p->call[i].what >= SHCOLL_COLLECTIVES) {
        synchronize(i, g, dest);
        return;
    }
    if (!t->in_place)
        memcpy(source, brought->at, brought->n);
    const struct shcoll_call c = call_of(t, brought->n, dest, source);
    if (t->by.algorithm)
        shcoll_run(t->by, g, &c);
    else
        do_chosen(g, t->what, &c);
    if (!t->in_place && memcmp(source, brought->at, brought->n))
        wrong(i, "its source has changed");
    if (!t->in_place)
        memset(source, 0xee, brought->n);
    if (!t->to_root || g->me == t->root)
        check(i, dest);
    memset(dest, POISON, places[i].wanted[world.me].n);
    const bool is_last = i + 1 == p->n || turn_of_call(i + 1) != turn_of_call(i); /* otherwise the root may be ahead */
    for (int j = 0; g->is_pSync && is_last && j < PSYNC_WORDS; j++)
        if (g->work[j])
            wrong(i, "its pSync[%d] comes back as %llu", j, (unsigned long long)g->work[j]);
}

static void run_pe(void)
{
    if (p->group == GROUP_CREATED) {
        struct shcoll_group *g = shcoll_group_create(0, 1, world.n_pes);
        for (int i = 0; i < p->n; i++)
            do_call(i, g);
        shcoll_group_free(g);
        return;
    }
    if (my_position() < 0)
        return;
    struct shcoll_group g = group_here();
    for (int i = 0; i < p->n; i++) {
        if (p->group == GROUP_PSYNC)
            g = group_of_call(i);
        do_call(i, &g);
    }
}

/* --- a schedule --------------------------------------------------------------------------------------------------- */

static void check_poison(int pe)
{
    const unsigned char *at = (unsigned char *)arena_of(pe) + source_at + MOST_SOURCE;
    const size_t n = places_end - source_at - MOST_SOURCE, first = not_poison(at, n);
    int i = p->n - 1;
    while (i > 0 && places[i].dest > (size_t)(at + first - (unsigned char *)arena_of(pe)))
        i--;
    if (first < n)
        fail("PE %d's memory at its dest of call %d %+td is written to when the call has returned", pe, i + 1,
             at + first - (unsigned char *)arena_of(pe) - (ptrdiff_t)places[i].dest);
}

bool program_run(const struct schedule *schedule)
{
    memset(have_come, 0, sizeof have_come);
    for (int pe = 0; pe < world.n_pes; pe++) {
        memset(arena_of(pe), 0, p->group == GROUP_PSYNC ? source_at : SHCOLL_WORK_BYTES);
        for (int i = 0; i < p->n; i++)
            if (p->call[i].trial.in_place && places[i].brought[pe].n)
                memcpy(arena_of(pe) + places[i].dest, places[i].brought[pe].at, places[i].brought[pe].n);
        if (p->group == GROUP_CREATED)
            memset(arena_of(pe) + world.heap, POISON, SHCOLL_WORK_BYTES + 64);
    }
    if (!schedule_run(schedule, run_pe))
        return false;
    for (int pe = 0; pe < world.n_pes; pe++)
        check_poison(pe);
    return !*world.failure;
}
