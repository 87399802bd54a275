/* Team reductions: every operation on every type, out of place and in place, on every shape of team. */
#include "coll_reduce.h"
#include "coll_team.h"

typedef int call_fn(shmem_team_t team, void *dest, const void *source, size_t n);

#define CALL(T, N, OP) static int N##_##OP##_call(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_##OP##_reduce(t, d, s, n); }
#define TYPES_BIT COPAL_TYPES_REDUCE_BIT
#define TYPES_ORD COPAL_TYPES_REDUCE_ORD
#define TYPES_ARITH COPAL_TYPES_REDUCE_ARITH
#include "reduction_table.inc"

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
