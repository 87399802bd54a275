/* A call of any collective: its operands, the call by a named algorithm or with the library's choice, and the check of
 * its result against a sequential computation from the list of members. */
#pragma once

#include "operands.h"

/* A call: the same on all members, except its data, which depends on their position. */
struct trial {
    enum shcoll_collective what;
    struct shcoll_choice by; /* .algorithm NULL: the public routine, which chooses */
    uint64_t serial;         /* the call's number, on which its values depend */
    size_t n, size;          /* elements and their size; collect: about n, a different number for each member */
    int root;
    ptrdiff_t dst, sst;
    struct kind kind;
    bool in_place, to_root;
    size_t shift; /* bytes of dest and source after a multiple of 64 */
};

static inline bool is_reduction(enum shcoll_collective what)
{
    return what == SHCOLL_REDUCE || what == SHCOLL_INSCAN || what == SHCOLL_EXSCAN;
}

/* In a collect, members contribute 0, a half, one or one and a half times n bytes. */
static inline size_t piece_bytes(const struct trial *t, const struct circle *c, int position)
{
    return t->what == SHCOLL_COLLECT ? t->n * (value(t->serial, circle_pe(c, position), 5) % 4) / 2 : t->n * t->size;
}

/* The block of an alltoalls with stride st: its elements lie st elements apart. */
static inline size_t strided_bytes(const struct trial *t, ptrdiff_t st)
{
    return t->n * (size_t)st * t->size;
}

static inline size_t source_bytes(const struct trial *t, const struct circle *c, int me)
{
    switch (t->what) {
    case SHCOLL_SYNC: return 0;
    case SHCOLL_ALLTOALL: return t->n * t->size * (size_t)c->size;
    case SHCOLL_ALLTOALLS: return strided_bytes(t, t->sst) * (size_t)c->size;
    default: return piece_bytes(t, c, me);
    }
}

static inline size_t dest_bytes(const struct trial *t, const struct circle *c)
{
    size_t sum = 0;
    switch (t->what) {
    case SHCOLL_SYNC: return 0;
    case SHCOLL_FCOLLECT: case SHCOLL_ALLTOALL: return t->n * t->size * (size_t)c->size;
    case SHCOLL_ALLTOALLS: return strided_bytes(t, t->dst) * (size_t)c->size;
    case SHCOLL_COLLECT:
        for (int i = 0; i < c->size; i++)
            sum += piece_bytes(t, c, i);
        return sum;
    default: return t->n * t->size;
    }
}

/* Spreads n elements over a strided array, or gathers them. */
static inline void spread(const struct trial *t, unsigned char *to, ptrdiff_t st, const unsigned char *packed)
{
    for (size_t i = 0; i < t->n; i++)
        memcpy(to + i * (size_t)st * t->size, packed + i * t->size, t->size);
}

/* The source of the member at position me. */
static inline void source_fill(const struct trial *t, const struct circle *c, int me, unsigned char *source)
{
    const int pe = circle_pe(c, me);
    static unsigned char packed[1 << 16];
    switch (t->what) {
    case SHCOLL_SYNC:
        break;
    case SHCOLL_ALLTOALL:
        for (int to = 0; to < c->size; to++)
            pattern(source + (size_t)to * t->n, t->n, t->serial, pe, circle_pe(c, to) + 1);
        break;
    case SHCOLL_ALLTOALLS:
        memset(source, 0x3c, source_bytes(t, c, me)); /* fills the gaps between the elements */
        for (int to = 0; to < c->size; to++) {
            pattern(packed, t->n * t->size, t->serial, pe, circle_pe(c, to) + 1);
            spread(t, source + (size_t)to * strided_bytes(t, t->sst), t->sst, packed);
        }
        break;
    case SHCOLL_REDUCE: case SHCOLL_INSCAN: case SHCOLL_EXSCAN:
        for (size_t i = 0; i < t->n; i++)
            store(t->kind, source, i, operand(t->kind, t->serial, pe, i));
        break;
    default:
        pattern(source, piece_bytes(t, c, me), t->serial, pe, 0);
    }
}

