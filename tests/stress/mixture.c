/* Random steps on random teams and contexts, with known results. Each step has the least synchronization that the
 * specification requires: a flag after a fence, an atomic after a quiet, a signal, a sync, a flag that a third PE
 * passes on, or a lock. A quiet of one PE, the end of a context, a barrier and an allocation also complete operations.
 * A transfer ends up to four steps after its begin, so that steps of several teams overlap. Sizes are below and above
 * those at which the library changes its protocol (SHMEM_NET_TUNE).
 *
 * usage: mixture [CYCLES [SEED]] */
/* pes: 1 2 3 5 8 */
#include <shmem.h>

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>

#include "../check.h"
#include "../random.h"

enum { STEPS = 24, WORDS = 34000, FEW = 40, TEAMS = 6, CTXS = 6, MAX_PES = 8 };
enum act { PUT, LOCK, SUM, FCOLLECT, SPLIT, ACTS };
enum way { FLAG, ATOMIC, SIGNAL, SYNC, PASSED, WITH_SIGNAL, WAYS };
enum meeting { TEAM_SYNC, BARRIER, ALLOCATION, MEETINGS };

/* The symmetric memory of a step: no other step of the cycle uses it. */
struct slot {
    long data[WORDS], source[WORDS], lock;
    uint64_t signals[MAX_PES];
    int flags[2];
};

struct step {
    int number, end, team, n, to, from, passer, passed_to, ctx, words;
    long *source;
    enum act act;
    enum way way;
    enum meeting meeting; /* of all PEs */
};

static struct slot *slots;
static long buffer[STEPS][WORDS], fetched[STEPS][FEW];
static struct team { shmem_team_t handle; int n, i, pes[MAX_PES]; } teams[TEAMS];
static struct ctx { shmem_ctx_t handle; int team; bool lives; } ctxs[CTXS];
static struct step pending[STEPS];
static int me, n_pes, n_pending;
static uint64_t seed, own; /* states of the random numbers that all PEs have, and that only this PE has */

static int below(uint64_t *state, int n)
{
    return (int)(next(state) % (uint64_t)n);
}

static long value(int step, int pe, int i)
{
    uint64_t state = seed ^ (uint64_t)step << 20 ^ (uint64_t)pe << 40 ^ (uint64_t)i;
    return (long)(next(&state) >> 8);
}

static void expect(const char *what, const struct step *s, const long *got, int pe, int n)
{
    for (int i = 0; i < n; i++)
        CHECK(got[i] == value(s->number, pe, i), "step %d, %s, way %d: PE %d's word %d is %ld", s->number, what,
              (int)s->way, pe, i, got[i]);
    if (check_failures)
        shmem_global_exit(1);
}

static int number_on(int c, int pe)
{
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, teams[ctxs[c].team].handle);
}

/* A context whose team has this PE. */
static int any_ctx(int pe)
{
    int c;
    do
        c = below(&own, CTXS);
    while (!ctxs[c].lives || number_on(c, pe) < 0);
    return c;
}

/* The end of a context completes its operations. */
static void end_ctx(int c)
{
    shmem_ctx_destroy(ctxs[c].handle);
    ctxs[c].lives = false;
    for (int k = 0; k < n_pending; k++)
        if (pending[k].ctx == c)
            pending[k].ctx = 0;
}

static void change_ctx(void)
{
    const int c = 1 + below(&own, CTXS - 1), t = below(&own, TEAMS);
    if (ctxs[c].lives) {
        end_ctx(c);
    } else if (teams[t].handle != SHMEM_TEAM_INVALID) {
        const long options = (long[]){0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED}[below(&own, 3)];
        ctxs[c].team = t;
        ctxs[c].lives = shmem_team_create_ctx(teams[t].handle, options, &ctxs[c].handle) == 0;
    }
}

static void wait_flag(int *flag)
{
    size_t index;
    switch (below(&own, 5)) {
    case 0: shmem_wait_until(flag, SHMEM_CMP_NE, 0); break;
    case 1: shmem_wait_until_any(flag, 1, NULL, SHMEM_CMP_GE, 1); break;
    case 2: shmem_wait_until_some(flag, 1, &index, NULL, SHMEM_CMP_EQ, 1); break;
    case 3:
        while (!shmem_test(flag, SHMEM_CMP_EQ, 1))
            ;
        break;
    case 4:
        while (!shmem_atomic_fetch(flag, me))
            sched_yield();
        break;
    }
}

