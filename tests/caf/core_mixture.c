/* images: 1 2 3 4 6 */
/* Statements in random mixtures, checked against a model of all memory.
 *
 *     core_mixture [ROUNDS [SEED]]
 *
 * All images draw the same random numbers, so each knows the actions of all images, in one possible order. Each block
 * of each image's coarray has one owner at a time, which may be any image; only the owner accesses the block. If a
 * statement orders an image after the owner, that image may take over its blocks. The result of each access is
 * therefore known. */
#include "core.h"
#include "random.h"

#include <string.h>

/* A block is larger than a put that the network keeps in order with others. */
enum { BLOCKS = 8, BLOCK = 6 << 10, PART = BLOCKS * BLOCK, MOST = 64 };

static uint64_t rng, round_now;
static char *part;               /* the coarray */
static char (*model)[PART];      /* the expected contents, for each image */
static int (*owner)[BLOCKS];     /* for each image */
static int64_t *events, *noted;  /* one for each posting image; no image waits for those in noted */
static int64_t posted[MOST][MOST]; /* to each image, by each image: the posts in noted */
static uint64_t *flags;          /* one for each image that sets it: the last turn in which it has */
/* On each image a lock, and the data that it protects: a number, and a record that depends on the number. */
static uint64_t *locks, *counter;
static char *record;
static uint64_t counted[MOST];
static caf_team_name team;
static int favoured = -1;        /* in some rounds most statements are about one image, from 0 */

#undef ok
#define ok(STATUS) CHECK((STATUS) == CAF_OK, "round %d: %s", (int)round_now, caf_message())

static int below(int limit)
{
    return (int)(next(&rng) % (uint64_t)limit);
}

static void compare(const char *is, const char *want, size_t bytes, const char *what, int pe, size_t from)
{
    size_t i = 0;
    while (i < bytes && is[i] == want[i])
        i++;
    CHECK(i == bytes, "round %d, %s: byte %zu of PE %d is %d, not %d; %zu bytes from %zu on", (int)round_now, what,
          from + i, pe, is[i], want[i], bytes, from);
}

static int any_image(int chance)
{
    return favoured >= 0 && below(chance) ? favoured : below(n);
}

/* --- accesses ----------------------------------------------------------------------------------------------------- */

/* Consecutive bytes on one image, all with the same owner. */
struct range {
    int pe;
    size_t from, bytes;
};

static bool range_of(int whose, struct range *r)
{
    const int pe = any_image(8), first = below(BLOCKS);
    int end = first;
    while (end < BLOCKS && owner[pe][end] == whose)
        end++;
    static const int limits[] = {1, 8, 40, 300, 5000, PART};
    const int most = limits[below(6)], room = (end - first) * BLOCK;
    const int bytes = below((room < most ? room : most) + 1), at = below(room - bytes + 1);
    *r = (struct range){pe, (size_t)(first * BLOCK + at), (size_t)bytes};
    return room > 0;
}

static struct caf_section section_of(char *base, size_t count, ptrdiff_t step, size_t size, int rank)
{
    return (struct caf_section){.base = base, .type = CAF_DERIVED, .size = size, .rank = rank,
                                .dim = {{.count = count, .step = step}}};
}

static void put(int whose, const struct range *r)
{
    static char data[PART];
    fill(data, r->bytes, next(&rng));
    memcpy(model[r->pe] + r->from, data, r->bytes);
    if (whose == me) {
        caf_put_bytes(r->pe, part + r->from, data, r->bytes);
        memset(data, 0x55, r->bytes);
    }
}

