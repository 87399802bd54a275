/* images: 2 3 4 5 8 */
/* Segments through the core's C interface: an image's operations on one address happen in order, for all sizes; and
 * every statement that orders segments makes them visible to the images that it orders afterwards.
 *
 *     core_order [ROUNDS [SEED]]
 *
 * Each image has a part of its own on each other image, and a copy with the expected contents. In a segment it puts,
 * gets and uses atomics there, and compares the results with the copy. Then it signals; an image that receives the
 * signal makes the same copy from the same random numbers, and compares it with the part. */
#include "core.h"
#include "random.h"

#include <string.h>

enum { PART = 64 << 10, OPERATIONS = 12, ATOMS = 64 }; /* the last ATOMS * 8 bytes of a part are for atomics */

enum way { ALL, IMAGES, ONE, EVENT, LOCK, MEMORY, TEAM, WAYS };
static const char *const names[] = {"sync all", "sync images", "sync images with one", "event post", "unlock",
                                    "sync memory", "change team"};

static char *parts;              /* one for each image that writes here */
static char (*copies)[PART];     /* the contents of this image's parts on the others; also symmetric */
static char (*seen)[PART];       /* the expected contents of the others' parts here */
static int64_t *events, *counted;
static caf_team_name team;       /* a team of all images */
static uint64_t *locks, *said;   /* for each image a lock, and the last turn in which that image has signalled */

/* --- a segment ---------------------------------------------------------------------------------------------------- */

static struct caf_section section_of(char *base, size_t count, ptrdiff_t step, size_t size)
{
    return (struct caf_section){.base = base, .type = CAF_DERIVED, .size = size, .rank = 1,
                                .dim = {{.count = count, .step = step}}};
}

static void compare(const char *is, const char *copy, size_t bytes, size_t from, int pe, const char *what)
{
    size_t i = 0;
    while (i < bytes && is[i] == copy[i])
        i++;
    CHECK(i == bytes, "%s: byte %zu of %zu of the part of PE %d, from %zu on, is %d, not %d", what, i, bytes, pe, from,
          is[i], copy[i]);
}

/* A get of little data, for which the core may get all that lies between the elements, too. */
static void get_scattered(int pe, char *part, const char *copy, uint64_t stream)
{
    enum { ELEMENTS = 500, WORDS = PART / 8 - ATOMS };
    static uint64_t got[ELEMENTS];
    ptrdiff_t where[ELEMENTS];
    size_t count = 0;
    for (uint64_t at = stream % 100; at < WORDS && count < ELEMENTS; at += 1 + (stream >> at % 59) % 27)
        where[count++] = (ptrdiff_t)at;
    struct caf_section there = section_of(part, count, 8, 8);
    const struct caf_section own = section_of((char *)got, count, 8, 8);
    there.dim[0].vector = where;
    caf_get(pe, &own, &there);
    for (size_t i = 0; i < count; i++)
        compare((char *)&got[i], copy + 8 * where[i], 8, (size_t)where[i] * 8, pe, "a get of scattered elements");
}

