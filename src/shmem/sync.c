/* Point-to-point synchronization (9.11): the wait_until and test families.
 *
 * The objects are integers of 2, 4 or 8 bytes, signed or not.  They are compared as 64-bit signed keys.  The top bit of
 * an unsigned value is flipped, so that its keys have the same order.  One function therefore serves all types. */
#include "shmem/api.h"
#include "shmem/debug.h"
#include "time/virtual.h"

struct kind {
    size_t size;
    bool is_signed;
};
#define KIND(T) ((struct kind){sizeof(T), (T)-1 < (T)1})

INLINE int64_t to_key(uint64_t unsigned_value, int64_t signed_value, struct kind kind)
{
    return kind.is_signed ? signed_value : (int64_t)(unsigned_value ^ (uint64_t)1 << 63);
}

/* The key of the object at p. An acquire load: after the wait, puts that precede the awaited value are visible. */
INLINE int64_t key_of(const void *p, struct kind kind)
{
    if (kind.size == 8) {
        /* MUTANT waits acquire: __ATOMIC_ACQUIRE => __ATOMIC_RELAXED */
        uint64_t v = __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE);
        return to_key(v, (int64_t)v, kind);
    }
    if (kind.size == 4) {
        uint32_t v = __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE);
        return to_key(v, (int32_t)v, kind);
    }
    uint16_t v = __atomic_load_n((const uint16_t *)p, __ATOMIC_ACQUIRE);
    return to_key(v, (int16_t)v, kind);
}

INLINE bool holds(int64_t value, int cmp, int64_t with)
{
    switch (cmp) {
    case SHMEM_CMP_EQ: return value == with;
    case SHMEM_CMP_NE: return value != with;
    case SHMEM_CMP_GT: return value > with;
    case SHMEM_CMP_LE: return value <= with;
    case SHMEM_CMP_LT: return value < with;
    default: return value >= with;
    }
}

static __attribute__((cold, noinline)) const char *reach_for_wait(const char *arg, const void *ivars, size_t bytes,
                                                                 const char *routine)
{
    if (UNLIKELY(virtual_on))
        virtual_access(VIRTUAL_WAIT, node.me, place_of(ivars), bytes);
    if (UNLIKELY(node.debug) && !outer_routine)
        debug_synchronized(); /* PEs may also meet by flags, before they use a pSync again */
    return reach_slowly(arg, ivars, bytes, node.me, routine);
}

/* Checks the arguments. Returns the object's address in the shared window, by which a writer finds its waiters. */
INLINE const char *check(const char *arg, const void *ivars, size_t nelems, int cmp, struct kind kind,
                         const char *routine)
{
    if (UNLIKELY(cmp < SHMEM_CMP_EQ || cmp > SHMEM_CMP_GE))
        job_fatal(routine, "argument cmp is %d, allowed are the SHMEM_CMP_ constants", cmp);
    if (UNLIKELY((uintptr_t)ivars % kind.size != 0))
        job_fatal(routine, "argument %s is %p, allowed is a multiple of %zu", arg, ivars, kind.size);
    const size_t bytes = bytes_of(nelems, kind.size, routine);
    void *at;
    return LIKELY(reach_at_once(&at, ivars, bytes, node.me)) ? at : reach_for_wait(arg, ivars, bytes, routine);
}

INLINE struct wait wait_for(const char *seen, size_t nelems, struct kind kind, const char *routine)
{
    return (struct wait){.routine = routine, .for_pe = outer_routine ? shcoll_awaited_pe : -1, .from = (uintptr_t)seen,
                         .to = (uintptr_t)seen + nelems * kind.size,
                         .word = nelems == 1 ? (const void *)((uintptr_t)seen & ~(uintptr_t)7) : NULL};
}

/* --- one object --------------------------------------------------------------------------------------------------- */

/* Returns the key that ended the wait: the object may have changed again since. */
INLINE int64_t wait_until(const char *arg, const void *ivar, int cmp, const void *value, struct kind kind,
                          const char *routine)
{
    const char *seen = check(arg, ivar, 1, cmp, kind, routine);
    const int64_t with = key_of(value, kind);
    int64_t key = key_of(ivar, kind);
    if (holds(key, cmp, with))
        return key;
    struct wait w = wait_for(seen, 1, kind, routine);
    while (!holds(key = key_of(ivar, kind), cmp, with))
        wait_turn(&w);
    wait_end(&w);
    return key;
}