/* The dest of the member at position me after a collective that moves data. */
static inline void dest_expected(const struct trial *t, const struct circle *c, int me, unsigned char *want)
{
    const int pe = circle_pe(c, me);
    static unsigned char packed[1 << 16];
    memset(want, POISON, dest_bytes(t, c));
    switch (t->what) {
    case SHCOLL_BROADCAST:
        if (c->lasting || me != t->root) /* with a pSync the root's dest stays unchanged */
            pattern(want, t->n, t->serial, circle_pe(c, t->root), 0);
        break;
    case SHCOLL_FCOLLECT: case SHCOLL_COLLECT:
        for (int i = 0; i < c->size; want += piece_bytes(t, c, i), i++)
            pattern(want, piece_bytes(t, c, i), t->serial, circle_pe(c, i), 0);
        break;
    case SHCOLL_ALLTOALL:
        for (int i = 0; i < c->size; i++)
            pattern(want + (size_t)i * t->n, t->n, t->serial, circle_pe(c, i), pe + 1);
        break;
    case SHCOLL_ALLTOALLS:
        for (int i = 0; i < c->size; i++) {
            pattern(packed, t->n * t->size, t->serial, circle_pe(c, i), pe + 1);
            spread(t, want + (size_t)i * strided_bytes(t, t->dst), t->dst, packed);
        }
        break;
    default:
        break;
    }
}

/* Private copies of the expected dest, of the source, and of dest with its guards after the call. */
static unsigned char *expected, *kept, *seen;

static inline void moved_check(const struct trial *t, const struct circle *c, int me, const unsigned char *dest)
{
    const size_t bytes = dest_bytes(t, c);
    dest_expected(t, c, me, expected);
    if (memcmp(dest, expected, bytes) == 0)
        return;
    size_t at = 0, wrong = 0;
    while (dest[at] == expected[at])
        at++;
    for (size_t i = at; i < bytes; i++)
        wrong += dest[i] != expected[i];
    failed("byte %zu of %zu: got %#x, want %#x (%zu bytes are wrong)", at, bytes, dest[at], expected[at], wrong);
}

/* Each member checks a part of a long reduction. At the round's end, the test checks that all have the same bits. */
static inline void reduced_check(const struct trial *t, const struct circle *c, int me, const unsigned char *dest)
{
    if (t->to_root && me != t->root)
        return;
    const bool shared = t->what == SHCOLL_REDUCE && t->n > 256 && !t->to_root;
    const size_t part = t->n / (size_t)c->size + 1, from = shared ? part * (size_t)me : 0;
    const size_t to = !shared || from + part > t->n ? t->n : from + part;
    const int parties = t->what == SHCOLL_REDUCE ? c->size : t->what == SHCOLL_INSCAN ? me + 1 : me;
    const struct reference nothing = {.value = {.bits = 0}};
    for (size_t i = from; i < to; i++) {
        struct reference want = nothing;
        if (parties)
            want = reference_of(t->kind, operand(t->kind, t->serial, circle_pe(c, 0), i));
        for (int j = 1; j < parties; j++)
            reference_add(t->kind, &want, operand(t->kind, t->serial, circle_pe(c, j), i));
        const struct number got = load(t->kind, dest, i);
        if (!agrees(t->kind, got, &want, parties)) {
            char got_text[80], want_text[80];
            failed("element %zu of %zu: got %s, want %s", i, t->n, number_text(t->kind, got, got_text, sizeof got_text),
                   number_text(t->kind, want.value, want_text, sizeof want_text));
            return;
        }
    }
}

/* The number of times that members have entered the syncs of a circle: no member leaves a sync before all have
 * entered it, so each member is seen in this sync or in the next. */
static inline void sync_check(const struct circle *c, const uint64_t *entered)
{
    for (int i = 0; i < c->size; i++) {
        const uint64_t theirs = shmem_uint64_g(entered, circle_pe(c, i));
        if (theirs != *entered && theirs != *entered + 1)
            failed("member %d is in sync %llu, want %llu or the next", i, (unsigned long long)theirs,
                   (unsigned long long)*entered);
    }
}

