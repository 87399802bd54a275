/* Team broadcasts: every type and the mem form, every root, every shape of team; the root's dest is written too. */
#include "coll_team.h"

typedef int broadcast_fn(shmem_team_t team, void *dest, const void *source, size_t nelems, int root);

#define BROADCAST(T, N) static int N##_broadcast(shmem_team_t t, void *d, const void *s, size_t n, int root) \
    { return shmem_##N##_broadcast(t, d, s, n, root); }
#define ROW(T, N) N##_broadcast,
COPAL_TYPES_RMA(BROADCAST)
static broadcast_fn *const broadcasts[N_TYPES] = {COPAL_TYPES_RMA(ROW) shmem_broadcastmem};

static void broadcast_once(const struct shape *s, int type, void *dest, void *source, size_t n, int root,
                           uint64_t serial)
{
    const struct type *t = &types[type];
    fill(t, source, n, serial, shmem_my_pe(), 0);
    int rc = broadcasts[type](s->team, dest, source, n, root);
    CHECK(rc == 0, "%s broadcast on %s returned %d", t->name, s->name, rc);
    verify(t, dest, n, serial, shape_pe(s, root), 0, s->name);
    verify(t, source, n, serial, shmem_my_pe(), 0, "source");
    places_check(dest, n * t->size, s->name);
}

/* Small counts, every root. The mem form gets odd addresses and lengths. */
static void every_root(const struct shape *s, int type, int round)
{
    static const size_t counts[] = {0, 1, 2, 3, 7, 64};
    const size_t n_counts = sizeof counts / sizeof counts[0];
    size_t calls = n_counts + (size_t)s->size, bytes = 80 * types[type].size;
    struct places *p = places_begin(round, (calls + 1) * bytes, calls + 1);
    if (s->me < 0)
        return;
    unsigned char *source = places_take(p, bytes);
    int odd = type == MEM;
    for (size_t c = 0; c < calls; c++) {
        size_t n = counts[c % n_counts];
        unsigned char *dest = places_take(p, n * types[type].size + 1);
        broadcast_once(s, type, dest + odd, source + odd, n, (int)c % s->size, (uint64_t)round * 1000 + c);
    }
}

static void large(const struct shape *s, int type, size_t n, int round)
{
    size_t bytes = n * types[type].size;
    struct places *p = places_begin(round, 4 * bytes, 4);
    if (s->me < 0)
        return;
    void *source = places_take(p, bytes);
    for (int c = 0; c < 3; c++)
        broadcast_once(s, type, places_take(p, bytes), source, n, (c * 5 + 1) % s->size, (uint64_t)(round * 1000 + c));
}

/* While one root still copies a long message to its last receivers, its first receiver has it and already sends many
 * short ones of its own: nobody may take those for the long one's arrival. */
static void overtaking(const struct shape *s, int round)
{
    enum { REPEATS = 8, SHORT = 20 };
    size_t n = 20000, bytes = n * types[1].size;
    struct places *p = places_begin(round, (REPEATS + 1) * (bytes + SHORT * 64), (REPEATS + 1) * (SHORT + 1));
    if (s->me < 0)
        return;
    void *source = places_take(p, bytes);
    for (int c = 0; c < REPEATS; c++) {
        uint64_t serial = (uint64_t)(round * 10000 + c * (SHORT + 1));
        broadcast_once(s, 1, places_take(p, bytes), source, n, c % s->size, serial);
        for (int i = 1; i <= SHORT; i++)
            broadcast_once(s, 1, places_take(p, 64), source, 1, (c + 1) % s->size, serial + (uint64_t)i);
    }
}

int main(void)
{
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int type = 0; type < N_TYPES; type++)
        for (int i = type % 2; i < n_shapes; i += type < 2 || type == MEM ? 1 : 2)
            every_root(&shapes[i], type, round++);
    for (int i = 0; i < n_shapes; i += 2) {
        large(&shapes[i], i % (N_TYPES - 1), 1000, round++);
        large(&shapes[i], MEM, 10001, round++);
    }
    large(&shapes[0], 1, 100000, round++);
    large(&shapes[n_shapes - 1], MEM, 100000, round++);
    for (int i = 0; i < n_shapes; i++)
        overtaking(&shapes[i], round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