/* Puts elements of several bytes with gaps, from as many local elements or from one. */
static void put_section(int whose, const struct range *r)
{
    static char data[PART];
    const size_t size = 1 + (size_t)below(24), step = size + (size_t)below(20);
    const size_t count = r->bytes < size ? 0 : (r->bytes - size) / step + 1;
    const bool is_scalar = below(3) == 0, is_backwards = below(3) == 0;
    const size_t last = count ? (count - 1) * step : 0, start = r->from + (is_backwards ? last : 0);
    const ptrdiff_t go = is_backwards ? -(ptrdiff_t)step : (ptrdiff_t)step;
    fill(data, is_scalar ? size : count * size, next(&rng));
    for (size_t i = 0; i < count; i++)
        memcpy(model[r->pe] + start + (ptrdiff_t)i * go, data + (is_scalar ? 0 : i * size), size);
    if (whose != me)
        return;
    const struct caf_section to = section_of(part + start, count, go, size, 1);
    const struct caf_section from = section_of(data, count, (ptrdiff_t)size, size, is_scalar ? 0 : 1);
    caf_put(r->pe, &to, &from);
    memset(data, 0x55, sizeof data);
}

static void get(int whose, const struct range *r)
{
    static char data[PART];
    if (whose != me)
        return;
    caf_get_bytes(r->pe, data, part + r->from, r->bytes);
    compare(data, model[r->pe] + r->from, r->bytes, "a get", r->pe, r->from);
}

static void get_section(int whose, const struct range *r)
{
    static char data[PART];
    const size_t size = 1 + (size_t)below(24), step = size + (size_t)below(20);
    const size_t count = r->bytes < size ? 0 : (r->bytes - size) / step + 1;
    if (whose != me)
        return;
    const struct caf_section from = section_of(part + r->from, count, (ptrdiff_t)step, size, 1);
    const struct caf_section to = section_of(data, count, (ptrdiff_t)size, size, 1);
    caf_get(r->pe, &to, &from);
    for (size_t i = 0; i < count; i++)
        compare(data + i * size, model[r->pe] + r->from + i * step, size, "a get of a section", r->pe,
                r->from + i * step);
}

/* An image copies from a second image's memory to a third image's. */
static void pass_on(int whose, const struct range *r)
{
    struct range from;
    if (!range_of(whose, &from))
        return;
    const size_t bytes = from.bytes < r->bytes ? from.bytes : r->bytes;
    char copy[PART];
    memcpy(copy, model[from.pe] + from.from, bytes);
    memcpy(model[r->pe] + r->from, copy, bytes);
    if (whose != me)
        return;
    const struct caf_section there = section_of(part + r->from, bytes, 1, 1, 1);
    const struct caf_section here = section_of(part + from.from, bytes, 1, 1, 1);
    caf_put_get(r->pe, &there, from.pe, &here);
}

static void atomic(int whose, const struct range *r)
{
    const int bytes = 1 << below(4), op = below(4);
    const size_t at = (r->from + (size_t)bytes - 1) / (size_t)bytes * (size_t)bytes;
    uint64_t value = next(&rng), is = 0, old = 0, other = next(&rng);
    if (at + (size_t)bytes > r->from + r->bytes)
        return;
    char *word = model[r->pe] + at;
    memcpy(&is, word, (size_t)bytes);
    const uint64_t was = is;
    uint64_t new = op == 0 ? is : op == 1 ? value : is + value;
    const bool is_old = op == 2, swaps = op == 3;
    if (swaps) {
        other = below(2) ? is : other;
        new = memcmp(&other, &is, (size_t)bytes) == 0 ? value : is;
    }
    memcpy(word, &new, (size_t)bytes);
    if (whose != me)
        return;
    if (op == 0)
        ok(caf_atomic_ref(r->pe, part + at, bytes, &old));
    else if (op == 1)
        ok(caf_atomic_define(r->pe, part + at, bytes, &value));
    else if (is_old)
        ok(caf_atomic_op(r->pe, part + at, bytes, CAF_ADD, &value, other % 2 ? &old : NULL));
    else
        ok(caf_atomic_cas(r->pe, part + at, bytes, &other, &value, &old));
    if (op == 0 || swaps || (is_old && other % 2))
        compare((char *)&old, (const char *)&was, (size_t)bytes, "an atomic", r->pe, at);
}

