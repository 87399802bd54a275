/* Contexts: every option, use and destruction, the team of a context, invalid handles, a thousand contexts at the same
 * time, contexts on teams whose PEs have other numbers. */
#include "fill.h"

enum { MANY = 1000, MAX_PES = 16, WORDS = 64 };
static uint64_t words[MAX_PES * WORDS];
static long counter;
static int me, n_pes;

/* This PE sends to PE pe of the world, whose number on the context is `number`. */
static void use(shmem_ctx_t ctx, const char *what, int number, int pe, unsigned salt)
{
    uint64_t source[WORDS], back[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        source[i] = pattern_to(me, pe, i, salt);
    shmem_ctx_uint64_put_nbi(ctx, &words[me * WORDS], source, WORDS, number);
    shmem_ctx_quiet(ctx);
    shmem_ctx_uint64_get(ctx, back, &words[me * WORDS], WORDS, number);
    CHECK(memcmp(back, source, sizeof back) == 0, "%s: put, quiet, get with PE %d", what, pe);
    shmem_ctx_long_atomic_inc(ctx, &counter, number);
    shmem_ctx_fence(ctx);
    shmem_ctx_pe_quiet(ctx, &number, 1);
}

static void check_words(const char *what, int from, unsigned salt)
{
    for (size_t i = 0; i < WORDS; i++)
        CHECK(words[(size_t)from * WORDS + i] == pattern_to(from, me, i, salt), "%s: word %zu from PE %d", what, i,
              from);
}

static void each_option(void)
{
    for (long options = 0; options < 8; options++) {
        const long all = (options & 1 ? SHMEM_CTX_SERIALIZED : 0) | (options & 2 ? SHMEM_CTX_PRIVATE : 0) |
                         (options & 4 ? SHMEM_CTX_NOSTORE : 0);
        char what[40];
        snprintf(what, sizeof what, "context with options %#lx", (unsigned long)all);
        shmem_ctx_t ctx = SHMEM_CTX_INVALID;
        CHECK(shmem_ctx_create(all, &ctx) == 0, "%s: not created", what);
        CHECK(ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT, "%s: strange handle", what);
        shmem_team_t team = SHMEM_TEAM_INVALID;
        CHECK(shmem_ctx_get_team(ctx, &team) == 0 && team == SHMEM_TEAM_WORLD, "%s: team is not the world", what);
        memset(words, 0, sizeof words);
        counter = 0;
        shmem_barrier_all();
        for (int k = 0; k < n_pes; k++)
            use(ctx, what, (me + k) % n_pes, (me + k) % n_pes, (unsigned)options);
        shmem_ctx_destroy(ctx);
        shmem_barrier_all();
        for (int pe = 0; pe < n_pes; pe++)
            check_words(what, pe, (unsigned)options);
        CHECK(counter == n_pes, "%s: counter is %ld", what, counter);
        shmem_barrier_all();
    }
}

static void invalid(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0, "the team of SHMEM_CTX_INVALID");
    CHECK(team == SHMEM_TEAM_INVALID, "the team of SHMEM_CTX_INVALID is a team");
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team) == 0 && team == SHMEM_TEAM_WORLD, "the default context's team");
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0, "a context on SHMEM_TEAM_INVALID");
    CHECK(ctx == SHMEM_CTX_INVALID, "a context on SHMEM_TEAM_INVALID has a handle");
    shmem_ctx_quiet(SHMEM_CTX_INVALID); /* these do nothing */
    shmem_ctx_fence(SHMEM_CTX_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);
}

/* A thousand contexts at the same time, all different and usable; destroyed in another order; then the same again. */
static void many(void)
{
    static shmem_ctx_t ctx[MANY];
    static long hits;
    const int right = (me + 1) % n_pes;
    for (int round = 0; round < 2; round++) {
        hits = 0;
        shmem_barrier_all();
        for (int i = 0; i < MANY; i++)
            CHECK(shmem_ctx_create(i % 8 == 0 ? 0 : SHMEM_CTX_PRIVATE, &ctx[i]) == 0, "context %d of many", i);
        for (int i = 0; i < MANY; i++)
            for (int k = 1; k < 8; k++)
                CHECK(i + k >= MANY || ctx[i] != ctx[i + k], "contexts %d and %d have one handle", i, i + k);
        for (int i = 0; i < MANY; i++)
            shmem_ctx_long_atomic_inc(ctx[i * 7 % MANY], &hits, right);
        for (int i = 0; i < MANY; i++)
            shmem_ctx_destroy(ctx[i * 389 % MANY]);
        shmem_barrier_all();
        CHECK(hits == MANY, "%ld of %d operations on many contexts arrived", hits, MANY);
        shmem_barrier_all();
    }
}

