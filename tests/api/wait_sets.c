/* wait_until and test over sets: _all, _any, _some and their _vector forms, for every type: masks, empty sets, and
 * elements that arrive one by one from all PEs, each of which must be reported. */
#include <sched.h>

#include "wait.h"

/* Calls one of the twelve routines; returns its result (1 for wait_until_all). */
struct call {
    void *ivars;
    size_t nelems;
    size_t *indices;
    const int *status;
    int cmp;
    const void *values; /* one value for each element; routines without _vector use the first */
};
typedef size_t call_fn(const struct call *);

struct row {
    struct elem elem;
    bool vector;
    call_fn *wait_all, *wait_any, *wait_some, *test_all, *test_any, *test_some;
    void (*p)(void *dest, uint64_t value, int pe);
};

#define SET c->ivars, c->nelems, c->status, c->cmp
#define SOME_SET c->ivars, c->nelems, c->indices, c->status, c->cmp
#define WAIT_ALL(T, N) static size_t wait_all_##N(const struct call *c) \
    { shmem_##N##_wait_until_all(SET, *(const T *)c->values); return 1; }
#define WAIT_ANY(T, N) static size_t wait_any_##N(const struct call *c) \
    { return shmem_##N##_wait_until_any(SET, *(const T *)c->values); }
#define WAIT_SOME(T, N) static size_t wait_some_##N(const struct call *c) \
    { return shmem_##N##_wait_until_some(SOME_SET, *(const T *)c->values); }
#define TEST_ALL(T, N) static size_t test_all_##N(const struct call *c) \
    { return (size_t)shmem_##N##_test_all(SET, *(const T *)c->values); }
#define TEST_ANY(T, N) static size_t test_any_##N(const struct call *c) \
    { return shmem_##N##_test_any(SET, *(const T *)c->values); }
#define TEST_SOME(T, N) static size_t test_some_##N(const struct call *c) \
    { return shmem_##N##_test_some(SOME_SET, *(const T *)c->values); }
COPAL_TYPES_AMO(WAIT_ALL)
COPAL_TYPES_AMO(WAIT_ANY)
COPAL_TYPES_AMO(WAIT_SOME)
COPAL_TYPES_AMO(TEST_ALL)
COPAL_TYPES_AMO(TEST_ANY)
COPAL_TYPES_AMO(TEST_SOME)

#define WAIT_ALL_V(T, N) static size_t wait_all_v_##N(const struct call *c) \
    { shmem_##N##_wait_until_all_vector(SET, c->values); return 1; }
#define WAIT_ANY_V(T, N) static size_t wait_any_v_##N(const struct call *c) \
    { return shmem_##N##_wait_until_any_vector(SET, c->values); }
#define WAIT_SOME_V(T, N) static size_t wait_some_v_##N(const struct call *c) \
    { return shmem_##N##_wait_until_some_vector(SOME_SET, c->values); }
#define TEST_ALL_V(T, N) static size_t test_all_v_##N(const struct call *c) \
    { return (size_t)shmem_##N##_test_all_vector(SET, c->values); }
#define TEST_ANY_V(T, N) static size_t test_any_v_##N(const struct call *c) \
    { return shmem_##N##_test_any_vector(SET, c->values); }
#define TEST_SOME_V(T, N) static size_t test_some_v_##N(const struct call *c) \
    { return shmem_##N##_test_some_vector(SOME_SET, c->values); }
COPAL_TYPES_AMO(WAIT_ALL_V)
COPAL_TYPES_AMO(WAIT_ANY_V)
COPAL_TYPES_AMO(WAIT_SOME_V)
COPAL_TYPES_AMO(TEST_ALL_V)
COPAL_TYPES_AMO(TEST_ANY_V)
COPAL_TYPES_AMO(TEST_SOME_V)

#define P(T, N) static void p_##N(void *dest, uint64_t v, int pe) { shmem_##N##_p(dest, (T)v, pe); }
COPAL_TYPES_AMO(P)

#define FORMS(N) wait_all_##N, wait_any_##N, wait_some_##N, test_all_##N, test_any_##N, test_some_##N
#define ROW(T, N) {ELEM(T, N), false, FORMS(N), p_##N}, {ELEM(T, N), true, FORMS(v_##N), p_##N},
static const struct row rows[] = {COPAL_TYPES_AMO(ROW)};
enum { ROWS = sizeof rows / sizeof rows[0] };

enum { N = 23 };
static int me, n_pes;

/* The data of the tests of one row. The condition is "== values[i]", or "!= values[0]" without _vector, so that each
 * element can arrive with a different value. */
struct set {
    _Alignas(8) char values[N * 8];
    size_t indices[N];
    int status[N];
    struct call call;
};

static uint64_t value_of(int pe, size_t i, unsigned r)
{
    return pattern(pe, i, r + 1);
}

static void prepare(struct set *set, const struct row *row, unsigned r, void *ivars)
{
    memset(set->status, 0, sizeof set->status);
    for (size_t i = 0; i < N; i++) {
        set->indices[i] = 12345;
        set_elem(&row->elem, ivars, i, 0);
        set_elem(&row->elem, set->values, i, row->vector ? value_of(me, i, r) : 0);
    }
    const int cmp = row->vector ? SHMEM_CMP_EQ : SHMEM_CMP_NE;
    set->call = (struct call){ivars, N, set->indices, set->status, cmp, set->values};
}

/* Stores the value of element i, as if it arrived. */
static void come(const struct row *row, unsigned r, void *ivars, size_t i, int pe)
{
    row->p((char *)ivars + i * row->elem.size, value_of(pe, i, r), pe);
}

static void test_empty(const struct row *row, unsigned r, void *ivars)
{
    struct set set;
    prepare(&set, row, r, ivars);
    for (size_t i = 0; i < N; i++) {
        come(row, r, ivars, i, me);
        set.status[i] = 1;
    }
    shmem_quiet();
    for (int empty = 0; empty < 2; empty++) {
        const char *why = empty == 0 ? "all masked" : "no elements";
        row->wait_all(&set.call); /* must return */
        CHECK(row->wait_any(&set.call) == SIZE_MAX, "wait_until_any of %s, %s", row->elem.name, why);
        CHECK(row->wait_some(&set.call) == 0, "wait_until_some of %s, %s", row->elem.name, why);
        CHECK(row->test_all(&set.call) == 1, "test_all of %s, %s", row->elem.name, why);
        CHECK(row->test_any(&set.call) == SIZE_MAX, "test_any of %s, %s", row->elem.name, why);
        CHECK(row->test_some(&set.call) == 0, "test_some of %s, %s", row->elem.name, why);
        set.call.nelems = 0;
        set.call.status = NULL;
    }
}

/* Elements 2, 3, 7 and the last have arrived, 3 is masked; no PE changes the set, so the results are determined. */
static void test_some_come(const struct row *row, unsigned r, void *ivars)
{
    struct set set;
    prepare(&set, row, r, ivars);
    CHECK(row->test_all(&set.call) == 0, "test_all of %s before", row->elem.name);
    CHECK(row->test_any(&set.call) == SIZE_MAX, "test_any of %s before", row->elem.name);
    CHECK(row->test_some(&set.call) == 0, "test_some of %s before", row->elem.name);
    const size_t comes[] = {2, 3, 7, N - 1};
    for (int i = 0; i < 4; i++)
        come(row, r, ivars, comes[i], me);
    shmem_quiet();
    set.status[3] = 1;
    const unsigned all = 1u << 2 | 1u << 7 | 1u << (N - 1);
    for (int which = 0; which < 2; which++) {
        unsigned seen = 0;
        for (int i = 0; i < 100 * N; i++) {
            const size_t any = which ? row->test_any(&set.call) : row->wait_any(&set.call);
            seen |= any < N ? 1u << any : 1u << 31;
        }
        CHECK(seen == all, "%s_any of %s has reported %#x in many calls", which ? "test" : "wait_until", row->elem.name,
              seen);
    }
    for (int i = 0; i < 2; i++) {
        const size_t n = i ? row->test_some(&set.call) : row->wait_some(&set.call);
        unsigned told = 0;
        for (size_t k = 0; k < n && k < N; k++)
            told |= set.indices[k] < N ? 1u << set.indices[k] : 1u << 31;
        CHECK(n == 3 && told == all, "some of %s: %zu elements, %#x", row->elem.name, n, told);
    }
    CHECK(row->test_all(&set.call) == 0, "test_all of %s with some missing", row->elem.name);
    for (size_t i = 0; i < N; i++)
        set.status[i] = i != 2 && i != 7 && i != N - 1;
    CHECK(row->test_all(&set.call) == 1, "test_all of %s with the missing masked", row->elem.name);
    row->wait_all(&set.call);
    set.call.status = NULL;
    CHECK(row->test_all(&set.call) == 0, "test_all of %s without mask", row->elem.name);
}

/* Every PE sends its share of the elements of every PE's set; each element is reported once, and then masked. */
static void collect(const struct row *row, unsigned r, void *ivars, call_fn *any, call_fn *some, const char *how)
{
    struct set set;
    prepare(&set, row, r, ivars);
    shmem_barrier_all();
    for (size_t i = (size_t)me; i < N; i += (size_t)n_pes)
        for (int k = 0; k < n_pes; k++)
            come(row, r, ivars, i, (me + k) % n_pes);
    for (size_t left = N; left > 0;) {
        size_t n = 1;
        if (any)
            set.indices[0] = any(&set.call);
        else
            n = some(&set.call);
        if (n == 0 || (any && set.indices[0] == SIZE_MAX)) { /* a test that has found no element yet */
            sched_yield();
            continue;
        }
        CHECK(n <= left, "%s of %s reported %zu elements of %zu", how, row->elem.name, n, left);
        for (size_t k = 0; k < n && left > 0; k++, left--) {
            const size_t i = set.indices[k];
            const bool fresh = i < N && set.status[i] == 0;
            CHECK(fresh, "%s of %s reported element %zu, which is masked or outside", how, row->elem.name, i);
            if (!fresh)
                return;
            set.status[i] = 1;
            CHECK(elem_is(&row->elem, ivars, i, value_of(me, i, r)), "%s of %s reported element %zu too early", how,
                  row->elem.name, i);
        }
    }
    shmem_barrier_all();
}

static void wait_for_all(const struct row *row, unsigned r, void *ivars, bool spin)
{
    struct set set;
    prepare(&set, row, r, ivars);
    set.status[5] = 1; /* this element never arrives */
    shmem_barrier_all();
    for (size_t i = (size_t)me; i < N; i += (size_t)n_pes)
        for (int k = 0; k < n_pes && i != 5; k++)
            come(row, r, ivars, i, (me + k) % n_pes);
    if (spin)
        while (!row->test_all(&set.call))
            sched_yield();
    else
        row->wait_all(&set.call);
    for (size_t i = 0; i < N; i++)
        CHECK(elem_is(&row->elem, ivars, i, i == 5 ? 0 : value_of(me, i, r)), "%s_all of %s too early: element %zu",
              spin ? "test" : "wait_until", row->elem.name, i);
    shmem_barrier_all();
}

int main(void)
{
    static _Alignas(8) char static_vars[N * 8];
    shmem_init();
    me = shmem_my_pe();
    n_pes = shmem_n_pes();
    char *heap_vars = shmem_malloc(sizeof static_vars);
    CHECK(heap_vars != NULL, "shmem_malloc of %zu bytes failed", sizeof static_vars);
    if (!heap_vars)
        shmem_global_exit(1);
    for (unsigned r = 0; r < ROWS; r++) {
        const struct row *row = &rows[r];
        char *vars = r / 2 % 2 ? heap_vars : static_vars;
        test_empty(row, r, vars);
        test_some_come(row, r, vars);
        collect(row, r, vars, row->wait_any, NULL, "wait_until_any");
        collect(row, r, vars, NULL, row->wait_some, "wait_until_some");
        collect(row, r, vars, row->test_any, NULL, "test_any");
        collect(row, r, vars, NULL, row->test_some, "test_some");
        wait_for_all(row, r, vars, false);
        wait_for_all(row, r, vars, true);
    }
    shmem_free(heap_vars);
    shmem_finalize();
    return check_result();
}
