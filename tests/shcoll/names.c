/* Algorithms by name and number, the calls that they refuse and their messages, the table of operations, and the
 * choice. */
#include "suite.h"

#include <ctype.h>

static uint64_t checked;

/* --- names -------------------------------------------------------------------------------------------------------- */

static bool same(struct shcoll_choice a, struct shcoll_choice b)
{
    return a.algorithm == b.algorithm && a.k == b.k;
}

static void check_found(enum shcoll_collective what, const char *name, struct shcoll_choice want)
{
    char found[SHCOLL_NAME_BYTES] = "nothing", wanted[SHCOLL_NAME_BYTES] = "nothing";
    const struct shcoll_choice got = shcoll_find(what, name);
    if (got.algorithm)
        shcoll_name(got, found);
    if (want.algorithm)
        shcoll_name(want, wanted);
    if (!same(got, want))
        failed("%s by '%s': found %s, want %s", shcoll_collective_names[what], name, found, wanted);
    checked++;
}

/* The first row whose name, without form and radix, is that of row i. */
static struct shcoll_choice first_of_name(enum shcoll_collective what, int i)
{
    char name[SHCOLL_NAME_BYTES], other[SHCOLL_NAME_BYTES];
    shcoll_name(shcoll_algorithm_number(what, i), name);
    for (int j = 0; j < i; j++) {
        shcoll_name(shcoll_algorithm_number(what, j), other);
        const size_t length = strcspn(name, ":");
        if (length == strcspn(other, ":") && strncmp(name, other, length) == 0)
            return shcoll_algorithm_number(what, j);
    }
    return shcoll_algorithm_number(what, i);
}

static void check_row(enum shcoll_collective what, int i, struct shcoll_choice row)
{
    static const struct shcoll_choice none = {NULL, 0};
    char name[SHCOLL_NAME_BYTES], other[SHCOLL_NAME_BYTES + 20];
    shcoll_name(row, name);
    check_found(what, name, row);
    for (int j = 0; j < i; j++)
        if (strcmp(name, shcoll_name(shcoll_algorithm_number(what, j), other)) == 0)
            failed("%s has two algorithms called %s", shcoll_collective_names[what], name);
    snprintf(other, sizeof other, "%s:x", name);
    check_found(what, other, none);
    snprintf(other, sizeof other, "x%s", name);
    check_found(what, other, none);

    /* Finds the name without form and radix, then with every other radix. */
    char *radix = strrchr(name, ':');
    if (radix && isdigit((unsigned char)radix[1]))
        *radix = 0;
    else
        radix = NULL;
    static const struct {
        const char *text;
        int k;
    } radices[] = {{"2", 2}, {"3", 3}, {"16", 16}, {"65535", 65535}, {"1", 0}, {"0", 0}, {"-2", 0}, {"65536", 0},
                   {"4294967298", 0}, {"4x", 0}, {"", 0}};
    for (size_t j = 0; j < sizeof radices / sizeof radices[0]; j++) {
        snprintf(other, sizeof other, "%s:%s", name, radices[j].text);
        check_found(what, other, radix && radices[j].k ? (struct shcoll_choice){row.algorithm, radices[j].k} : none);
    }
    name[strcspn(name, ":")] = 0;
    check_found(what, name, first_of_name(what, i));
}

static int check_names(enum shcoll_collective what)
{
    static const char *const wrong[] = {"", ":", "nothing_like_it", "::", ":put", ":4", " ring", "ring "};
    int rows = 0;
    struct shcoll_choice row;
    while ((row = shcoll_algorithm_number(what, rows)).algorithm)
        check_row(what, rows++, row);
    if (rows == 0)
        failed("%s has no algorithm", shcoll_collective_names[what]);
    for (int i = 0; i < 100; i += 33)
        if (shcoll_algorithm_number(what, rows + i).algorithm)
            failed("%s has an algorithm %d behind its last", shcoll_collective_names[what], rows + i);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        check_found(what, wrong[i], (struct shcoll_choice){NULL, 0});
    return rows;
}

/* --- refusals ----------------------------------------------------------------------------------------------------- */

static void not_combined(void *into, const void *from, size_t n)
{
    (void)into, (void)from, (void)n;
}
static const struct shcoll_op ordered_op = {8, not_combined, .exact = true, .ordered = true};

static struct shcoll_call call_of(enum shcoll_collective what, size_t bytes)
{
    struct shcoll_call call = {.n = bytes, .size = 1};
    if (what == SHCOLL_ALLTOALLS)
        call.dst = call.sst = 1;
    if (what == SHCOLL_REDUCE || what == SHCOLL_INSCAN || what == SHCOLL_EXSCAN)
        call.n = bytes / 8, call.size = 8, call.op = &ordered_op, call.exclusive = what == SHCOLL_EXSCAN;
    return call;
}