static void set_flag(shmem_ctx_t ctx, int *flag, int to)
{
    static const int one = 1;
    switch (below(&own, 6)) {
    case 0: shmem_p(ctx, flag, 1, to); break;
    case 1: shmem_put(ctx, flag, &one, 1, to); break;
    case 2: shmem_put_nbi(ctx, flag, &one, 1, to); break;
    case 3: shmem_atomic_set(ctx, flag, 1, to); break;
    case 4: shmem_atomic_inc(ctx, flag, to); break;
    case 5: (void)shmem_atomic_fetch_add(ctx, flag, 1, to); break;
    }
}

/* The first words by atomics and by single puts, the rest by one put. A fence does not order atomics that fetch. */
static void put_words(const struct step *s, long *data, shmem_ctx_t ctx, int to)
{
    const bool is_fenced = s->way == FLAG || s->way == SIGNAL;
    const int few = s->words < FEW ? s->words : FEW;
    for (int i = 0; i < few; i++)
        if (i % 3 == 0)
            shmem_p(ctx, &data[i], s->source[i], to);
        else if (i % 3 == 1 || is_fenced)
            shmem_atomic_set(ctx, &data[i], s->source[i], to);
        else
            shmem_atomic_swap_nbi(ctx, &fetched[s->number][i], &data[i], s->source[i], to);
    shmem_put_nbi(ctx, data + few, s->source + few, (size_t)(s->words - few), to);
}

static void begin_put(struct step *s)
{
    struct slot *slot = &slots[s->number];
    long *from = below(&own, 2) ? buffer[s->number] : slot->source, *direct = shmem_ptr(slot->data, s->to);
    const shmem_ctx_t ctx = ctxs[s->ctx = any_ctx(s->to)].handle;
    const int to = number_on(s->ctx, s->to), op = below(&own, 2) ? SHMEM_SIGNAL_SET : SHMEM_SIGNAL_ADD;
    const size_t n = (size_t)s->words, quarter = n / 4;
    s->source = from;
    for (int i = 0; i < s->words; i++)
        from[i] = value(s->number, me, i);
    const int how = s->way == WITH_SIGNAL ? below(&own, 2) : 2 + below(&own, direct ? 6 : 5);
    switch (how) {
    case 0: shmem_put_signal_nbi(ctx, slot->data, from, n, &slot->signals[me], 1, op, to); break;
    case 1: shmem_put_signal(ctx, slot->data, from, n, &slot->signals[me], 1, op, to); break;
    case 2: shmem_put_nbi(ctx, slot->data, from, n, to); break;
    case 3: put_words(s, slot->data, ctx, to); break;
    case 4: shmem_put(ctx, slot->data, from, n, to); break;
    case 5: /* every second block, twice, and the rest */
        for (size_t i = 0; i < 2 && quarter; i++)
            shmem_ibput(ctx, slot->data + i * quarter, from + i * quarter, 2 * (ptrdiff_t)quarter,
                        2 * (ptrdiff_t)quarter, quarter, 2, to);
        shmem_put(ctx, slot->data + 4 * quarter, from + 4 * quarter, n - 4 * quarter, to);
        break;
    case 6:
        shmem_iput(ctx, slot->data, from, 2, 2, (n + 1) / 2, to);
        shmem_iput(ctx, slot->data + 1, from + 1, 2, 2, n / 2, to);
        break;
    case 7:
        memcpy(direct, from, n * sizeof *from);
        s->ctx = 0;
        break;
    }
    if (how == 1 || how > 3) /* blocking: the source may be reused */
        memset(from, 0x55, n * sizeof *from);
}

static void complete(const struct step *s)
{
    const int to = number_on(s->ctx, s->to), how = below(&own, 4);
    if (how == 0)
        shmem_ctx_pe_quiet(ctxs[s->ctx].handle, &to, 1);
    else if (how == 1 && s->ctx)
        end_ctx(s->ctx);
    else
        shmem_ctx_quiet(ctxs[s->ctx].handle);
    memset(s->source, 0x55, (size_t)s->words * sizeof *s->source);
}

/* A barrier of all PEs completes the operations on all contexts, and an allocation is a barrier. */
static void meet(const struct step *s)
{
    switch (s->meeting) {
    case BARRIER: shmem_barrier_all(); break;
    case ALLOCATION: shmem_free(shmem_malloc(8)); break;
    default: shmem_team_sync(teams[s->team].handle); break;
    }
}

