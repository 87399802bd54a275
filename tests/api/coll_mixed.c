/* Many different collectives in sequence, without synchronization between them, with changing roots and lengths, and
 * with PEs that are late at random: first on one team, then alternately on two teams (row and column of a grid; each
 * PE belongs to both), then on active sets between team calls. */
#include "coll_moves.h"
#include "coll_set.h"
#include "coll_team.h"

enum { MAX_ELEMENTS = 40, N_KINDS = 9 };

#define PIECE(NAME) static int NAME(ON, size_t n) { return shmem_long_##NAME(s->team, d, f, n); }
PIECE(fcollect)
PIECE(collect)
PIECE(alltoall)

static int broadcast(ON, size_t n, int root)
{
    return shmem_long_broadcast(s->team, d, f, n, root);
}

static const struct moves longs = {.type = {"long", sizeof(long), set_long, same_long}, .broadcast = broadcast,
                                   .pieces = {fcollect, collect, alltoall}};

static long sum_of(const struct shape *s, int n, uint64_t serial, size_t i)
{
    uint64_t sum = 0;
    for (int k = 0; k < n; k++)
        sum += value(serial, shape_pe(s, k), i) >> 16;
    return (long)sum;
}

static void fill_small(long *source, size_t n, uint64_t serial)
{
    for (size_t i = 0; i < n; i++)
        source[i] = (long)(value(serial, shmem_my_pe(), i) >> 16);
}

/* The collectives that add, kinds 4 to 6. (Kinds 0 to 3 are above; 7 and 8 are a sync.) */
static void add_call(const struct shape *s, int kind, long *dest, long *source, size_t n, uint64_t serial)
{
    fill_small(source, n, serial);
    int terms = kind == 4 ? s->size : kind == 5 ? s->me + 1 : s->me;
    if (kind == 4)
        shmem_long_sum_reduce(s->team, dest, source, n);
    else if (kind == 5)
        shmem_long_sum_inscan(s->team, dest, source, n);
    else
        shmem_long_sum_exscan(s->team, dest, source, n);
    for (size_t i = 0; i < n; i++)
        CHECK(dest[i] == sum_of(s, terms, serial, i), "sum kind %d on %s: element %zu is %ld, expected %ld", kind,
              s->name, i, dest[i], sum_of(s, terms, serial, i));
}

static void any_call(const struct shape *s, struct places *p, long *source, uint64_t serial)
{
    uint64_t h = value(serial, 0, 3);
    size_t n = h >> 20 & 1 ? (h >> 24) % (MAX_ELEMENTS + 1) : (h >> 24) % 3;
    int kind = (int)(h % N_KINDS);
    const int which = kind - 1; /* index of a collective that copies blocks */
    size_t most = which >= 0 && which < PIECES ? (which == COLLECT ? MAX_ELEMENTS : n) * (size_t)s->size : n;
    dawdle(value(serial, shmem_my_pe(), 4), (unsigned)(20 * s->size), 200);
    long *dest = places_take(p, most * sizeof(long));
    if (kind == 0)
        broadcast_once(s, &longs, dest, source, n, (int)(value(serial, 0, 5) % (uint64_t)s->size), serial);
    else if (which < PIECES)
        pieces_once(s, &longs, which, (unsigned char *)dest, source, which == COLLECT ? MAX_ELEMENTS : n, serial);
    else if (kind <= 6)
        add_call(s, kind, dest, source, n, serial);
    else
        shmem_team_sync(s->team);
    places_check(dest, most * sizeof(long), "mixed");
}

static size_t most_bytes(int calls)
{
    return (size_t)calls * (size_t)shmem_n_pes() * MAX_ELEMENTS * sizeof(long);
}

static void one_team(const struct shape *s, int calls, int round)
{
    size_t source_bytes = (size_t)shmem_n_pes() * MAX_ELEMENTS * sizeof(long);
    struct places *p = places_begin(round, most_bytes(calls) + source_bytes, (size_t)calls + 1);
    if (s->me < 0)
        return;
    long *source = places_take(p, source_bytes);
    for (int c = 0; c < calls; c++)
        any_call(s, p, source, (uint64_t)(round * 100000 + c));
}