INLINE int test(const void *ivar, int cmp, const void *value, struct kind kind, const char *routine)
{
    check("ivar", ivar, 1, cmp, kind, routine);
    const int64_t with = key_of(value, kind);
    if (holds(key_of(ivar, kind), cmp, with))
        return true;
    if (LIKELY(!net.active))
        return false;
    net_asked();
    return holds(key_of(ivar, kind), cmp, with);
}

/* shmem_int_wait_until, shmem_int_test, shmem_int_wait ... */
#define WAIT_UNTIL(T, N) API(void, N##_wait_until, (T *ivar, int cmp, T cmp_value)) \
    { wait_until("ivar", ivar, cmp, &cmp_value, KIND(T), ROUTINE); }
#define TEST(T, N) API(int, N##_test, (T *ivar, int cmp, T cmp_value)) \
    { return test(ivar, cmp, &cmp_value, KIND(T), ROUTINE); }
#define OLD_WAIT(T, N) API(void, N##_wait, (T *ivar, T cmp_value)) \
    { wait_until("ivar", ivar, SHMEM_CMP_NE, &cmp_value, KIND(T), ROUTINE); }
COPAL_TYPES_WAIT(WAIT_UNTIL)
COPAL_TYPES_WAIT(TEST)
COPAL_TYPES_OLD_WAIT(OLD_WAIT)

API(void, wait_until, (long *ivar, int cmp, long cmp_value))
{
    wait_until("ivar", ivar, cmp, &cmp_value, KIND(long), ROUTINE);
}

API(void, wait, (long *ivar, long cmp_value))
{
    wait_until("ivar", ivar, SHMEM_CMP_NE, &cmp_value, KIND(long), ROUTINE);
}

API(uint64_t, signal_wait_until, (uint64_t *sig_addr, int cmp, uint64_t cmp_value))
{
    const int64_t key = wait_until("sig_addr", sig_addr, cmp, &cmp_value, KIND(uint64_t), ROUTINE);
    return (uint64_t)key ^ (uint64_t)1 << 63; /* to_key's inverse */
}

/* --- arrays ------------------------------------------------------------------------------------------------------- */

/* The participating elements of an array, and the value with which each is compared: one for all, or one for each. */
struct many {
    const char *ivars, *values;
    size_t nelems;
    const int *status; /* elements with status 0 participate; NULL: all elements do */
    int cmp;
    struct kind kind;
    bool vector;
};

INLINE bool takes_part(const struct many *m, size_t i)
{
    return !m->status || m->status[i] == 0;
}

static size_t count_taking_part(const struct many *m)
{
    size_t n = 0;
    for (size_t i = 0; i < m->nelems; i++)
        n += takes_part(m, i);
    return n;
}

/* The loops over arrays convert each of the six comparisons into a test that an object is in a range, or is not. One
 * test then serves all comparisons, signed and unsigned, in the arithmetic of the objects' width. */
struct range {
    uint64_t low, span;
};

INLINE bool is_negated(int cmp)
{
    return cmp == SHMEM_CMP_NE || cmp == SHMEM_CMP_GT || cmp == SHMEM_CMP_LT;
}

/* The range of the comparison or, if is_negated, of its opposite. It is never empty. */
INLINE struct range range_of(int cmp, uint64_t with, struct kind kind)
{
    const uint64_t min = kind.is_signed ? (uint64_t)1 << (8 * kind.size - 1) : 0;
    switch (cmp) {
    case SHMEM_CMP_EQ:
    case SHMEM_CMP_NE: return (struct range){with, 0};
    case SHMEM_CMP_LE:
    case SHMEM_CMP_GT: return (struct range){min, with - min};
    default: return (struct range){with, min - 1 - with};
    }
}

INLINE uint64_t load(const char *p, size_t size)
{
    switch (size) {
    case 8: return __atomic_load_n((const uint64_t *)(const void *)p, __ATOMIC_ACQUIRE);
    case 4: return __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_ACQUIRE);
    default: return __atomic_load_n((const uint16_t *)(const void *)p, __ATOMIC_ACQUIRE);
    }
}