static void end_put(const struct step *s)
{
    struct slot *slot = &slots[s->number];
    const shmem_ctx_t ctx = ctxs[s->ctx].handle;
    const int to = number_on(s->ctx, s->to);
    if (s->way == FLAG || s->way == SIGNAL)
        shmem_ctx_fence(ctx);
    else if (s->way != WITH_SIGNAL && (s->way != SYNC || s->meeting == TEAM_SYNC))
        complete(s);
    switch (s->way) {
    case FLAG: set_flag(ctx, &slot->flags[0], to); break;
    case ATOMIC: shmem_atomic_inc(&slot->flags[0], s->to); break;
    case SIGNAL: shmem_ctx_signal_add(ctx, &slot->signals[me], 1, to); break;
    case SYNC: meet(s); break;
    case PASSED:
        shmem_p(&slot->flags[0], 1, s->passer);
        wait_flag(&slot->flags[0]);
        shmem_p(&slot->flags[1], 1, s->passed_to);
        break;
    default: break;
    }
    if (s->way == SIGNAL || s->way == WITH_SIGNAL)
        shmem_signal_wait_until(&slot->signals[s->from], SHMEM_CMP_EQ, 1);
    else if (s->way != SYNC)
        wait_flag(&slot->flags[s->way == PASSED]);
    expect("put", s, slot->data, s->from, s->words);
}

/* Each holder of the lock adds one to all words of a record. */
static void begin_lock(struct step *s)
{
    struct slot *slot = &slots[s->number];
    if (below(&own, 2))
        shmem_set_lock(&slot->lock);
    else
        while (shmem_test_lock(&slot->lock))
            ;
    const int home = teams[s->team].pes[0];
    long *record = buffer[s->number];
    shmem_get(record, slot->data, (size_t)s->words, home);
    const long is = record[0];
    for (int i = 0; i < s->words; i++) {
        CHECK(record[i] == is, "step %d: word %d of the record is %ld, not %ld", s->number, i, record[i], is);
        record[i] = is + 1;
    }
    if (below(&own, 2))
        shmem_put(slot->data, record, (size_t)s->words, home);
    else
        shmem_put_nbi(slot->data, record, (size_t)s->words, home);
    shmem_clear_lock(&slot->lock);
}

static void end_lock(const struct step *s)
{
    shmem_team_sync(teams[s->team].handle);
    for (int i = 0; i < s->words && teams[s->team].i == 0; i++)
        CHECK(slots[s->number].data[i] == s->n, "step %d: %ld PEs had the lock, not %d, says word %d", s->number,
              slots[s->number].data[i], s->n, i);
}

static void collective(const struct step *s)
{
    struct slot *slot = &slots[s->number];
    const struct team *team = &teams[s->team];
    const int each = s->words / s->n;
    for (int i = 0; i < s->words; i++)
        slot->source[i] = value(s->number, me, i);
    if (s->act == FCOLLECT) {
        shmem_fcollect(team->handle, slot->data, slot->source, (size_t)each);
        for (int m = 0; m < s->n; m++)
            expect("fcollect", s, slot->data + m * each, team->pes[m], each);
        return;
    }
    shmem_sum_reduce(team->handle, slot->data, slot->source, (size_t)s->words);
    for (int i = 0; i < s->words; i++) {
        long sum = 0;
        for (int m = 0; m < s->n; m++)
            sum += value(s->number, team->pes[m], i);
        CHECK(slot->data[i] == sum, "step %d: sum %d is %ld, not %ld", s->number, i, slot->data[i], sum);
    }
}

static void look_at(struct team *team)
{
    team->n = shmem_team_n_pes(team->handle);
    team->i = shmem_team_my_pe(team->handle);
    for (int k = 0; k < team->n; k++)
        team->pes[k] = shmem_team_translate_pe(team->handle, k, SHMEM_TEAM_WORLD);
}

/* Ends the transfers whose time has come, in the same order on all members. */
static void end_until(int now)
{
    int left = 0;
    for (int k = 0; k < n_pending; k++)
        if (pending[k].end > now)
            pending[left++] = pending[k];
        else if (pending[k].act == PUT)
            end_put(&pending[k]);
        else
            end_lock(&pending[k]);
    n_pending = left;
}