/* Collectives of a row and of a column alternate in a common sequence. */
static void two_teams(const struct shape *a, const struct shape *b, int calls, int round)
{
    size_t source_bytes = (size_t)shmem_n_pes() * MAX_ELEMENTS * sizeof(long);
    /* The result memory of one team must not depend on the other team: members of one row are in different columns. */
    struct places *p = places_begin(round, 2 * (most_bytes(calls) + source_bytes) + 16, 2 * (size_t)calls + 4);
    struct places of_a = {p->base, p->size / 2 / 16 * 16, 0, 0}, of_b = {p->base + of_a.size, of_a.size, 0, 0};
    long *source_a = places_take(&of_a, source_bytes), *source_b = places_take(&of_b, source_bytes);
    p->dirty = p->size;
    for (int c = 0; c < calls; c++) {
        if (value((uint64_t)(round * 100 + c), 0, 6) % 2)
            any_call(a, &of_a, source_a, (uint64_t)(round * 100000 + c));
        else
            any_call(b, &of_b, source_b, (uint64_t)(round * 100000 + c));
    }
}

static void grid(int xrange, int calls, int round)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), y = me / xrange, x = me % xrange;
    shmem_team_t row = SHMEM_TEAM_INVALID, column = SHMEM_TEAM_INVALID;
    int rc = shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, NULL, 0, &row, NULL, 0, &column);
    CHECK(rc == 0, "split_2d with xrange %d returned %d", xrange, rc);
    int row_size = (y + 1) * xrange <= n ? xrange : n - y * xrange;
    struct shape rows = shape_of("row", row, y * xrange, 1, row_size);
    struct shape columns = shape_of("column", column, x, xrange, (n - x + xrange - 1) / xrange);
    two_teams(&rows, &columns, calls, round);
    shmem_barrier_all();
    shmem_team_destroy(row);
    shmem_team_destroy(column);
}

/* A broadcast on an active set, followed immediately by a collective on the team of the same PEs. */
static void sets_between(const struct shape *s, const struct shape *set, int calls, int round)
{
    const struct type *t = &longs.type;
    size_t bytes = MAX_ELEMENTS * sizeof(long), source_bytes = (size_t)shmem_n_pes() * bytes;
    struct places *p = places_begin(round, most_bytes(calls) + source_bytes + (size_t)calls * bytes + bytes,
                                    2 * (size_t)calls + 2);
    set_begin();
    if (s->me < 0)
        return;
    long *source = places_take(p, source_bytes), *set_source = places_take(p, bytes);
    for (int c = 0; c < calls; c++) {
        uint64_t serial = (uint64_t)(round * 100000 + 2 * c);
        int root = c % set->size;
        long *dest = places_take(p, bytes), *psync = psync_take(set);
        fill(t, set_source, MAX_ELEMENTS, serial, shmem_my_pe(), 0);
        shmem_broadcast64(dest, set_source, MAX_ELEMENTS, root, set->start, log_stride(set), set->size, psync);
        if (set->me != root)
            verify(t, dest, MAX_ELEMENTS, serial, shape_pe(set, root), 0, "broadcast64 between team calls");
        any_call(s, p, source, serial + 1);
    }
}

int main(void)
{
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    struct shape sets[MAX_SETS];
    int n_shapes = shapes_make(shapes), round = 0, n_pes = shmem_n_pes();
    sets_make(sets);
    int calls = n_pes <= 2 ? 4000 : n_pes <= 8 ? 1500 : 700;
    one_team(&shapes[0], calls, round++);
    for (int i = 1; i < n_shapes; i++)
        one_team(&shapes[i], calls / 10, round++);
    for (int xrange = 1; xrange <= n_pes; xrange *= 2)
        grid(xrange, calls / 5, round++);
    for (int i = 0; i < 2; i++)
        sets_between(&shapes[0], &sets[0], calls / 20, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