/* Loads and stores, like a program's statements without an image index. */
static void touch(int whose, const struct range *r)
{
    const uint64_t state = next(&rng);
    if (r->pe != whose)
        return;
    if (whose == me) {
        compare(part + r->from, model[me] + r->from, r->bytes, "a load", me, r->from);
        fill(part + r->from, r->bytes, state);
    }
    fill(model[r->pe] + r->from, r->bytes, state);
}

/* A few bytes of a range. */
static struct range part_of(const struct range *r)
{
    const int bytes = below(r->bytes < 40 ? (int)r->bytes + 1 : 40), at = below((int)r->bytes - bytes + 1);
    return (struct range){r->pe, r->from + (size_t)at, (size_t)bytes};
}

/* Some accesses are to the range of the access before, or to a part of it. */
static void burst(int whose)
{
    typedef void access(int whose, const struct range *r);
    static access *const mixed[] = {put, put, put_section, get, get_section, pass_on, atomic, touch};
    const int count = 1 + below(6), only_puts = below(3);
    struct range r = {0};
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (!any || below(2))
            any = range_of(whose, &r);
        if (!any)
            continue;
        const struct range chosen = below(3) ? r : part_of(&r);
        (only_puts && i + 1 < count ? put : mixed[below(8)])(whose, &chosen);
    }
}

/* Some of the images make accesses. */
static void bursts(void)
{
    for (int pe = 0; pe < n; pe++)
        if (below(2))
            burst(pe);
}

/* --- the order of images ------------------------------------------------------------------------------------------ */

/* ordered[a][b]: the last statement has ordered image b after image a. */
static bool ordered[MOST][MOST];

/* Passes some blocks of each image to images that are ordered after it and may access the blocks immediately. */
static void hand_over(void)
{
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i < BLOCKS; i++) {
            const bool *may_take = ordered[owner[pe][i]];
            const int what = below(16);
            int taker = below(n);
            for (int k = 0; k < n && !may_take[taker]; k++)
                taker = (taker + 1) % n;
            if (what > 7 || !may_take[taker])
                continue;
            owner[pe][i] = taker;
            if (what < 4)
                get(taker, &(struct range){pe, (size_t)i * BLOCK, (size_t)below(BLOCK + 1)});
        }
    memset(ordered, false, sizeof ordered);
}

static void hand_over_to(int from, int to)
{
    ordered[from][to] = true;
    hand_over();
}

static void hand_over_to_all(void)
{
    memset(ordered, true, sizeof ordered);
    hand_over();
}

/* The posts of an image that are ordered before this have arrived. */
static void check_posts(int pe, int from)
{
    int64_t is = 0;
    ok(caf_event_query(pe, &noted[from], &is));
    CHECK(is >= posted[pe][from], "round %d: %d of %d posts of PE %d to PE %d have arrived", (int)round_now, (int)is,
          (int)posted[pe][from], from, pe);
}

/* The image that receives the event also finds earlier posts to a third image. */
static void post(void)
{
    const int from = below(n), to = any_image(2), third = any_image(2);
    const int64_t count = 1 + below(2);
    for (int64_t i = 0; i < count; i++) {
        burst(from);
        posted[third][from]++;
        if (from == me) {
            ok(caf_event_post(third, &noted[from]));
            ok(caf_event_post(to, &events[from]));
        }
    }
    if (to == me) {
        ok(caf_event_wait(&events[from], count));
        check_posts(third, from);
    }
    hand_over_to(from, to);
}

static void set_flag(void)
{
    static uint64_t turn;
    const int from = below(n), to = any_image(2);
    turn++;
    burst(from);
    if (from == me) {
        ok(caf_sync_memory());
        ok(caf_atomic_define(to, &flags[from], 8, &turn));
    }
    if (to == me) {
        shmem_uint64_wait_until(&flags[from], SHMEM_CMP_GE, turn);
        ok(caf_sync_memory());
    }
    hand_over_to(from, to);
}

static void meet_one(void)
{
    const int one = below(n), other = any_image(2), images[] = {other + 1, one + 1};
    if (one == me || other == me)
        ok(caf_sync_images(1, &images[one != me]));
    ordered[one][other] = ordered[other][one] = true;
    hand_over();
}