/* Replaces a team by a part of another one, in the same way on all PEs. */
static void split(uint64_t *rng)
{
    const int t = 1 + below(rng, TEAMS - 1), way = below(rng, 2), a = below(rng, n_pes), b = below(rng, n_pes);
    const struct team *parent = &teams[below(rng, TEAMS)];
    end_until(INT_MAX);
    for (int c = 1; c < CTXS; c++)
        if (ctxs[c].lives && ctxs[c].team == t)
            end_ctx(c);
    const shmem_team_t old = teams[t].handle, from = parent->handle;
    teams[t].handle = SHMEM_TEAM_INVALID;
    if (old != SHMEM_TEAM_INVALID)
        shmem_team_destroy(old);
    if (parent == &teams[t] || from == SHMEM_TEAM_INVALID)
        return;
    shmem_team_t other;
    if (way == 0) {
        shmem_team_split_2d(from, 1 + a % parent->n, NULL, 0, &teams[t].handle, NULL, 0, &other);
        shmem_team_destroy(other);
    } else {
        shmem_team_split_strided(from, a % parent->n, 1, 1 + b % (parent->n - a % parent->n), NULL, 0,
                                 &teams[t].handle);
    }
    if (teams[t].handle != SHMEM_TEAM_INVALID)
        look_at(&teams[t]);
}

static void play(struct step *s, uint64_t rng)
{
    static const int limits[] = {1, 8, 8, 100, 600, 600, 5000, WORDS};
    s->act = (enum act)(below(&rng, 2) ? PUT : below(&rng, ACTS));
    s->way = (enum way)below(&rng, WAYS);
    s->end = s->number + below(&rng, 5);
    s->team = below(&rng, TEAMS);
    s->words = 1 + below(&rng, limits[below(&rng, 8)]);
    s->meeting = s->team == 0 ? (enum meeting)below(&rng, MEETINGS) : TEAM_SYNC;
    const int distance = below(&rng, n_pes), first = below(&rng, n_pes);
    const struct team *team = &teams[s->team];
    if (below(&own, 4) == 0)
        change_ctx();
    if (s->act == SPLIT) {
        split(&rng);
    } else if (team->handle != SHMEM_TEAM_INVALID) {
        s->n = team->n;
        s->to = team->pes[(team->i + distance) % s->n];
        s->from = team->pes[(team->i + s->n - distance % s->n) % s->n];
        s->passer = team->pes[(team->i + first) % s->n];
        s->passed_to = team->pes[(team->i + s->n - first % s->n + distance) % s->n];
        if (s->act == PUT)
            begin_put(s);
        else if (s->act == LOCK)
            begin_lock(s);
        else
            collective(s);
        if (s->act == PUT || s->act == LOCK)
            pending[n_pending++] = *s;
    }
    end_until(s->number);
}

/* shmem_finalize completes what is pending on all contexts. Statics keep their values after it. */
static void finalize(void)
{
    static long last[2][WORDS], sum;
    static const int words[2] = {12, WORDS};
    const int to = (me + 1) % n_pes, from = (me + n_pes - 1) % n_pes;
    for (int k = 0; k < 2; k++) {
        const int c = any_ctx(to);
        for (int i = 0; i < words[k]; i++)
            buffer[k][i] = value(k, me, i);
        shmem_put_nbi(ctxs[c].handle, last[k], buffer[k], (size_t)words[k], number_on(c, to));
    }
    shmem_atomic_add(&sum, me + 1, to);
    shmem_finalize();
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < words[k]; i++)
            CHECK(last[k][i] == value(k, from, i), "word %d of %d before shmem_finalize is %ld", i, words[k],
                  last[k][i]);
    CHECK(sum == from + 1, "the sum before shmem_finalize is %ld", sum);
}

int main(int argc, char **argv)
{
    static struct slot fixed[STEPS];
    const int cycles = argc > 1 ? atoi(argv[1]) : 40;
    seed = argc > 2 ? strtoull(argv[2], NULL, 0) : 1;
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    own = seed ^ (uint64_t)me << 50;
    for (int t = 1; t < TEAMS; t++)
        teams[t].handle = SHMEM_TEAM_INVALID;
    teams[0].handle = SHMEM_TEAM_WORLD;
    look_at(&teams[0]);
    ctxs[0] = (struct ctx){SHMEM_CTX_DEFAULT, 0, true};
    for (int cycle = 0; cycle < cycles && !check_failures; cycle++) {
        slots = cycle % 2 ? shmem_malloc(sizeof fixed) : fixed;
        memset(slots, 0, sizeof fixed);
        shmem_barrier_all();
        for (int number = 0; number < STEPS; number++)
            play(&(struct step){.number = number}, seed ^ (uint64_t)number << 32);
        end_until(INT_MAX);
        for (int c = 0; c < CTXS; c++)
            if (ctxs[c].lives)
                shmem_ctx_quiet(ctxs[c].handle);
        shmem_barrier_all();
        next(&seed);
        if (cycle % 2)
            shmem_free(slots);
    }
    if (check_failures)
        shmem_global_exit(1); /* the other PEs do not know of the error */
    finalize();
    return check_result();
}