INLINE bool is_in(uint64_t value, struct range r, size_t size)
{
    switch (size) {
    case 8: return value - r.low <= r.span;
    case 4: return (uint32_t)(value - r.low) <= (uint32_t)r.span;
    default: return (uint16_t)(value - r.low) <= (uint16_t)r.span;
    }
}

/* Finds participating elements in [from, end) whose comparison equals wanted. Returns the first index, or end; with
 * indices, stores all indices and returns their number. size is a constant and m a copy, which stays in registers. */
INLINE size_t find_in(struct many m, size_t size, size_t from, size_t end, bool wanted, size_t *indices)
{
    m.kind.size = size;
    const bool in = wanted != is_negated(m.cmp);
    struct range r = range_of(m.cmp, load(m.values, size), m.kind);
    size_t n = 0;
    for (size_t i = from; i < end; i++) {
        if (!takes_part(&m, i))
            continue;
        if (m.vector)
            r = range_of(m.cmp, load(m.values + i * size, size), m.kind);
        if (is_in(load(m.ivars + i * size, size), r, size) != in)
            continue;
        if (!indices)
            return i;
        indices[n++] = i;
    }
    return indices ? n : end;
}

INLINE size_t find_of_size(const struct many *m, size_t from, size_t end, bool wanted, size_t *indices)
{
    if (from >= end)
        return indices ? 0 : end;
    switch (m->kind.size) {
    case 8: return find_in(*m, 8, from, end, wanted, indices);
    case 4: return find_in(*m, 4, from, end, wanted, indices);
    default: return find_in(*m, 2, from, end, wanted, indices);
    }
}

static size_t find(const struct many *m, size_t from, size_t end, bool wanted)
{
    return find_of_size(m, from, end, wanted, NULL);
}

static size_t find_some(const struct many *m, size_t *indices)
{
    return find_of_size(m, 0, m->nelems, true, indices);
}

static bool find_all(const struct many *m)
{
    return find(m, 0, m->nelems, false) == m->nelems;
}

/* The search begins at a random element, so that successive calls find each element that satisfies the comparison, even
 * if other elements always satisfy it and calls on other arrays come between (9.11.3). */
static size_t find_any(const struct many *m)
{
    static _Thread_local uint64_t random;
    random = random * 6364136223846793005u + 1442695040888963407u;
    const size_t start = (random >> 32) % (m->nelems + !m->nelems);
    size_t at = find(m, start, m->nelems, true);
    if (at < m->nelems)
        return at;
    at = find(m, 0, start, true);
    return at < start ? at : SIZE_MAX;
}

enum wanted { ALL, ANY, SOME };

/* One test. ALL: returns whether all satisfy it; ANY: an index, or SIZE_MAX; SOME: the number of indices stored. */
static size_t ask(enum wanted wanted, const struct many *m, size_t *indices)
{
    switch (wanted) {
    case ALL: return find_all(m);
    case ANY: return find_any(m);
    default: return find_some(m, indices);
    }
}

/* The result of ask while the wait must continue. If no element participates, the wait returns it. */
static size_t no_answer(enum wanted wanted)
{
    return wanted == ANY ? SIZE_MAX : 0;
}

static size_t test_many(enum wanted wanted, const struct many *m, size_t *indices, const char *routine)
{
    check_initialized(routine);
    if (m->nelems)
        check("ivars", m->ivars, m->nelems, m->cmp, m->kind, routine);
    const size_t answer = ask(wanted, m, indices);
    if (LIKELY(answer != no_answer(wanted) || !net.active))
        return answer;
    net_asked();
    return ask(wanted, m, indices);
}

static size_t wait_many(enum wanted wanted, const struct many *m, size_t *indices, const char *routine)
{
    size_t answer = test_many(wanted, m, indices, routine);
    if (answer != no_answer(wanted) || count_taking_part(m) == 0)
        return answer;
    const char *seen = check("ivars", m->ivars, m->nelems, m->cmp, m->kind, routine);
    struct wait w = wait_for(seen, m->nelems, m->kind, routine);
    while ((answer = ask(wanted, m, indices)) == no_answer(wanted))
        wait_turn(&w);
    wait_end(&w);
    return answer;
}

