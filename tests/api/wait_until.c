/* wait_until and test: every type (short and unsigned short too) and comparison, woken by puts from another PE, by
 * atomics where the type has them, and by this PE itself. */
#include "wait.h"

struct row {
    struct elem elem;
    int (*compare)(uint64_t a, uint64_t b);
    void (*wait_until)(void *ivar, int cmp, uint64_t value);
    int (*test)(void *ivar, int cmp, uint64_t value);
    void (*p)(void *dest, uint64_t value, int pe);
};

#define WAIT(T, N) static void wait_##N(void *ivar, int cmp, uint64_t v) { shmem_##N##_wait_until(ivar, cmp, (T)v); }
#define TEST(T, N) static int test_##N(void *ivar, int cmp, uint64_t v) { return shmem_##N##_test(ivar, cmp, (T)v); }
#define P(T, N) static void p_##N(void *dest, uint64_t v, int pe) { shmem_##N##_p(dest, (T)v, pe); }
#define ATOMIC_SET(T, N) static void atomic_set_##N(void *d, uint64_t v, int pe) \
    { shmem_##N##_atomic_set(d, (T)v, pe); }
COPAL_TYPES_WAIT(WAIT)
COPAL_TYPES_WAIT(TEST)
COPAL_TYPES_WAIT(P)
COPAL_TYPES_AMO(ATOMIC_SET)

#define ROW_P(T, N) {ELEM(T, N), compare_##N, wait_##N, test_##N, p_##N},
#define ROW_SET(T, N) {ELEM(T, N), compare_##N, wait_##N, test_##N, atomic_set_##N},
static const struct row rows[] = {COPAL_TYPES_WAIT(ROW_P) COPAL_TYPES_AMO(ROW_SET)};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int me, n_pes;

/* Compares test with the C operators for all pairs of values; no value changes, so the result is determined. */
static void test_all_pairs(const struct row *row, void *ivar)
{
    for (int i = 0; i < WAIT_VALUES; i++)
        for (int j = 0; j < WAIT_VALUES; j++)
            for (int c = 0; c < CMPS; c++) {
                row->elem.set(ivar, wait_values[i]);
                const int got = row->test(ivar, cmps[c], wait_values[j]);
                const int expected = holds(cmps[c], row->compare(wait_values[i], wait_values[j]));
                CHECK(got == expected, "test of %s: %#llx %s %#llx gave %d", row->elem.name,
                      (unsigned long long)wait_values[i], cmp_names[c], (unsigned long long)wait_values[j], got);
                if (expected) /* the condition holds already: must not block */
                    row->wait_until(ivar, cmps[c], wait_values[j]);
            }
}

/* For each comparison: the variable first does not satisfy it, changes and still does not satisfy it, then does. */
struct story {
    uint64_t before, between, cmp_value, after;
};

static bool find_story(const struct row *row, int cmp, unsigned salt, struct story *story)
{
    enum { N = WAIT_VALUES };
    for (unsigned k = 0; k < N * N * N * N; k++) {
        const unsigned code = (k + salt * 1237) % (N * N * N * N);
        const struct story s = {wait_values[code % N], wait_values[code / N % N], wait_values[code / N / N % N],
                                wait_values[code / N / N / N]};
        const bool wakes = holds(cmp, row->compare(s.after, s.cmp_value));
        const bool early = holds(cmp, row->compare(s.before, s.cmp_value)) ||
                           holds(cmp, row->compare(s.between, s.cmp_value));
        const bool moves = row->compare(s.before, s.between) != 0 || cmp == SHMEM_CMP_NE;
        if (wakes && !early && moves) {
            *story = s;
            return true;
        }
    }
    return false;
}

static void wait_for_neighbour(const struct row *row, unsigned r, void *vars, unsigned salt)
{
    const int right = (me + 1) % n_pes;
    struct story story[CMPS];
    for (int c = 0; c < CMPS; c++) {
        CHECK(find_story(row, cmps[c], salt + r, &story[c]), "no story for %s %s", row->elem.name, cmp_names[c]);
        set_elem(&row->elem, vars, (size_t)c, story[c].before);
    }
    shmem_barrier_all();
    for (int c = 0; c < CMPS; c++)
        CHECK(!row->test((char *)vars + (size_t)c * row->elem.size, cmps[c], story[c].cmp_value),
              "test of %s %s true too early", row->elem.name, cmp_names[c]);
    shmem_sync_all();
    for (int c = 0; c < CMPS; c++)
        row->p((char *)vars + (size_t)c * row->elem.size, story[c].between, right);
    shmem_fence();
    for (int c = 0; c < CMPS; c++)
        row->p((char *)vars + (size_t)c * row->elem.size, story[c].after, right);
    for (int c = CMPS - 1; c >= 0; c--) {
        void *var = (char *)vars + (size_t)c * row->elem.size;
        row->wait_until(var, cmps[c], story[c].cmp_value);
        CHECK(elem_is(&row->elem, var, 0, story[c].after), "wait_until of %s %s returned too early", row->elem.name,
              cmp_names[c]);
        CHECK(row->test(var, cmps[c], story[c].cmp_value) == 1, "test of %s %s after wait_until", row->elem.name,
              cmp_names[c]);
    }
    shmem_barrier_all();
}

/* Each PE waits for its left neighbour, which writes only after its own wait has ended: all PEs except one wait. */
static void wake_in_turn(void)
{
    static int turn;
    const int right = (me + 1) % n_pes;
    for (int round = 1; round <= 20; round++) {
        if (me != 0 || round > 1)
            shmem_int_wait_until(&turn, SHMEM_CMP_GE, me == 0 ? round - 1 : round);
        shmem_int_p(&turn, round, right);
    }
    shmem_barrier_all();
    CHECK(turn == 20, "after 20 rounds turn is %d", turn);
}

int main(void)
{
    static _Alignas(8) char static_vars[ROWS][CMPS * 8];
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    char (*heap_vars)[CMPS * 8] = shmem_malloc(sizeof static_vars);
    CHECK(heap_vars != NULL, "shmem_malloc of %zu bytes failed", sizeof static_vars);
    if (!heap_vars)
        shmem_global_exit(1);
    for (unsigned r = 0; r < ROWS; r++) {
        test_all_pairs(&rows[r], static_vars[r]);
        for (unsigned salt = 0; salt < 4; salt++)
            wait_for_neighbour(&rows[r], r, salt % 2 ? heap_vars[r] : static_vars[r], salt);
    }
    wake_in_turn();
    shmem_free(heap_vars);
    shmem_finalize();
    return check_result();
}