/* The last word of the message, if it is the name of an algorithm: one that supports the call. */
static struct shcoll_choice named_instead(enum shcoll_collective what, const char *sentence)
{
    struct shcoll_choice last = {NULL, 0};
    char copy[SHCOLL_SENTENCE_BYTES];
    snprintf(copy, sizeof copy, "%s", sentence);
    for (char *word = strtok(copy, " ,;"); word; word = strtok(NULL, " ,;"))
        if (shcoll_find(what, word).algorithm)
            last = shcoll_find(what, word);
    return last;
}

/* A refusal names the collective, the algorithm, and another algorithm that supports the call. Returns whether it
 * refuses. */
static bool check_refusal(enum shcoll_collective what, struct shcoll_choice row, struct shcoll_group *g, size_t bytes)
{
    const struct shcoll_call call = call_of(what, bytes);
    char text[SHCOLL_SENTENCE_BYTES], again[SHCOLL_SENTENCE_BYTES], name[SHCOLL_NAME_BYTES];
    const char *sentence = shcoll_refuses(row, g, &call, text);
    checked++;
    if (!sentence)
        return false;
    const struct shcoll_choice other = named_instead(what, sentence);
    const char *collective = shcoll_collective_names[what];
    if (sentence != text || !strstr(sentence, shcoll_name(row, name)) || !strstr(sentence, collective))
        failed("the refusal of %s by %s does not name them: %s", collective, name, sentence);
    if (!other.algorithm || same(other, row) || shcoll_refuses(other, g, &call, again))
        failed("%s by %s with %zu bytes and %d members: the sentence names none that can do it: %s", collective, name,
               bytes, g->size, sentence);
    return true;
}

/* How many calls have been refused: in lasting groups and active sets of all sizes up to that of the job. */
static int check_refusals(enum shcoll_collective what)
{
    static const size_t sizes[] = {0, 8, 496, 504, 8192, (size_t)1 << 20, (size_t)3 << 30};
    int refusals = 0;
    struct shcoll_choice row;
    for (int members = 1; members <= shmem_n_pes(); members++)
        for (int lasting = 0; lasting < 2; lasting++) {
            struct shcoll_group g = shcoll_group_on(0, 1, members, pSyncs[0][0], !lasting);
            for (int i = 0; (row = shcoll_algorithm_number(what, i)).algorithm; i++)
                for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
                    refusals += check_refusal(what, row, &g, sizes[j]);
        }
    return refusals;
}

/* --- choices ------------------------------------------------------------------------------------------------------ */

static void check_choice(enum shcoll_collective what, struct shcoll_group *g, size_t bytes)
{
    const struct shcoll_choice chosen = shcoll_chosen(g, what, bytes), again = shcoll_chosen(g, what, bytes);
    struct shcoll_call call = call_of(what, bytes);
    char text[SHCOLL_SENTENCE_BYTES];
    call.op = NULL;
    checked++;
    if (!chosen.algorithm) {
        failed("no algorithm is chosen for %s of %zu bytes", shcoll_collective_names[what], bytes);
        return;
    }
    if (!same(chosen, again))
        failed("%s of %zu bytes: two choices", shcoll_collective_names[what], bytes);
    if (shcoll_refuses(chosen, g, &call, text))
        failed("the chosen algorithm refuses %zu bytes: %s", bytes, text);
    int i = 0;
    while (shcoll_algorithm_number(what, i).algorithm && shcoll_algorithm_number(what, i).algorithm != chosen.algorithm)
        i++;
    if (!shcoll_algorithm_number(what, i).algorithm)
        failed("the algorithm chosen for %s is not in its table", shcoll_collective_names[what]);
}

/* Checks that the choice is the same on all members: each passes its choice as a number. */
static void check_agreement(struct circle *c, struct shcoll_group *g)
{
    static uint64_t mine;
    mine = 0;
    for (int what = 0; what < SHCOLL_COLLECTIVES; what++)
        for (size_t bytes = 1; bytes < (size_t)1 << 36; bytes = bytes * 3 + 1) {
            char name[SHCOLL_NAME_BYTES];
            shcoll_name(shcoll_chosen(g, (enum shcoll_collective)what, bytes), name);
            for (const char *at = name; *at; at++)
                mine = (mine ^ (unsigned char)*at) * 0x100000001b3u;
        }
    circle_sync(c);
    if (shmem_uint64_g(&mine, circle_pe(c, 0)) != mine)
        failed("other choices than on PE %d", circle_pe(c, 0));
    circle_sync(c);
}