static inline struct shcoll_call call_of(const struct trial *t, size_t bytes, void *dest, const void *source)
{
    struct shcoll_call call = {.dest = dest, .source = source, .n = t->n, .size = t->size, .root = t->root};
    if (t->what == SHCOLL_COLLECT)
        call.n = bytes;
    if (t->what == SHCOLL_ALLTOALLS)
        call.dst = t->dst, call.sst = t->sst;
    if (is_reduction(t->what))
        call.op = kind_op(t->kind), call.exclusive = t->what == SHCOLL_EXSCAN, call.to_root = t->to_root;
    return call;
}

/* A barrier, before which every member sends the next member its number. */
static inline void barrier_check(const struct circle *c, struct shcoll_group *g, uint64_t *told, uint64_t number)
{
    uint64_t *place = &told[number % 2]; /* the previous member may be at most one barrier ahead */
    shmem_putmem_nbi(place, &number, sizeof number, circle_pe(c, (g->me + 1) % g->size));
    shcoll_barrier(g);
    if (*place != number)
        failed("the put of the member before the barrier: got %llu, want %llu", (unsigned long long)*place,
               (unsigned long long)number);
}

static inline void do_chosen(struct shcoll_group *g, enum shcoll_collective what, const struct shcoll_call *c)
{
    switch (what) {
    case SHCOLL_SYNC: shcoll_sync(g); break;
    case SHCOLL_BROADCAST: shcoll_broadcast(g, c->dest, c->source, c->n, c->root); break;
    case SHCOLL_FCOLLECT: shcoll_fcollect(g, c->dest, c->source, c->n); break;
    case SHCOLL_COLLECT: shcoll_collect(g, c->dest, c->source, c->n); break;
    case SHCOLL_ALLTOALL: shcoll_alltoall(g, c->dest, c->source, c->n); break;
    case SHCOLL_ALLTOALLS: shcoll_alltoalls(g, c->dest, c->source, c->dst, c->sst, c->n, c->size); break;
    case SHCOLL_REDUCE:
        if (c->to_root)
            shcoll_reduce_to(g, c->dest, c->source, c->n, c->op, c->root);
        else
            shcoll_reduce(g, c->dest, c->source, c->n, c->op);
        break;
    case SHCOLL_INSCAN: shcoll_inscan(g, c->dest, c->source, c->n, c->op); break;
    case SHCOLL_EXSCAN: shcoll_exscan(g, c->dest, c->source, c->n, c->op); break;
    case SHCOLL_COLLECTIVES: break;
    }
}

/* The call as text, for messages. */
static inline void say(const struct trial *t, const struct family *f, const struct circle *c)
{
    char name[SHCOLL_NAME_BYTES] = "choice", kind[64] = "";
    if (t->by.algorithm)
        shcoll_name(t->by, name);
    if (is_reduction(t->what))
        kind_name(t->kind, kind, sizeof kind);
    snprintf(doing, sizeof doing,
             "%s by %s, %s (from PE %d, size %d), %zu x %zu bytes%s%s%s, %sroot %d, strides %d %d, "
             "%zu off alignment, call %llu",
             shcoll_collective_names[t->what], name, f->name, circle_pe(c, 0), c->size, t->n, t->size,
             *kind ? ", " : "", kind, t->in_place ? " in place" : "", t->to_root ? "to " : "", t->root, (int)t->dst,
             (int)t->sst, t->shift, (unsigned long long)t->serial);
}

static uint64_t serial, calls;                        /* the number of the last call; how many have been done */
static uint64_t entered[MAX_FAMILIES][MAX_CIRCLES];   /* this PE's syncs */
static uint64_t told[MAX_FAMILIES][MAX_CIRCLES][2];   /* words from the previous member, alternately */

/* Makes the call on this PE, the member of the circle at position me, into dest. When the call has returned, dest
 * (after a copy) and source are overwritten immediately, because no PE may read them any more; then the copy is
 * checked. */