/* One operation of image `from` on its part on pe: made there and on the copy, or only on the copy. */
static void operate(uint64_t *rng, int from, int pe, char *copy, bool done)
{
    static char data[PART], got[PART];
    static const size_t limits[] = {8, 100, 4000, 5000, 20000, PART - ATOMS * 8};
    char *part = parts + (size_t)from * PART;
    const size_t most = limits[next(rng) % 6], bytes = 1 + next(rng) % most;
    const size_t at = next(rng) % 2 ? next(rng) % (PART - ATOMS * 8 - bytes + 1) : 0;
    const uint64_t value = next(rng), stream = next(rng);
    const size_t atom = PART - ATOMS * 8 + value % ATOMS * 8, n_blocks = 1 + bytes / 40;
    uint64_t word, old;
    switch (next(rng) % 8) {
    case 0:
    case 1:
        fill(data, bytes, stream);
        memcpy(copy + at, data, bytes);
        if (done) {
            caf_put_bytes(pe, part + at, data, bytes);
            memset(data, 0xee, bytes);
        }
        break;
    case 2: /* every second of several blocks of 16 bytes, or a single block */
        fill(data, n_blocks * 16, stream);
        for (size_t i = 0; i < n_blocks && i * 32 + 16 <= bytes; i++)
            memcpy(copy + at + i * 32, data + i * 16, 16);
        if (done && bytes >= 16) {
            const size_t count = (bytes - 16) / 32 + 1 < n_blocks ? (bytes - 16) / 32 + 1 : n_blocks;
            const struct caf_section to = section_of(part + at, count, 32, 16), own = section_of(data, count, 16, 16);
            caf_put(pe, &to, &own);
        }
        break;
    case 3:
        if (done) {
            caf_get_bytes(pe, got, part + at, bytes);
            compare(got, copy + at, bytes, at, pe, "a get");
        }
        break;
    case 4: /* the first 24 of each 40 bytes */
        if (done && bytes >= 24) {
            const size_t count = (bytes - 24) / 40 + 1;
            const struct caf_section there = section_of(part + at, count, 40, 24), own = section_of(got, count, 24, 24);
            caf_get(pe, &own, &there);
            for (size_t i = 0; i < count; i++)
                compare(got + i * 24, copy + at + i * 40, 24, at + i * 40, pe, "a get of a section");
        }
        break;
    case 7:
        if (done)
            get_scattered(pe, part, copy, stream);
        break;
    case 5: /* an atomic, or a put over the atomics' words */
        memcpy(&word, copy + atom, 8);
        word += value;
        memcpy(copy + atom, &word, 8);
        if (done)
            ok(caf_atomic_op(pe, part + atom, 8, CAF_ADD, &value, NULL));
        break;
    case 6:
        memcpy(&word, copy + atom, 8);
        if (done) {
            ok(caf_atomic_ref(pe, part + atom, 8, &old));
            CHECK(old == word, "an atom of PE %d is %llx, not %llx", pe, (unsigned long long)old,
                  (unsigned long long)word);
        }
        break;
    }
}

/* Large puts over the atomics' words, and gets of them: puts and atomics are in order, too. */
static void put_atoms(uint64_t *rng, int from, int pe, char *copy, bool done)
{
    char *part = parts + (size_t)from * PART;
    const size_t at = next(rng) % 2 ? 0 : PART - ATOMS * 8;
    static char data[PART];
    fill(data, PART - at, next(rng));
    memcpy(copy + at, data, PART - at);
    if (done) {
        caf_put_bytes(pe, part + at, data, PART - at);
        memset(data, 0xee, PART - at);
    }
}

/* Nothing else is in the segment, so the next synchronization of all images may carry these puts. */
static void put_little(uint64_t *rng, int from, int pe, char *copy, bool done)
{
    char data[400];
    const size_t bytes = 1 + next(rng) % sizeof data, at = next(rng) % (PART - ATOMS * 8 - bytes);
    fill(data, bytes, next(rng));
    memcpy(copy + at, data, bytes);
    if (done)
        caf_put_bytes(pe, parts + (size_t)from * PART + at, data, bytes);
}

static void segment(uint64_t seed, int from, int pe, char *copy, bool done)
{
    uint64_t rng = seed * 0x9E3779B97F4A7C15u ^ (uint64_t)from << 32 ^ (uint64_t)pe << 16;
    const bool is_little = (seed * 0x9E3779B97F4A7C15u >> 40) % 2;
    for (int i = 0; i < OPERATIONS; i++) {
        if (is_little) {
            put_little(&rng, from, pe, copy, done);
            continue;
        }
        if (next(&rng) % 4 == 0)
            put_atoms(&rng, from, pe, copy, done);
        operate(&rng, from, pe, copy, done);
    }
}

static void put_first(uint64_t number, size_t bytes, int from, int pe, char *copy, bool done)
{
    static char data[PART];
    fill(data, bytes, number << 16 ^ (uint64_t)from << 8 ^ (uint64_t)pe);
    memcpy(copy, data, bytes);
    if (done)
        caf_put_bytes(pe, parts + (size_t)from * PART, data, bytes);
}

/* --- what orders -------------------------------------------------------------------------------------------------- */

static void say(int pe, uint64_t turn)
{
    ok(caf_atomic_define(pe, &said[me], 8, &turn));
}

static void await_said(int pe, uint64_t turn)
{
    uint64_t is = 0;
    while (is < turn) {
        ok(caf_atomic_ref(me, &said[pe], 8, &is));
        shmem_uint64_test(&said[pe], SHMEM_CMP_GE, turn); /* makes progress */
    }
}