/* Each image has its own list, which may be empty, and may contain the image itself. */
static void meet_some(void)
{
    const int share = 1 + below(4), first = below(n);
    int images[MOST], count = 0;
    for (int one = 0; one < n; one++)
        for (int other = one; other < n; other++)
            ordered[one][other] = ordered[other][one] = below(4) < share;
    for (int k = 0; k < n; k++)
        if (ordered[me][(first + k) % n])
            images[count++] = (first + k) % n + 1;
    ok(caf_sync_images(count, images));
    hand_over();
}

static void allocate(void)
{
    struct caf_coarray *c, *ahead;
    char data[3000];
    const size_t bytes = 1 + (size_t)below(sizeof data);
    const uint64_t state = next(&rng);
    ok(caf_allocate(bytes, true, &c));
    hand_over_to_all();
    fill(data, bytes, state + (uint64_t)me);
    bursts();
    caf_put_bytes((me + 1) % n, c->base, data, bytes);
    ahead = caf_allocate_ahead(bytes, true);
    ok(caf_sync_allocated());
    fill(data, bytes, state + (uint64_t)((me + n - 1) % n));
    compare(c->base, data, bytes, "a new coarray", me, 0);
    caf_put_bytes((me + 1) % n, ahead->base, data, bytes);
    ok(caf_deallocate(ahead));
    ok(caf_deallocate(c));
    hand_over_to_all();
}

static void collect(void)
{
    int64_t sum = me + 1, root = below(n), many[50];
    struct caf_section s = section_of((char *)&sum, 1, 8, 8, 0);
    s.type = CAF_INTEGER;
    s.kind = 8;
    ok(caf_co_reduce_intrinsic(CAF_CO_SUM, &s, 0));
    CHECK(sum == (int64_t)n * (n + 1) / 2, "round %d: co_sum is %d", (int)round_now, (int)sum);
    burst((int)root);
    for (int i = 0; i < 50; i++)
        many[i] = me == root ? i + root : -1;
    s = section_of((char *)many, 50, 8, 8, 1);
    ok(caf_co_broadcast(&s, (int)root + 1));
    for (int i = 0; i < 50; i++)
        CHECK(many[i] == i + root, "round %d: co_broadcast of %d is %d", (int)round_now, i, (int)many[i]);
}

static void meet_all(void)
{
    switch (below(4)) {
    case 0: ok(caf_sync_images(-1, NULL)); break;
    case 1: ok(caf_sync_team(caf_get_team(CAF_INITIAL_TEAM))); break;
    default: ok(caf_sync_all()); break;
    }
    if (below(3) == 0) {
        compare(part, model[me], PART, "its own part", me, 0);
        CHECK(*counter == counted[me], "round %d: the counter is %llu, not %llu", (int)round_now,
              (unsigned long long)*counter, (unsigned long long)counted[me]);
        for (int pe = 0; pe < n; pe++)
            check_posts(me, pe);
        ok(caf_sync_all());
    }
    hand_over_to_all();
}

static int team_of(int pe, int teams, int shift, int width)
{
    return (pe + shift) / width % teams;
}

static void hand_over_in_teams(int teams, int shift, int width)
{
    for (int pe = 0; pe < n; pe++)
        for (int other = 0; other < n; other++)
            ordered[pe][other] = team_of(pe, teams, shift, width) == team_of(other, teams, shift, width);
    hand_over();
}