static void check_choices(struct family *f)
{
    for (int i = 0; i < f->circles; i++) {
        struct circle *c = &f->circle[i];
        struct shcoll_group *g = circle_group(c, SHCOLL_SYNC);
        snprintf(doing, sizeof doing, "choices in the group %s of %d members", f->name, c->size);
        if (g->me < 0)
            continue;
        for (int what = 0; what < SHCOLL_COLLECTIVES; what++)
            for (int log = 0; log < 40; log++)
                for (int near = -1; near <= 1; near++)
                    check_choice((enum shcoll_collective)what, g, ((size_t)1 << log) + (size_t)near);
        check_agreement(c, g);
    }
}

/* --- operations --------------------------------------------------------------------------------------------------- */

static void check_operations(void)
{
    static const size_t sizes[SHCOLL_TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, sizeof(float), sizeof(double),
                                               sizeof(long double), 2 * sizeof(float), 2 * sizeof(double)};
    for (int op = 0; op < SHCOLL_OPS; op++)
        for (int type = 0; type < SHCOLL_TYPES; type++) {
            const bool integer = type < SHCOLL_FLOAT, real = type < SHCOLL_COMPLEX_FLOAT;
            const bool has = integer || op >= SHCOLL_SUM || (real && op >= SHCOLL_MAX);
            const struct shcoll_op *row = &shcoll_ops[op][type];
            if (row->size != (has ? sizes[type] : 0) || !row->combine == has || row->ordered ||
                (has && row->exact != integer))
                failed("shcoll_ops[%d][%d]: size %zu, exact %d, ordered %d", op, type, row->size, row->exact,
                       row->ordered);
            checked++;
        }
    const struct shcoll_op *by_macro[] = {SHCOLL_OP(SUM, double), SHCOLL_OP(AND, unsigned char), SHCOLL_OP(MAX, short),
                                          SHCOLL_OP(PROD, float _Complex), SHCOLL_OP(XOR, unsigned long long)};
    const struct shcoll_op *rows[] = {&shcoll_ops[SHCOLL_SUM][SHCOLL_DOUBLE], &shcoll_ops[SHCOLL_AND][SHCOLL_UINT8],
                                      &shcoll_ops[SHCOLL_MAX][SHCOLL_INT16],
                                      &shcoll_ops[SHCOLL_PROD][SHCOLL_COMPLEX_FLOAT],
                                      &shcoll_ops[SHCOLL_XOR][SHCOLL_UINT64]};
    for (int i = 0; i < 5; i++)
        if (by_macro[i] != rows[i])
            failed("SHCOLL_OP number %d of the test is another operation", i);
}

/* --- teams and active sets ---------------------------------------------------------------------------------------- */

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
/* Every second PE of a team from the last one backwards, as a group: its members, and a sum over it. */
static void check_team(void)
{
    static _Alignas(64) char work[SHCOLL_WORK_BYTES];
    static long mine, sum;
    const int n_pes = shmem_n_pes(), size = (n_pes + 1) / 2;
    shmem_team_t team;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n_pes - 1, -2, size, NULL, 0, &team);
    snprintf(doing, sizeof doing, "a group on a team");
    if (team != SHMEM_TEAM_INVALID) {
        struct shcoll_group g = shcoll_group_on_team(team, work);
        long want = 0;
        for (int i = 0; i < size; i++)
            want += 1000L * (n_pes - 1 - 2 * i) + 1;
        if (g.size != size || g.start != n_pes - 1 || g.me != shmem_team_my_pe(team))
            failed("group of %d from PE %d, this is member %d of it; want %d from PE %d, member %d", g.size, g.start,
                   g.me, size, n_pes - 1, shmem_team_my_pe(team));
        mine = 1000L * shmem_my_pe() + 1;
        shcoll_reduce(&g, &sum, &mine, 1, SHCOLL_OP(SUM, long));
        if (sum != want)
            failed("sum over the group is %ld, want %ld", sum, want);
        checked++;
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
}
#else
static void check_team(void)
{
}
#endif

/* All PEs, each swapped with another PE of its node; the last PE of an odd number keeps its position. */
static void pairs_on_nodes(int *pes, int n)
{
    static int mine;
    int first = shmem_my_pe();
    while (first > 0 && shmem_ptr(&mine, first - 1))
        first--;
    mine = first + ((shmem_my_pe() - first) ^ 1);
    if (mine >= n || !shmem_ptr(&mine, mine))
        mine = shmem_my_pe();
    shmem_barrier_all();
    for (int i = 0; i < n; i++)
        pes[i] = shmem_int_g(&mine, i);
    shmem_barrier_all();
}

