/* Team reductions: every operation on every type, out of place and in place, on every shape of team. */
#include "coll_reduce.h"
#include "coll_team.h"

typedef int reduce_fn(shmem_team_t team, void *dest, const void *source, size_t n);

#define CALL(T, N, OP) static int N##_##OP##_call(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_##OP##_reduce(t, d, s, n); }
#define AND_CALL(T, N) CALL(T, N, and)
#define OR_CALL(T, N) CALL(T, N, or)
#define XOR_CALL(T, N) CALL(T, N, xor)
#define MAX_CALL(T, N) CALL(T, N, max)
#define MIN_CALL(T, N) CALL(T, N, min)
#define SUM_CALL(T, N) CALL(T, N, sum)
#define PROD_CALL(T, N) CALL(T, N, prod)

COPAL_TYPES_REDUCE_ARITH(ASSIGN)
COPAL_TYPES_REDUCE_ARITH(EQUAL)
COPAL_TYPES_REDUCE_BIT(AND_COMBINE)
COPAL_TYPES_REDUCE_BIT(OR_COMBINE)
COPAL_TYPES_REDUCE_BIT(XOR_COMBINE)
COPAL_TYPES_REDUCE_ORD(MAX_COMBINE)
COPAL_TYPES_REDUCE_ORD(MIN_COMBINE)
COPAL_TYPES_REDUCE_ARITH(SUM_COMBINE)
COPAL_TYPES_REDUCE_ARITH(PROD_COMBINE)
COPAL_TYPES_REDUCE_BIT(AND_CALL)
COPAL_TYPES_REDUCE_BIT(OR_CALL)
COPAL_TYPES_REDUCE_BIT(XOR_CALL)
COPAL_TYPES_REDUCE_ORD(MAX_CALL)
COPAL_TYPES_REDUCE_ORD(MIN_CALL)
COPAL_TYPES_REDUCE_ARITH(SUM_CALL)
COPAL_TYPES_REDUCE_ARITH(PROD_CALL)

#define AND_ROW(T, N) {N##_and_call, REDUCTION(T, N, AND, and)},
#define OR_ROW(T, N) {N##_or_call, REDUCTION(T, N, OR, or)},
#define XOR_ROW(T, N) {N##_xor_call, REDUCTION(T, N, XOR, xor)},
#define MAX_ROW(T, N) {N##_max_call, REDUCTION(T, N, MAX, max)},
#define MIN_ROW(T, N) {N##_min_call, REDUCTION(T, N, MIN, min)},
#define SUM_ROW(T, N) {N##_sum_call, REDUCTION(T, N, SUM, sum)},
#define PROD_ROW(T, N) {N##_prod_call, REDUCTION(T, N, PROD, prod)},

static const struct {
    reduce_fn *call;
    struct reduction r;
} table[] = {
    COPAL_TYPES_REDUCE_BIT(AND_ROW) COPAL_TYPES_REDUCE_BIT(OR_ROW) COPAL_TYPES_REDUCE_BIT(XOR_ROW)
    COPAL_TYPES_REDUCE_ORD(MAX_ROW) COPAL_TYPES_REDUCE_ORD(MIN_ROW)
    COPAL_TYPES_REDUCE_ARITH(SUM_ROW) COPAL_TYPES_REDUCE_ARITH(PROD_ROW)
};
enum { N_REDUCTIONS = sizeof table / sizeof table[0], MAX_SIZE = 16 };

static void reduce_once(const struct shape *s, int row, void *dest, void *source, size_t n, uint64_t serial)
{
    const struct reduction *r = &table[row].r;
    fill_operands(r, source, n, serial);
    int rc = table[row].call(s->team, dest, source, n);
    CHECK(rc == 0, "%s on %s returned %d", r->name, s->name, rc);
    verify_reduction(r, dest, n, serial, s->start, s->stride, s->size, s->name);
}

/* All operations on all types, with small counts; every third call is in place. */
static void every_reduction(const struct shape *s, int round)
{
    static const size_t counts[] = {1, 2, 3, 7, 64, 0, 5};
    struct places *p = places_begin(round, (N_REDUCTIONS + 2) * 64 * MAX_SIZE, N_REDUCTIONS + 1);
    if (s->me < 0)
        return;
    void *source = places_take(p, 64 * MAX_SIZE);
    for (int row = 0; row < N_REDUCTIONS; row++) {
        size_t n = counts[(row + round) % 7];
        void *dest = places_take(p, n * table[row].r.size);
        reduce_once(s, row, dest, (row + round) % 3 ? source : dest, n, (uint64_t)(round * 1000 + row));
    }
}

/* Every operation over many elements: `every` says how many rows of the table are skipped. */
static void large(const struct shape *s, int every, size_t n, int round)
{
    size_t calls = (size_t)(N_REDUCTIONS / every + 1);
    struct places *p = places_begin(round, (calls + 1) * n * MAX_SIZE, calls + 1);
    if (s->me < 0)
        return;
    void *source = places_take(p, n * MAX_SIZE);
    for (int row = round % every; row < N_REDUCTIONS; row += every) {
        void *dest = places_take(p, n * table[row].r.size);
        reduce_once(s, row, dest, row % 3 ? source : dest, n, (uint64_t)(round * 1000 + row));
    }
}

int main(void)
{
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int i = 0; i < n_shapes; i++)
        every_reduction(&shapes[i], round++);
    every_reduction(&shapes[0], round++);
    every_reduction(&shapes[0], round++);
    for (int i = 0; i < n_shapes; i += 3)
        large(&shapes[i], 40, 1000, round++);
    /* Checking costs n_pes operands per element on each PE. */
    large(&shapes[0], N_REDUCTIONS, shmem_n_pes() <= 4 ? 100000 : 20000, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