/* Signals pe, and waits for the signal of `from`; turn grows with each. */
static void order(enum way way, int pe, int from, uint64_t turn)
{
    const int both[] = {pe + 1, from + 1};
    switch (way) {
    case ALL: ok(caf_sync_all()); break;
    case IMAGES: ok(caf_sync_images(pe == from ? 1 : 2, both)); break;
    case ONE: /* in the order of the lower image of each pair, otherwise all would wait in a ring */
        ok(caf_sync_images(1, &both[pe != from && from < me]));
        if (pe != from)
            ok(caf_sync_images(1, &both[from > me]));
        break;
    case EVENT:
        ok(caf_event_post(pe, events));
        ok(caf_event_wait(events, 1));
        break;
    case LOCK: /* the image has executed the segment under the lock, and then put the segment's number */
        ok(caf_unlock(pe, &locks[me]));
        for (bool has_come = false; !has_come;) {
            ok(caf_lock(me, &locks[from], NULL));
            has_come = said[from] == turn;
            ok(caf_unlock(me, &locks[from]));
        }
        break;
    case MEMORY:
        ok(caf_sync_memory());
        say(pe, turn);
        await_said(from, turn);
        ok(caf_sync_memory());
        break;
    case TEAM: ok(caf_change_team(caf_team_named(team))); break;
    default: break;
    }
}

/* Each image operates on the image that is `distance` further on, cyclically. */
static void in_a_ring(enum way way, uint64_t round, uint64_t seed, uint64_t turn)
{
    const int distance = 1 + (int)(round / WAYS % (uint64_t)(n - 1)), pe = (me + distance) % n;
    const int from = (me + n - distance) % n;
    if (way == LOCK)
        ok(caf_lock(pe, &locks[me], NULL));
    segment(seed + round, me, pe, copies[pe], true);
    if (way == LOCK)
        caf_put_bytes(pe, &said[me], &turn, sizeof turn);
    order(way, pe, from, turn);
    segment(seed + round, from, me, seen[from], false);
    compare(parts + (size_t)from * PART, seen[from], PART, 0, from, names[way]);
    if (way == TEAM)
        ok(caf_end_team());
    ok(caf_sync_all());
}

/* A third image, also a target of puts, is notified, and gets the part and the copy. */
static void by_a_third(uint64_t round, uint64_t seed, uint64_t turn)
{
    static char got[PART], copy[PART];
    const int pe = (me + 1) % n, third = (me + 2) % n, first = (me + n - 2) % n, where = (me + n - 1) % n;
    static const enum way ways[] = {ALL, EVENT, IMAGES, LOCK, MEMORY};
    const enum way way = ways[round / 2 % (sizeof ways / sizeof *ways)];
    if (way == LOCK)
        ok(caf_lock(third, &locks[me], NULL));
    segment(seed + round, me, third, copies[third], true);
    segment(seed + round, me, pe, copies[pe], true);
    ok(caf_sync_memory());
    put_first(round, 8, me, third, copies[third], true); /* small: in order with the signal, unlike the next put */
    put_first(round, PART, me, pe, copies[pe], true);
    if (way == LOCK)
        caf_put_bytes(third, &said[me], &turn, sizeof turn);
    order(way, third, first, turn);
    caf_get_bytes(first, copy, copies[where], PART);
    caf_get_bytes(where, got, parts + (size_t)first * PART, PART);
    compare(got, copy, PART, 0, where, "a third image");
    segment(seed + round, first, me, seen[first], false);
    put_first(round, 8, first, me, seen[first], false);
    segment(seed + round, where, me, seen[where], false);
    put_first(round, PART, where, me, seen[where], false);
    compare(parts + (size_t)first * PART, seen[first], PART, 0, first, "the third image itself");
    ok(caf_sync_all());
}

/* An image's puts to a third image are visible to an image that has synchronized with both, although the third image
 * itself makes no request. */
static void met_by_all(uint64_t round)
{
    char want[64], got[64];
    const int pe = (me + 2) % n, first = (me + n - 2) % n;
    const int other = (me ^ 1) < n ? me ^ 1 : me, where = (other + 2) % n;
    put_first(round, sizeof want, me, pe, copies[pe], true);
    ok(caf_sync_all());
    fill(want, sizeof want, round << 16 ^ (uint64_t)other << 8 ^ (uint64_t)where);
    caf_get_bytes(where, got, parts + (size_t)other * PART, sizeof got);
    compare(got, want, sizeof got, 0, where, "a third image's little put");
    put_first(round, sizeof want, first, me, seen[first], false);
    ok(caf_sync_all());
}

