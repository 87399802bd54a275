/* Reductions on active sets: every operation on every type, out of place and in place. */
#include "coll_reduce.h"
#include "coll_set.h"

typedef void to_all_fn(void *dest, const void *source, int n, int start, int log_stride, int size, void *pwrk, long *);

#define CALL(T, N, OP) static void N##_##OP##_call(void *d, const void *s, int n, int start, int log_stride, \
    int size, void *pwrk, long *psync) { shmem_##N##_##OP##_to_all(d, s, n, start, log_stride, size, pwrk, psync); }
#define AND_CALL(T, N) CALL(T, N, and)
#define OR_CALL(T, N) CALL(T, N, or)
#define XOR_CALL(T, N) CALL(T, N, xor)
#define MAX_CALL(T, N) CALL(T, N, max)
#define MIN_CALL(T, N) CALL(T, N, min)
#define SUM_CALL(T, N) CALL(T, N, sum)
#define PROD_CALL(T, N) CALL(T, N, prod)

COPAL_TYPES_TO_ALL_ARITH(ASSIGN)
COPAL_TYPES_TO_ALL_ARITH(EQUAL)
COPAL_TYPES_TO_ALL_BIT(AND_COMBINE)
COPAL_TYPES_TO_ALL_BIT(OR_COMBINE)
COPAL_TYPES_TO_ALL_BIT(XOR_COMBINE)
COPAL_TYPES_TO_ALL_ORD(MAX_COMBINE)
COPAL_TYPES_TO_ALL_ORD(MIN_COMBINE)
COPAL_TYPES_TO_ALL_ARITH(SUM_COMBINE)
COPAL_TYPES_TO_ALL_ARITH(PROD_COMBINE)
COPAL_TYPES_TO_ALL_BIT(AND_CALL)
COPAL_TYPES_TO_ALL_BIT(OR_CALL)
COPAL_TYPES_TO_ALL_BIT(XOR_CALL)
COPAL_TYPES_TO_ALL_ORD(MAX_CALL)
COPAL_TYPES_TO_ALL_ORD(MIN_CALL)
COPAL_TYPES_TO_ALL_ARITH(SUM_CALL)
COPAL_TYPES_TO_ALL_ARITH(PROD_CALL)

#define AND_ROW(T, N) {N##_and_call, REDUCTION(T, N, AND, and)},
#define OR_ROW(T, N) {N##_or_call, REDUCTION(T, N, OR, or)},
#define XOR_ROW(T, N) {N##_xor_call, REDUCTION(T, N, XOR, xor)},
#define MAX_ROW(T, N) {N##_max_call, REDUCTION(T, N, MAX, max)},
#define MIN_ROW(T, N) {N##_min_call, REDUCTION(T, N, MIN, min)},
#define SUM_ROW(T, N) {N##_sum_call, REDUCTION(T, N, SUM, sum)},
#define PROD_ROW(T, N) {N##_prod_call, REDUCTION(T, N, PROD, prod)},

static const struct {
    to_all_fn *call;
    struct reduction r;
} table[] = {
    COPAL_TYPES_TO_ALL_BIT(AND_ROW) COPAL_TYPES_TO_ALL_BIT(OR_ROW) COPAL_TYPES_TO_ALL_BIT(XOR_ROW)
    COPAL_TYPES_TO_ALL_ORD(MAX_ROW) COPAL_TYPES_TO_ALL_ORD(MIN_ROW)
    COPAL_TYPES_TO_ALL_ARITH(SUM_ROW) COPAL_TYPES_TO_ALL_ARITH(PROD_ROW)
};
enum { N_REDUCTIONS = sizeof table / sizeof table[0], MAX_SIZE = 16 };

/* One work array per pSync: what holds for the reuse of a pSync holds for its pWrk. */
static size_t pwrk_bytes(size_t n)
{
    size_t elements = n / 2 + 1;
    return (elements > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? elements : SHMEM_REDUCE_MIN_WRKDATA_SIZE) * MAX_SIZE;
}

static void reduce_once(const struct set *s, int row, void *dest, void *source, void *pwrk[N_SYNCS], size_t n,
                        uint64_t serial)
{
    const struct reduction *r = &table[row].r;
    long *psync = psync_take(s);
    fill_operands(r, source, n, serial);
    table[row].call(dest, source, (int)n, s->start, s->log_stride, s->size, pwrk[next_psync - 1], psync);
    verify_reduction(r, dest, n, serial, s->start, 1 << s->log_stride, s->size, "active set");
    psync_check(psync, r->name);
}

/* Every `every`-th row of the table, n elements, or small counts in turn if n is 0. */
static void reduce_rows(const struct set *s, int every, size_t n, int round)
{
    static const size_t counts[] = {1, 2, 3, 7, 64, 5};
    size_t most = n ? n : 64, calls = (size_t)(N_REDUCTIONS / every + 1);
    struct places *p = places_begin(round, (calls + 1) * most * MAX_SIZE + N_SYNCS * pwrk_bytes(most), calls + 5);
    set_begin();
    if (s->me < 0)
        return;
    void *source = places_take(p, most * MAX_SIZE), *pwrk[N_SYNCS];
    for (int i = 0; i < N_SYNCS; i++)
        pwrk[i] = places_take(p, pwrk_bytes(most));
    for (int row = round % every; row < N_REDUCTIONS; row += every) {
        size_t count = n ? n : counts[(row + round) % 6];
        void *dest = places_take(p, count * table[row].r.size);
        reduce_once(s, row, dest, (row + round) % 3 ? source : dest, pwrk, count, (uint64_t)(round * 1000 + row));
    }
}

int main(void)
{
    shmem_init();
    struct set sets[MAX_SETS];
    int n_sets = sets_make(sets), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_sets; i++)
            reduce_rows(&sets[i], 1, 0, round++);
    for (int i = 0; i < n_sets; i++)
        reduce_rows(&sets[i], 7, 1000, round++);
    for (int i = 0; i < 2; i++)
        reduce_rows(&sets[i * (n_sets - 1)], N_REDUCTIONS, shmem_n_pes() <= 4 ? 100000 : 20000, round++);
    shmem_finalize();
    return check_result();
}