#define MANY(T, VECTOR, VALUES) &(struct many){.ivars = (const char *)ivars, .values = (const char *)(VALUES), \
    .nelems = nelems, .status = status, .cmp = cmp, .kind = KIND(T), .vector = VECTOR}

/* shmem_int_wait_until_all, shmem_int_wait_until_any, shmem_int_wait_until_some, shmem_int_wait_until_all_vector,
 * shmem_int_wait_until_any_vector, shmem_int_wait_until_some_vector ... */
#define WAIT_ALL(T, N) \
    API(void, N##_wait_until_all, (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)) \
    { wait_many(ALL, MANY(T, false, &cmp_value), NULL, ROUTINE); }
#define WAIT_ANY(T, N) \
    API(size_t, N##_wait_until_any, (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)) \
    { return wait_many(ANY, MANY(T, false, &cmp_value), NULL, ROUTINE); }
#define WAIT_SOME(T, N) \
    API(size_t, N##_wait_until_some, \
        (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value)) \
    { return wait_many(SOME, MANY(T, false, &cmp_value), indices, ROUTINE); }
#define WAIT_ALL_VECTOR(T, N) \
    API(void, N##_wait_until_all_vector, (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values)) \
    { wait_many(ALL, MANY(T, true, cmp_values), NULL, ROUTINE); }
#define WAIT_ANY_VECTOR(T, N) \
    API(size_t, N##_wait_until_any_vector, (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values)) \
    { return wait_many(ANY, MANY(T, true, cmp_values), NULL, ROUTINE); }
#define WAIT_SOME_VECTOR(T, N) API(size_t, N##_wait_until_some_vector, \
        (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values)) \
    { return wait_many(SOME, MANY(T, true, cmp_values), indices, ROUTINE); }
COPAL_TYPES_AMO(WAIT_ALL)
COPAL_TYPES_AMO(WAIT_ANY)
COPAL_TYPES_AMO(WAIT_SOME)
COPAL_TYPES_AMO(WAIT_ALL_VECTOR)
COPAL_TYPES_AMO(WAIT_ANY_VECTOR)
COPAL_TYPES_AMO(WAIT_SOME_VECTOR)

/* shmem_int_test_all, shmem_int_test_any, shmem_int_test_some, shmem_int_test_all_vector, shmem_int_test_any_vector,
 * shmem_int_test_some_vector ... */
#define TEST_ALL(T, N) API(int, N##_test_all, (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)) \
    { return (int)test_many(ALL, MANY(T, false, &cmp_value), NULL, ROUTINE); }
#define TEST_ANY(T, N) API(size_t, N##_test_any, (T *ivars, size_t nelems, const int *status, int cmp, T cmp_value)) \
    { return test_many(ANY, MANY(T, false, &cmp_value), NULL, ROUTINE); }
#define TEST_SOME(T, N) \
    API(size_t, N##_test_some, (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, T cmp_value)) \
    { return test_many(SOME, MANY(T, false, &cmp_value), indices, ROUTINE); }
#define TEST_ALL_VECTOR(T, N) \
    API(int, N##_test_all_vector, (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values)) \
    { return (int)test_many(ALL, MANY(T, true, cmp_values), NULL, ROUTINE); }
#define TEST_ANY_VECTOR(T, N) \
    API(size_t, N##_test_any_vector, (T *ivars, size_t nelems, const int *status, int cmp, const T *cmp_values)) \
    { return test_many(ANY, MANY(T, true, cmp_values), NULL, ROUTINE); }
#define TEST_SOME_VECTOR(T, N) API(size_t, N##_test_some_vector, \
        (T *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const T *cmp_values)) \
    { return test_many(SOME, MANY(T, true, cmp_values), indices, ROUTINE); }
COPAL_TYPES_AMO(TEST_ALL)
COPAL_TYPES_AMO(TEST_ANY)
COPAL_TYPES_AMO(TEST_SOME)
COPAL_TYPES_AMO(TEST_ALL_VECTOR)
COPAL_TYPES_AMO(TEST_ANY_VECTOR)
COPAL_TYPES_AMO(TEST_SOME_VECTOR)
