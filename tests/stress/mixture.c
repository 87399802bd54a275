/* Random steps on random teams and contexts, with known results. Each step has the least synchronization that the
 * specification requires: a flag after a fence, an atomic after a quiet, a signal, a sync, a flag that a third PE
 * passes on, or a lock. A transfer ends up to four steps after its begin, so that steps of several teams overlap.
 *
 * usage: mixture [CYCLES [SEED]] */
/* pes: 1 2 3 5 8 */
#include <shmem.h>

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "../check.h"
#include "../random.h"

enum { STEPS = 24, WORDS = 600, TEAMS = 6, CTXS = 6, MAX_PES = 8 };
enum act { PUT, LOCK, SUM, FCOLLECT, SPLIT, ACTS };
enum way { FLAG, ATOMIC, SIGNAL, SYNC, PASSED, WITH_SIGNAL, WAYS };

/* The symmetric memory of a step: no other step of the cycle uses it. */
struct slot {
    long data[WORDS], source[WORDS], count, lock;
    uint64_t signals[MAX_PES];
    int flags[2];
};

struct step {
    int number, end, team, n, to, from, passer, passed_to, ctx, words;
    enum act act;
    enum way way;
};

static struct slot *slots;
static long buffer[STEPS][WORDS];
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

static void quiet(int c)
{
    shmem_ctx_quiet(ctxs[c].handle);
}

static void change_ctx(void)
{
    const int c = 1 + below(&own, CTXS - 1), t = below(&own, TEAMS);
    for (int k = 0; k < n_pending; k++)
        if (pending[k].ctx == c)
            return;
    if (ctxs[c].lives) {
        shmem_ctx_destroy(ctxs[c].handle); /* completes its operations */
        ctxs[c].lives = false;
    } else if (teams[t].handle != SHMEM_TEAM_INVALID) {
        const long options = (long[]){0, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED}[below(&own, 3)];
        ctxs[c].team = t;
        ctxs[c].lives = shmem_team_create_ctx(teams[t].handle, options, &ctxs[c].handle) == 0;
    }
}

static void wait_flag(int *flag)
{
    size_t index;
    switch (below(&own, 4)) {
    case 0: shmem_wait_until(flag, SHMEM_CMP_NE, 0); break;
    case 1: shmem_wait_until_any(flag, 1, NULL, SHMEM_CMP_GE, 1); break;
    case 2: shmem_wait_until_some(flag, 1, &index, NULL, SHMEM_CMP_EQ, 1); break;
    case 3:
        while (!shmem_test(flag, SHMEM_CMP_EQ, 1))
            ;
        break;
    }
}

static void begin_put(struct step *s)
{
    struct slot *slot = &slots[s->number];
    long *from = below(&own, 2) ? buffer[s->number] : slot->source, *direct = shmem_ptr(slot->data, s->to);
    const shmem_ctx_t ctx = ctxs[s->ctx = any_ctx(s->to)].handle;
    const int to = number_on(s->ctx, s->to), op = below(&own, 2) ? SHMEM_SIGNAL_SET : SHMEM_SIGNAL_ADD;
    const size_t n = (size_t)s->words;
    for (int i = 0; i < s->words; i++)
        from[i] = value(s->number, me, i);
    switch (s->way == WITH_SIGNAL ? below(&own, 2) : 2 + below(&own, direct ? 5 : 4)) {
    case 0: shmem_put_signal(ctx, slot->data, from, n, &slot->signals[me], 1, op, to); break;
    case 1: shmem_put_signal_nbi(ctx, slot->data, from, n, &slot->signals[me], 1, op, to); break;
    case 2: shmem_put(ctx, slot->data, from, n, to); break;
    case 3: shmem_put_nbi(ctx, slot->data, from, n, to); break;
    case 4: shmem_ibput(ctx, slot->data, from, (ptrdiff_t)n, (ptrdiff_t)n, n, 1, to); break;
    case 5:
        shmem_iput(ctx, slot->data, from, 2, 2, (n + 1) / 2, to);
        shmem_iput(ctx, slot->data + 1, from + 1, 2, 2, n / 2, to);
        break;
    case 6:
        memcpy(direct, from, n * sizeof *from);
        s->ctx = 0;
        break;
    }
}

static void end_put(const struct step *s)
{
    struct slot *slot = &slots[s->number];
    const shmem_ctx_t ctx = ctxs[s->ctx].handle;
    const int to = number_on(s->ctx, s->to);
    if (s->way == FLAG || (s->way == SIGNAL && below(&own, 2)))
        shmem_ctx_fence(ctx);
    else if (s->way != WITH_SIGNAL)
        quiet(s->ctx);
    switch (s->way) {
    case FLAG: shmem_p(ctx, &slot->flags[0], 1, to); break;
    case ATOMIC: shmem_atomic_inc(&slot->flags[0], s->to); break;
    case SIGNAL: shmem_ctx_signal_add(ctx, &slot->signals[me], 1, to); break;
    case SYNC: shmem_team_sync(teams[s->team].handle); break;
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

static void begin_lock(struct step *s)
{
    struct slot *slot = &slots[s->number];
    if (below(&own, 2))
        shmem_set_lock(&slot->lock);
    else
        while (shmem_test_lock(&slot->lock))
            ;
    buffer[s->number][0] = shmem_g(&slot->count, teams[s->team].pes[0]) + 1;
    shmem_put_nbi(&slot->count, buffer[s->number], 1, teams[s->team].pes[0]);
    shmem_clear_lock(&slot->lock);
}

static void end_lock(const struct step *s)
{
    shmem_team_sync(teams[s->team].handle);
    CHECK(teams[s->team].i || slots[s->number].count == s->n, "step %d: %ld PEs had the lock, not %d", s->number,
          slots[s->number].count, s->n);
}

static void collective(const struct step *s)
{
    struct slot *slot = &slots[s->number];
    const struct team *team = &teams[s->team];
    const int each = s->words / s->n;
    for (int i = 0; i < WORDS; i++)
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
        if (ctxs[c].lives && ctxs[c].team == t) {
            shmem_ctx_destroy(ctxs[c].handle);
            ctxs[c].lives = false;
        }
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
    s->act = (enum act)(below(&rng, 2) ? PUT : below(&rng, ACTS));
    s->way = (enum way)below(&rng, WAYS);
    s->end = s->number + below(&rng, 5);
    s->team = below(&rng, TEAMS);
    s->words = 1 + below(&rng, below(&rng, 2) ? WORDS : 8);
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
                quiet(c);
        shmem_barrier_all();
        next(&seed);
        if (cycle % 2)
            shmem_free(slots);
    }
    if (check_failures)
        shmem_global_exit(1); /* the other PEs do not know of the error */
    shmem_finalize();
    return 0;
}