static void change_teams(void)
{
    const int teams = 1 + below(3), shift = below(n), width = 1 + below(n), mine = team_of(me, teams, shift, width);
    const bool meets_all = below(3) == 0;
    int from_behind = 0;
    const uint64_t state = next(&rng);
    struct caf_coarray *c = NULL;
    char data[500];
    const size_t bytes = 1 + (size_t)below(sizeof data);
    for (int pe = me; pe < n; pe++)
        from_behind += team_of(pe, teams, shift, width) == mine;
    ok(caf_form_team(1 + mine, below(2) ? &from_behind : NULL, &team));
    hand_over_to_all();
    bursts();
    ok(caf_change_team(caf_team_named(team)));
    hand_over_in_teams(teams, shift, width);
    bursts();
    const int size = caf_num_images(NULL), here = caf_this_image(NULL), right = here % size + 1;
    const int left = (here + size - 2) % size + 1;
    ok(caf_allocate(bytes, false, &c));
    fill(data, bytes, state + (uint64_t)me);
    caf_put_bytes(caf_pe(NULL, right), c->base, data, bytes);
    if (meets_all) {
        ok(caf_sync_team(caf_get_team(CAF_INITIAL_TEAM)));
        hand_over_to_all();
        bursts();
    } else {
        ok(caf_sync_images(size > 2 ? 2 : 1, (int[]){left, right}));
    }
    for (int turns = below(4); turns > 0; turns--) {
        ok(caf_sync_all());
        hand_over_in_teams(teams, shift, width);
        bursts();
    }
    fill(data, bytes, state + (uint64_t)caf_pe(NULL, left));
    compare(c->base, data, bytes, "a team's coarray", me, 0);
    ok(caf_end_team());
    hand_over_in_teams(teams, shift, width);
}

/* Increments the counter on an image, and writes the record that belongs to it. This image has the lock. */
static void count_once(int home)
{
    static char is[BLOCK], want[BLOCK];
    uint64_t value;
    caf_get_bytes(home, &value, counter, sizeof value);
    size_t bytes = value * 997 % BLOCK;
    fill(want, bytes, value);
    caf_get_bytes(home, is, record, bytes);
    compare(is, want, bytes, "a record under a lock", home, 0);
    value++;
    bytes = value * 997 % BLOCK;
    fill(want, bytes, value);
    caf_put_bytes(home, record, want, bytes);
    caf_put_bytes(home, counter, &value, sizeof value);
}

/* Each of some images increments a counter on another image, under its lock. */
static void count(void)
{
    const int home = any_image(2), turns = 1 + below(6);
    const bool tries = below(4) == 0;
    for (int pe = 0; pe < n; pe++) {
        if (below(2))
            burst(pe);
        if (below(3) == 0)
            continue;
        counted[home] += (uint64_t)turns;
        for (int i = 0; i < turns && pe == me; i++) {
            for (bool has = false; !has;) {
                ok(caf_lock(home, locks, tries ? &has : NULL));
                has |= !tries;
            }
            count_once(home);
            ok(caf_unlock(home, locks));
        }
    }
}

static void step(void)
{
    if (below(6) == 0)
        favoured = below(3) ? below(n) : -1;
    switch (below(14)) {
    case 0: post(); break;
    case 1: meet_one(); break;
    case 2: meet_some(); break;
    case 3: allocate(); break;
    case 4: collect(); break;
    case 5: change_teams(); break;
    case 6: count(); break;
    case 7: ok(caf_sync_memory()); break;
    case 8: set_flag(); break;
    case 9: case 10: case 11: meet_all(); break;
    default: break;
    }
    bursts();
}

int main(int argc, char **argv)
{
    const long rounds = argc > 1 ? atol(argv[1]) : 300;
    start();
    rng = argc > 2 ? (uint64_t)atol(argv[2]) << 20 : 1 << 20;
    me--; /* counts from 0, like PEs */
    part = coarray(PART);
    events = coarray((size_t)n * 8);
    noted = coarray((size_t)n * 8);
    flags = coarray((size_t)n * 8);
    locks = coarray(8);
    counter = coarray(8);
    record = coarray(BLOCK);
    model = calloc((size_t)n, sizeof *model);
    owner = calloc((size_t)n, sizeof *owner);
    hand_over_to_all();
    for (round_now = 1; round_now <= (uint64_t)rounds && !check_failures; round_now++)
        step();
    if (check_failures)
        caf_error_stop(1);
    ok(caf_sync_all());
    compare(part, model[me], PART, "in the end", me, 0);
    free(model);
    free(owner);
    caf_stop(check_result());
}
