/* Collectives on active sets, 32 and 64 bits wide: broadcast (the root's dest stays as it was), collect, fcollect,
 * alltoall, alltoalls. */
#include "coll_set.h"

typedef void broadcast_fn(void *, const void *, size_t, int root, int start, int log_stride, int size, long *);
typedef void collect_fn(void *, const void *, size_t, int start, int log_stride, int size, long *);
typedef void alltoalls_fn(void *, const void *, ptrdiff_t dst, ptrdiff_t sst, size_t, int start, int log_stride,
                          int size, long *);

static const struct width {
    struct type type;
    broadcast_fn *broadcast;
    collect_fn *collect, *fcollect, *alltoall;
    alltoalls_fn *alltoalls;
} widths[2] = {
    {{"32", 4, set_uint32, same_uint32}, shmem_broadcast32, shmem_collect32, shmem_fcollect32, shmem_alltoall32,
     shmem_alltoalls32},
    {{"64", 8, set_uint64, same_uint64}, shmem_broadcast64, shmem_collect64, shmem_fcollect64, shmem_alltoall64,
     shmem_alltoalls64},
};

static void broadcast_once(const struct set *s, const struct width *w, void *dest, void *source, size_t n,
                           uint64_t serial)
{
    int root = (int)(serial % (uint64_t)s->size);
    long *psync = psync_take(s);
    fill(&w->type, source, n, serial, shmem_my_pe(), 0);
    w->broadcast(dest, source, n, root, s->start, s->log_stride, s->size, psync);
    if (s->me == root)
        CHECK(is_poison(dest, n * w->type.size), "broadcast%s wrote dest on its root", w->type.name);
    else
        verify(&w->type, dest, n, serial, set_pe(s, root), 0, "broadcast");
    places_check(dest, n * w->type.size, "broadcast");
    psync_check(psync, "broadcast");
}

static void fcollect_once(const struct set *s, const struct width *w, void *dest, void *source, size_t n,
                          uint64_t serial)
{
    long *psync = psync_take(s);
    fill(&w->type, source, n, serial, shmem_my_pe(), 0);
    w->fcollect(dest, source, n, s->start, s->log_stride, s->size, psync);
    for (int k = 0; k < s->size; k++)
        verify(&w->type, (char *)dest + (size_t)k * n * w->type.size, n, serial, set_pe(s, k), 0, "fcollect");
    places_check(dest, (size_t)s->size * n * w->type.size, "fcollect");
    psync_check(psync, "fcollect");
}

static size_t length_of(uint64_t serial, int pe, size_t max)
{
    uint64_t h = value(serial, pe, 999999);
    return h % 4 == 0 ? 0 : (h >> 8) % (max + 1);
}

static void collect_once(const struct set *s, const struct width *w, void *dest, void *source, size_t max,
                         uint64_t serial)
{
    long *psync = psync_take(s);
    size_t mine = length_of(serial, shmem_my_pe(), max), total = 0;
    fill(&w->type, source, mine, serial, shmem_my_pe(), 0);
    w->collect(dest, source, mine, s->start, s->log_stride, s->size, psync);
    for (int k = 0; k < s->size; k++) {
        size_t n = length_of(serial, set_pe(s, k), max);
        verify(&w->type, (char *)dest + total * w->type.size, n, serial, set_pe(s, k), 0, "collect");
        total += n;
    }
    places_check(dest, total * w->type.size, "collect");
    psync_check(psync, "collect");
}

static void alltoall_once(const struct set *s, const struct width *w, void *dest, void *source, size_t n,
                          uint64_t serial)
{
    long *psync = psync_take(s);
    fill(&w->type, source, (size_t)s->size * n, serial, shmem_my_pe(), 0);
    w->alltoall(dest, source, n, s->start, s->log_stride, s->size, psync);
    for (int k = 0; k < s->size; k++)
        verify(&w->type, (char *)dest + (size_t)k * n * w->type.size, n, serial, set_pe(s, k), (size_t)s->me * n,
               "alltoall");
    places_check(dest, (size_t)s->size * n * w->type.size, "alltoall");
    psync_check(psync, "alltoall");
}

static void alltoalls_once(const struct set *s, const struct width *w, void *dest, void *source, size_t n,
                           uint64_t serial)
{
    long *psync = psync_take(s);
    size_t dst = serial % 3 + 1, sst = serial / 3 % 3 + 1, all = (size_t)s->size * n;
    memset(source, 0x11, all * sst * w->type.size);
    for (size_t i = 0; i < all; i++)
        w->type.set(source, i * sst, value(serial, shmem_my_pe(), i));
    w->alltoalls(dest, source, (ptrdiff_t)dst, (ptrdiff_t)sst, n, s->start, s->log_stride, s->size, psync);
    for (size_t i = 0; i < all; i++) {
        const unsigned char *at = (const unsigned char *)dest + i * dst * w->type.size;
        int from = set_pe(s, (int)(i / n));
        CHECK(w->type.same(at, 0, value(serial, from, (size_t)s->me * n + i % n)),
              "alltoalls%s dst %zu sst %zu: element %zu from PE %d is wrong", w->type.name, dst, sst, i % n, from);
        CHECK(is_poison(at + w->type.size, (dst - 1) * w->type.size), "alltoalls%s dst %zu: wrote between elements",
              w->type.name, dst);
    }
    places_check(dest, all * dst * w->type.size, "alltoalls");
    psync_check(psync, "alltoalls");
}

static void round_trip(const struct set *s, const struct width *w, const size_t *counts, int n_counts, int round)
{
    size_t block = (size_t)s->size * w->type.size, most = counts[n_counts - 1] * block, sum = 0;
    for (int c = 0; c < n_counts; c++)
        sum += 7 * counts[c] * block;
    struct places *p = places_begin(round, sum + 3 * most, 5 * (size_t)n_counts + 1);
    set_begin();
    if (s->me < 0)
        return;
    void *source = places_take(p, 3 * most);
    for (int c = 0; c < n_counts; c++) {
        size_t n = counts[c];
        uint64_t serial = (uint64_t)(round * 100 + 5 * c);
        broadcast_once(s, w, places_take(p, n * block), source, n, serial);
        fcollect_once(s, w, places_take(p, n * block), source, n, serial + 1);
        collect_once(s, w, places_take(p, n * block), source, n, serial + 2);
        alltoall_once(s, w, places_take(p, n * block), source, n, serial + 3);
        alltoalls_once(s, w, places_take(p, 3 * n * block), source, n, serial + 4);
    }
}

int main(void)
{
    static const size_t small[] = {0, 1, 2, 3, 7, 64}, medium[] = {1000};
    shmem_init();
    struct set sets[MAX_SETS];
    int n_sets = sets_make(sets), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_sets; i++)
            round_trip(&sets[i], &widths[(i + repeat) % 2], small, 6, round++);
    for (int i = 0; i < n_sets; i += 2)
        round_trip(&sets[i], &widths[i / 2 % 2], medium, 1, round++);
    size_t large[] = {100000 / (size_t)shmem_n_pes()};
    for (int w = 0; w < 2; w++)
        round_trip(&sets[w * (n_sets - 1)], &widths[w], large, 1, round++);
    shmem_finalize();
    return check_result();
}
