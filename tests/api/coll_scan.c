/* Prefix sums, inclusive and exclusive: every type, in place and not, on every shape of team.  PE 0 of the team gets
 * zeros from the exclusive scan. */
#include "coll_reduce.h"
#include "coll_team.h"

typedef int scan_fn(shmem_team_t team, void *dest, const void *source, size_t n);

#define INSCAN(T, N) static int N##_inscan(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_sum_inscan(t, d, s, n); }
#define EXSCAN(T, N) static int N##_exscan(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_sum_exscan(t, d, s, n); }
#define ROW(T, N) {N##_inscan, N##_exscan, REDUCTION(T, N, SUM, sum)},

COPAL_TYPES_REDUCE_ARITH(ASSIGN)
COPAL_TYPES_REDUCE_ARITH(EQUAL)
COPAL_TYPES_REDUCE_ARITH(SUM_COMBINE)
COPAL_TYPES_REDUCE_ARITH(INSCAN)
COPAL_TYPES_REDUCE_ARITH(EXSCAN)

static const struct {
    scan_fn *inclusive, *exclusive;
    struct reduction r;
} table[] = {COPAL_TYPES_REDUCE_ARITH(ROW)};
enum { N_SCANS = sizeof table / sizeof table[0], MAX_SIZE = 16 };

static void scan_once(const struct shape *s, int row, int exclusive, void *dest, void *source, size_t n,
                      uint64_t serial)
{
    const struct reduction *r = &table[row].r;
    fill_operands(r, source, n, serial);
    int rc = (exclusive ? table[row].exclusive : table[row].inclusive)(s->team, dest, source, n);
    CHECK(rc == 0, "%s scan on %s returned %d", r->name, s->name, rc);
    int terms = exclusive ? s->me : s->me + 1;
    if (terms > 0) {
        verify_reduction(r, dest, n, serial, s->start, s->stride, terms, exclusive ? "exscan" : "inscan");
        return;
    }
    _Alignas(32) unsigned char zero[32];
    r->assign(zero, 0, 0);
    for (size_t i = 0; i < n; i++)
        CHECK(r->equal((char *)dest + i * r->size, zero), "%s exscan: element %zu on PE 0 is not zero", r->name, i);
    places_check(dest, n * r->size, "exscan");
}

static void every_scan(const struct shape *s, int round)
{
    static const size_t counts[] = {1, 2, 3, 7, 64, 0, 5};
    struct places *p = places_begin(round, (2 * N_SCANS + 2) * 64 * MAX_SIZE, 2 * N_SCANS + 1);
    if (s->me < 0)
        return;
    void *source = places_take(p, 64 * MAX_SIZE);
    for (int call = 0; call < 2 * N_SCANS; call++) {
        int row = call / 2;
        size_t n = counts[(call + round) % 7];
        void *dest = places_take(p, n * table[row].r.size);
        void *from = (call + round) % 3 ? source : dest;
        scan_once(s, row, call % 2, dest, from, n, (uint64_t)(round * 1000 + call));
    }
}

static void large(const struct shape *s, int row, size_t n, int round)
{
    size_t bytes = n * table[row].r.size;
    struct places *p = places_begin(round, 3 * bytes, 3);
    if (s->me < 0)
        return;
    void *source = places_take(p, bytes), *dest = places_take(p, bytes), *both = places_take(p, bytes);
    scan_once(s, row, round % 2, dest, source, n, (uint64_t)(round * 1000));
    scan_once(s, row, !(round % 2), both, both, n, (uint64_t)(round * 1000 + 1));
}

int main(void)
{
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_shapes; i++)
            every_scan(&shapes[i], round++);
    for (int i = 0; i < n_shapes; i++)
        large(&shapes[i], (i * 7) % N_SCANS, 1000, round++);
    for (int i = 0; i < 2; i++)
        large(&shapes[0], i ? 24 : 3, shmem_n_pes() <= 4 ? 100000 : 20000, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