static bool in_equal_steps(const int *pes, int n)
{
    for (int i = 2; i < n; i++)
        if (pes[i] - pes[i - 1] != pes[1] - pes[0])
            return false;
    return true;
}

/* A list of PEs in equal steps is stored as start and stride.  If a list has the same nodes as the world, because PEs
 * are swapped within their nodes, the choice is the same as for the world. */
static void check_lists(void)
{
    const int n_pes = shmem_n_pes();
    int *pes = malloc((size_t)n_pes * sizeof *pes);
    struct shcoll_group world = shcoll_group_on(0, 1, n_pes, NULL, false);
    snprintf(doing, sizeof doing, "a group on a list of PEs");
    for (int i = 0; i < n_pes; i++)
        pes[i] = n_pes - 1 - i;
    struct shcoll_group back = shcoll_group_on_pes(pes, n_pes, n_pes - 1 - shmem_my_pe(), NULL);
    if (back.pes || back.start != n_pes - 1 || back.stride * (n_pes - 1) != 1 - n_pes)
        failed("the PEs backwards: start %d, stride %d; want %d, -1 and no list", back.start, back.stride, n_pes - 1);
    pairs_on_nodes(pes, n_pes);
    int me = 0;
    while (pes[me] != shmem_my_pe())
        me++;
    struct shcoll_group pairs = shcoll_group_on_pes(pes, n_pes, me, NULL);
    static long anything;
    bool one_node = true;
    for (int pe = 0; pe < n_pes; pe++)
        one_node = one_node && shmem_ptr(&anything, pe);
    if ((pairs.pes == NULL) != in_equal_steps(pes, n_pes) || pairs.size != n_pes ||
        (one_node && pairs.pes && pairs.first_run != n_pes))
        failed("pairs exchanged: %d members, %d of them on the first node; want all %d", pairs.size, pairs.first_run,
               n_pes);
    for (int what = 0; what < SHCOLL_COLLECTIVES; what++)
        for (int log = 0; log < 30; log++)
            for (int i = 0; i < 2; i++) {
                struct shcoll_group *g = i ? &back : &pairs;
                const enum shcoll_collective collective = (enum shcoll_collective)what;
                const size_t bytes = (size_t)1 << log;
                if (!same(shcoll_chosen(g, collective, bytes), shcoll_chosen(&world, collective, bytes)))
                    failed("another choice for %s of 2^%d bytes than in the world", shcoll_collective_names[what],
                           log);
                checked++;
            }
    free(pes);
}

/* Every second PE from PE 1 on, as an active set: its members, and a sum over it. */
static void check_active_set(void)
{
    static long pSync[SHCOLL_SYNC_SIZE], mine, sum;
    const int size = shmem_n_pes() / 2;
    snprintf(doing, sizeof doing, "an active set");
    if (size > 0 && shmem_my_pe() % 2 == 1 && shmem_my_pe() / 2 < size) {
        struct shcoll_group g = shcoll_active_set(1, 1, size, pSync);
        long want = 0;
        for (int i = 0; i < size; i++)
            want += 1000L * (2 * i + 1) + 1;
        if (g.size != size || g.me != shmem_my_pe() / 2)
            failed("active set of %d, this is member %d of it; want %d, member %d", g.size, g.me, size,
                   shmem_my_pe() / 2);
        mine = 1000L * shmem_my_pe() + 1;
        shcoll_reduce(&g, &sum, &mine, 1, SHCOLL_OP(SUM, long));
        if (sum != want)
            failed("sum over the active set is %ld, want %ld", sum, want);
        checked++;
    }
    shmem_barrier_all();
}

int main(void)
{
    int rows = 0, refusals = 0;
    shmem_init();
    watchdog();
    shcoll_init();
    shcoll_init(); /* a second call does no harm */
    families_make();
    for (int what = 0; what < SHCOLL_COLLECTIVES; what++) {
        snprintf(doing, sizeof doing, "names");
        rows += check_names((enum shcoll_collective)what);
        snprintf(doing, sizeof doing, "refusals");
        refusals += check_refusals((enum shcoll_collective)what);
    }
    for (int i = 0; i < n_families; i++)
        check_choices(&families[i]);
    snprintf(doing, sizeof doing, "operations");
    check_operations();
    snprintf(doing, sizeof doing, "refusals");
    if (shmem_n_pes() > 2 && refusals == 0)
        failed("none of %d algorithms refuses a call", rows);
    families_free();
    check_team();
    check_active_set();
    check_lists();
    const int result = verdict("names", checked);
    shmem_finalize();
    return result;
}