/* destroy completes pending operations; the barrier afterwards completes only those of the default context. */
static void destroy_completes(void)
{
    static uint64_t source[WORDS];
    shmem_ctx_t ctx;
    CHECK(shmem_ctx_create(0, &ctx) == 0, "context not created");
    const int right = (me + 1) % n_pes, left = (me + n_pes - 1) % n_pes;
    memset(words, 0, sizeof words);
    for (size_t i = 0; i < WORDS; i++)
        source[i] = pattern_to(me, right, i, 77);
    shmem_barrier_all();
    shmem_ctx_put64_nbi(ctx, &words[me * WORDS], source, WORDS, right);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    check_words("put_nbi, then destroy", left, 77);
    shmem_barrier_all();
}

/* The team start, start + stride, ... of size PEs: contexts on it take team numbers. */
static void on_team(const char *what, int start, int stride, int size)
{
    const shmem_team_config_t config = {.num_contexts = 3};
    shmem_team_t team = SHMEM_TEAM_INVALID, found = SHMEM_TEAM_INVALID;
    const int failed = shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, size, &config, SHMEM_TEAM_NUM_CONTEXTS,
                                                &team);
    CHECK(failed == 0, "%s: not created", what);
    memset(words, 0, sizeof words);
    counter = 0;
    shmem_barrier_all();
    if (team != SHMEM_TEAM_INVALID) {
        shmem_ctx_t ctx[3];
        for (int c = 0; c < 3; c++) {
            CHECK(shmem_team_create_ctx(team, c == 1 ? SHMEM_CTX_PRIVATE : 0, &ctx[c]) == 0, "%s: context %d", what, c);
            CHECK(shmem_ctx_get_team(ctx[c], &found) == 0 && found == team, "%s: the team of context %d", what, c);
        }
        for (int number = 0; number < size; number++)
            use(ctx[number % 3], what, number, start + number * stride, 5);
        for (int c = 0; c < 3; c++)
            shmem_ctx_destroy(ctx[c]);
    }
    shmem_barrier_all();
    bool member = false;
    for (int pe = 0; pe < n_pes; pe++)
        for (int number = 0; number < size; number++)
            member |= start + number * stride == me;
    for (int number = 0; number < size && member; number++)
        check_words(what, start + number * stride, 5);
    CHECK(counter == (member ? size : 0), "%s: counter is %ld", what, counter);
    CHECK(member == (team != SHMEM_TEAM_INVALID), "%s: wrong members", what);
    shmem_barrier_all();
    shmem_team_destroy(team);
}

static void teams(void)
{
    shmem_ctx_t ctx;
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_WORLD, 0, &ctx) == 0, "a context on the world");
    memset(words, 0, sizeof words);
    shmem_barrier_all();
    use(ctx, "context on the world", n_pes - 1 - me, n_pes - 1 - me, 6);
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    check_words("context on the world", n_pes - 1 - me, 6);
    shmem_barrier_all();

    on_team("all PEs", 0, 1, n_pes);
    on_team("all PEs backwards", n_pes - 1, -1, n_pes);
    on_team("even PEs", 0, 2, (n_pes + 1) / 2);
    on_team("the last PE", n_pes - 1, 1, 1);
    if (n_pes > 1)
        on_team("odd PEs", 1, 2, n_pes / 2);
    if (n_pes > 2)
        on_team("upper two thirds backwards", n_pes - 1, -1, n_pes - n_pes / 3);
}

/* A team for which no contexts were requested has none; the creation fails, but this is not an error. */
static void team_without_contexts(void)
{
    shmem_team_t team;
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n_pes, NULL, 0, &team) == 0, "team not created");
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (shmem_team_create_ctx(team, 0, &ctx) == 0)
        shmem_ctx_destroy(ctx);
    else
        CHECK(ctx == SHMEM_CTX_INVALID, "the context that could not be created has a handle");
    shmem_team_destroy(team);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    if (n_pes > MAX_PES)
        shmem_global_exit(1);
    each_option();
    invalid();
    many();
    destroy_completes();
    teams();
    team_without_contexts();
    shmem_finalize();
    return check_result();
}
