/* Team alltoall and alltoalls (strides 1 to 3 on either side): every type and the mem forms, every shape of team.
 * alltoalls must leave what lies between the strided elements alone. */
#include "coll_team.h"

typedef int alltoall_fn(shmem_team_t team, void *dest, const void *source, size_t nelems);
typedef int alltoalls_fn(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t n);

#define ALLTOALL(T, N) static int N##_alltoall(shmem_team_t t, void *d, const void *s, size_t n) \
    { return shmem_##N##_alltoall(t, d, s, n); }
#define ALLTOALLS(T, N) static int N##_alltoalls(shmem_team_t t, void *d, const void *s, ptrdiff_t dst, \
    ptrdiff_t sst, size_t n) { return shmem_##N##_alltoalls(t, d, s, dst, sst, n); }
#define ALLTOALL_ROW(T, N) N##_alltoall,
#define ALLTOALLS_ROW(T, N) N##_alltoalls,
COPAL_TYPES_RMA(ALLTOALL)
COPAL_TYPES_RMA(ALLTOALLS)
static alltoall_fn *const alltoall[N_TYPES] = {COPAL_TYPES_RMA(ALLTOALL_ROW) shmem_alltoallmem};
static alltoalls_fn *const alltoalls[N_TYPES] = {COPAL_TYPES_RMA(ALLTOALLS_ROW) shmem_alltoallsmem};

/* Element i for PE l of the team is value number l * n + i of the PE that sends it. */
static void alltoall_once(const struct shape *s, int type, void *dest, void *source, size_t n, uint64_t serial)
{
    const struct type *t = &types[type];
    fill(t, source, (size_t)s->size * n, serial, shmem_my_pe(), 0);
    int rc = alltoall[type](s->team, dest, source, n);
    CHECK(rc == 0, "%s alltoall on %s returned %d", t->name, s->name, rc);
    for (int k = 0; k < s->size; k++)
        verify(t, (char *)dest + (size_t)k * n * t->size, n, serial, shape_pe(s, k), (size_t)s->me * n, "alltoall");
    places_check(dest, (size_t)s->size * n * t->size, "alltoall");
}

static void alltoalls_once(const struct shape *s, int type, void *dest, void *source, size_t dst, size_t sst, size_t n,
                           uint64_t serial)
{
    const struct type *t = &types[type];
    size_t all = (size_t)s->size * n;
    memset(source, 0x11, all * sst * t->size);
    for (size_t i = 0; i < all; i++)
        t->set(source, i * sst, value(serial, shmem_my_pe(), i));
    int rc = alltoalls[type](s->team, dest, source, (ptrdiff_t)dst, (ptrdiff_t)sst, n);
    CHECK(rc == 0, "%s alltoalls on %s returned %d", t->name, s->name, rc);
    for (size_t i = 0; i < all; i++) {
        const unsigned char *at = (const unsigned char *)dest + i * dst * t->size;
        int from = shape_pe(s, (int)(i / n));
        if (!t->same(at, 0, value(serial, from, (size_t)s->me * n + i % n))) {
            CHECK(0, "%s alltoalls dst %zu sst %zu: element %zu from PE %d is wrong", t->name, dst, sst, i % n, from);
            return;
        }
        CHECK(is_poison(at + t->size, (dst - 1) * t->size), "%s alltoalls dst %zu: wrote between elements", t->name,
              dst);
    }
    places_check(dest, all * dst * t->size, "alltoalls");
}

static void exchange(const struct shape *s, int type, const size_t *counts, int n_counts, int round)
{
    size_t sum = 0, block = (size_t)s->size * types[type].size, most = counts[n_counts - 1] * block;
    for (int c = 0; c < n_counts; c++)
        sum += counts[c] * block + 2;
    struct places *p = places_begin(round, sum + 3 * sum + 3 * most + 2, 2 * (size_t)n_counts + 1);
    if (s->me < 0)
        return;
    size_t odd = type == MEM; /* the mem forms get odd addresses */
    unsigned char *source = places_take(p, 3 * most + odd);
    for (int c = 0; c < n_counts; c++) {
        size_t n = counts[c], dst = (size_t)(round + c) % 3 + 1, sst = (size_t)(round + c) / 3 % 3 + 1;
        uint64_t serial = (uint64_t)(round * 100 + 2 * c);
        unsigned char *dest = places_take(p, n * block + odd);
        alltoall_once(s, type, dest + odd, source + odd, n, serial);
        dest = places_take(p, n * dst * block + odd);
        alltoalls_once(s, type, dest + odd, source + odd, dst, sst, n, serial + 1);
    }
}

int main(void)
{
    static const size_t small[] = {0, 1, 2, 3, 7, 30}, medium[] = {500};
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int type = 0; type < N_TYPES; type++)
        for (int i = type % 2; i < n_shapes; i += type < 2 || type == MEM ? 1 : 2)
            exchange(&shapes[i], type, small, 6, round++);
    for (int i = 0; i < n_shapes; i += 2)
        exchange(&shapes[i], (i * 5) % (N_TYPES - 1), medium, 1, round++);
    /* 100000 elements for each of two PEs, and as much in all where there are more. */
    size_t n_pes = (size_t)shmem_n_pes(), large[] = {n_pes <= 2 ? 100000 : 400000 / (n_pes * n_pes)};
    exchange(&shapes[0], 1, large, 1, round++);
    exchange(&shapes[n_shapes - 1], MEM, large, 1, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