static inline void call_and_check(const struct trial *t, int family, int circle, unsigned char *dest)
{
    struct circle *c = &families[family].circle[circle];
    say(t, &families[family], c);
    struct shcoll_group *g = circle_group(c, t->what);
    const int me = g->me;
    const size_t brought = source_bytes(t, c, me), bytes = dest_bytes(t, c);
    unsigned char *source = t->in_place ? dest : source_area + t->shift;
    source_fill(t, c, me, source);
    memcpy(kept, source, brought);
    const struct shcoll_call call = call_of(t, brought, dest, source);
    if (t->in_place) {
        circle_sync(c); /* all dests have been filled */
        g = circle_group(c, t->what);
    }
    dawdle(t->serial);
    const uint64_t number = entered[family][circle] += t->what == SHCOLL_SYNC;
    if (t->by.algorithm)
        shcoll_run(t->by, g, &call);
    else if (t->what == SHCOLL_SYNC && number % 2)
        barrier_check(c, g, told[family][circle], number);
    else
        do_chosen(g, t->what, &call);
    memcpy(seen, dest - GUARD, bytes + 2 * GUARD);
    memset(dest - GUARD, POISON, bytes + 2 * GUARD);
    if (!t->in_place && memcmp(kept, source, brought))
        failed("source has changed");
    if (!t->in_place)
        memset(source, 0xee, brought);
    if (t->what == SHCOLL_SYNC)
        sync_check(c, &entered[family][circle]);
    else if (is_reduction(t->what))
        reduced_check(t, c, me, seen + GUARD);
    else
        moved_check(t, c, me, seen + GUARD);
    if (t->what == SHCOLL_REDUCE && !t->to_root)
        digests[circle][calls_in_round] = digest_of(t->kind, seen + GUARD, t->n);
    guards_check(seen + GUARD, bytes);
    for (int i = 0; g->is_pSync && t->what != SHCOLL_SYNC && i < SHCOLL_SYNC_SIZE; i++)
        if (((long *)g->work)[i] != SHCOLL_SYNC_VALUE)
            failed("pSync[%d] comes back as %ld", i, ((long *)g->work)[i]);
}

/* Whether the algorithm supports the call in this circle; the same on all members. */
static inline bool refused(const struct trial *t, struct circle *c)
{
    char text[SHCOLL_SENTENCE_BYTES];
    struct shcoll_group *g = circle_group(c, SHCOLL_SYNC);
    const struct shcoll_call call = call_of(t, t->n * t->size, NULL, NULL);
    return t->by.algorithm && shcoll_refuses(t->by, g, &call, text);
}

/* Makes a call in all circles of a family, with t->root modulo their sizes.  Returns the number of circles in which the
 * call was made, on this PE or on others. */
static inline int try(struct trial t, int family)
{
    struct family *f = &families[family];
    int done = 0;
    size_t needed = 0;
    const int root = t.root;
    t.serial = ++serial;
    for (int i = 0; i < f->circles; i++)
        needed += place_bytes(dest_bytes(&t, &f->circle[i]));
    if (!places_fit(needed) || calls_in_round == MAX_CALLS) {
        round_end();
        round_begin(arena == &arenas[1]);
    }
    for (int i = 0; i < f->circles; i++) {
        struct circle *c = &f->circle[i];
        unsigned char *dest = place_take(dest_bytes(&t, c), t.shift);
        t.root = root % c->size;
        if (refused(&t, c))
            continue;
        done++;
        if (circle_me(c) >= 0)
            call_and_check(&t, family, i, dest);
    }
    family_of_call[calls_in_round++] = family;
    calls += (uint64_t)done;
    return done;
}

/* --- beginning and end of a test ---------------------------------------------------------------------------------- */

static inline void suite_begin(void)
{
    shmem_init();
    shcoll_init();
    families_make();
    const size_t bytes = (size_t)12 << 20;
    areas_make(bytes);
    expected = malloc(bytes);
    kept = malloc(bytes);
    seen = malloc(bytes + 2 * GUARD);
}

static inline int suite_end(const char *test)
{
    free(seen);
    free(kept);
    free(expected);
    areas_free();
    families_free();
    const int result = verdict(test, calls);
    shmem_finalize();
    return result;
}
