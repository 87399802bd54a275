/* Team collect (a different length on every PE, zero on some) and fcollect: every type and the mem forms, every shape
 * of team. */
#include "coll_team.h"

typedef int collect_fn(shmem_team_t team, void *dest, const void *source, size_t nelems);

#define COLLECT(T, N) static int N##_collect(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_collect(t, d, s, n); }
#define FCOLLECT(T, N) static int N##_fcollect(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_fcollect(t, d, s, n); }
#define COLLECT_ROW(T, N) N##_collect,
#define FCOLLECT_ROW(T, N) N##_fcollect,
COPAL_TYPES_RMA(COLLECT)
COPAL_TYPES_RMA(FCOLLECT)
static collect_fn *const collects[N_TYPES] = {COPAL_TYPES_RMA(COLLECT_ROW) shmem_collectmem};
static collect_fn *const fcollects[N_TYPES] = {COPAL_TYPES_RMA(FCOLLECT_ROW) shmem_fcollectmem};

/* How much PE pe gives to collect call `serial`, at most max; nothing in a quarter of the cases. */
static size_t length_of(uint64_t serial, int pe, size_t max)
{
    uint64_t h = value(serial, pe, 999999);
    return h % 4 == 0 ? 0 : (h >> 8) % (max + 1);
}

static void fcollect_once(const struct shape *s, int type, void *dest, void *source, size_t n, uint64_t serial)
{
    const struct type *t = &types[type];
    fill(t, source, n, serial, shmem_my_pe(), 0);
    int rc = fcollects[type](s->team, dest, source, n);
    CHECK(rc == 0, "%s fcollect on %s returned %d", t->name, s->name, rc);
    for (int k = 0; k < s->size; k++)
        verify(t, (char *)dest + (size_t)k * n * t->size, n, serial, shape_pe(s, k), 0, "fcollect");
    places_check(dest, (size_t)s->size * n * t->size, "fcollect");
}

static void collect_once(const struct shape *s, int type, void *dest, void *source, size_t max, uint64_t serial)
{
    const struct type *t = &types[type];
    size_t mine = length_of(serial, shmem_my_pe(), max), total = 0;
    fill(t, source, mine, serial, shmem_my_pe(), 0);
    int rc = collects[type](s->team, dest, source, mine);
    CHECK(rc == 0, "%s collect on %s returned %d", t->name, s->name, rc);
    for (int k = 0; k < s->size; k++) {
        size_t n = length_of(serial, shape_pe(s, k), max);
        verify(t, (char *)dest + total * t->size, n, serial, shape_pe(s, k), 0, "collect");
        total += n;
    }
    places_check(dest, total * t->size, "collect");
}

static void collect_counts(const struct shape *s, int type, const size_t *counts, int n_counts, int round)
{
    size_t sum = 0, size = types[type].size;
    for (int c = 0; c < n_counts; c++)
        sum += counts[c];
    size_t need = 2 * sum * (size_t)s->size * size + (counts[n_counts - 1] + 1) * size + 8 * (size_t)n_counts;
    struct places *p = places_begin(round, need, 2 * (size_t)n_counts + 1);
    if (s->me < 0)
        return;
    size_t odd = type == MEM; /* the mem forms get odd addresses */
    unsigned char *source = places_take(p, counts[n_counts - 1] * size + odd);
    for (int c = 0; c < n_counts; c++) {
        size_t bytes = counts[c] * (size_t)s->size * size + odd;
        uint64_t serial = (uint64_t)(round * 100 + 2 * c);
        unsigned char *dest = places_take(p, bytes);
        fcollect_once(s, type, dest + odd, source + odd, counts[c], serial);
        dest = places_take(p, bytes);
        collect_once(s, type, dest + odd, source + odd, counts[c], serial + 1);
    }
}

int main(void)
{
    static const size_t small[] = {0, 1, 2, 3, 7, 64}, medium[] = {1000};
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int type = 0; type < N_TYPES; type++)
        for (int i = type % 2; i < n_shapes; i += type < 2 || type == MEM ? 1 : 2)
            collect_counts(&shapes[i], type, small, 6, round++);
    for (int i = 0; i < n_shapes; i++)
        collect_counts(&shapes[i], (i * 5) % (N_TYPES - 1), medium, 1, round++);
    /* 100000 elements from each of up to four PEs, and less from each where there are more. */
    size_t n_pes = (size_t)shmem_n_pes(), large[] = {n_pes <= 4 ? 100000 : 1600000 / (n_pes * n_pes)};
    collect_counts(&shapes[0], 1, large, 1, round++);
    collect_counts(&shapes[n_shapes - 1], MEM, large, 1, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