/* Posts made before a statement of all images have arrived when it ends. */
static void posts(uint64_t round, uint64_t turn)
{
    int64_t count = -1;
    for (int pe = 0; pe < n; pe++)
        ok(caf_event_post(pe, counted));
    if (round / 4 % 2) {
        ok(caf_sync_all());
    } else {
        ok(caf_sync_memory());
        for (int pe = 0; pe < n; pe++)
            say(pe, turn);
        for (int pe = 0; pe < n; pe++)
            await_said(pe, turn);
        ok(caf_sync_memory());
    }
    ok(caf_event_query(me, counted, &count));
    CHECK(count == n, "round %d: %lld of %d posts have arrived", (int)round, (long long)count, n);
    ok(caf_event_wait(counted, n));
    ok(caf_sync_all());
}

/* An image posts or puts to the next image, then posts to the one after that: which must see the first post or put. */
static void posts_by_a_third(uint64_t round)
{
    char want[64], got[64];
    int64_t count = -1;
    const int pe = (me + 1) % n, third = (me + 2) % n, where = (me + n - 1) % n;
    ok(caf_event_post(pe, counted));
    ok(caf_event_post(third, events));
    ok(caf_event_wait(events, 1));
    ok(caf_event_query(where, counted, &count));
    CHECK(count == 1, "%lld posts have arrived at PE %d before a third image's, not 1", (long long)count, where);
    ok(caf_sync_all());
    ok(caf_event_wait(counted, 1));
    put_first(round, sizeof want, me, pe, copies[pe], true); /* it may be held for the next synchronization */
    ok(caf_event_post(third, events));
    ok(caf_event_wait(events, 1));
    fill(want, sizeof want, round << 16 ^ (uint64_t)((me + n - 2) % n) << 8 ^ (uint64_t)where);
    caf_get_bytes(where, got, parts + (size_t)((me + n - 2) % n) * PART, sizeof got);
    compare(got, want, sizeof got, 0, where, "a put before a post");
    put_first(round, sizeof want, where, me, seen[where], false);
    ok(caf_sync_all());
}

/* Short-lived coarrays: puts begin immediately after the allocation and end just before the deallocation; the next
 * coarray reuses the memory. */
static void allocated(uint64_t round)
{
    static char data[PART];
    struct caf_coarray *c;
    const int pe = (int)((uint64_t)(me + 1) + round % (uint64_t)(n - 1)) % n;
    const size_t bytes = 1 + round * 997 % PART;
    fill(data, bytes, round);
    ok(caf_allocate(bytes, true, &c));
    caf_put_bytes(pe, c->base, data, bytes);
    ok(caf_sync_all());
    compare(c->base, data, bytes, 0, me, "allocate");
    caf_put_bytes(pe, c->base, data, bytes);
    ok(caf_deallocate(c));
    memset(data, 0, bytes);
    ok(caf_allocate(bytes, true, &c));
    ok(caf_sync_all());
    compare(c->base, data, bytes, 0, me, "deallocate");
    ok(caf_deallocate(c));
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 60;
    const uint64_t seed = argc > 2 ? (uint64_t)atol(argv[2]) << 20 : 1 << 20;
    uint64_t turn = 0;
    start();
    me--; /* from 0, as PEs */
    parts = coarray((size_t)n * PART);
    copies = coarray((size_t)n * PART);
    seen = calloc((size_t)n, PART);
    events = coarray(8);
    counted = coarray(8);
    locks = coarray((size_t)n * 8);
    said = coarray((size_t)n * 8);
    ok(caf_form_team(1, NULL, &team));
    for (uint64_t round = 1; round <= (uint64_t)rounds && !check_failures; round++) {
        in_a_ring((enum way)(round % WAYS), round, seed, ++turn);
        if (n > 2 && round % 2)
            by_a_third(round, seed, ++turn);
        if (n > 2)
            posts_by_a_third(round);
        if (n > 2)
            met_by_all(round);
        if (round % 4 == 0)
            posts(round, ++turn);
        if (round % 5 == 0)
            allocated(round);
    }
    if (check_failures)
        caf_error_stop(1);
    free(seen);
    caf_stop(check_result());
}
