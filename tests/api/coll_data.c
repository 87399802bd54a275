/* Team broadcasts (which also write the root's dest), collect (a different length on every PE, zero on some), fcollect,
 * alltoall and alltoalls (strides 1 to 3 on either side): every type and the mem routines, every shape of team. */
#include "coll_moves.h"
#include "coll_team.h"

#define BROADCAST(NAME, CALL) static int NAME(ON, size_t n, int root) { return CALL(s->team, d, f, n, root); }
#define PIECE(NAME, CALL) static int NAME(ON, size_t n) { return CALL(s->team, d, f, n); }
#define STRIDED(NAME, CALL) static int NAME(ON, ptrdiff_t dst, ptrdiff_t sst, size_t n) \
    { return CALL(s->team, d, f, dst, sst, n); }
#define BROADCAST_OF(T, N) BROADCAST(broadcast_##N, shmem_##N##_broadcast)
#define FCOLLECT_OF(T, N) PIECE(fcollect_##N, shmem_##N##_fcollect)
#define COLLECT_OF(T, N) PIECE(collect_##N, shmem_##N##_collect)
#define ALLTOALL_OF(T, N) PIECE(alltoall_##N, shmem_##N##_alltoall)
#define ALLTOALLS_OF(T, N) STRIDED(alltoalls_##N, shmem_##N##_alltoalls)
COPAL_TYPES_RMA(BROADCAST_OF)
COPAL_TYPES_RMA(FCOLLECT_OF)
COPAL_TYPES_RMA(COLLECT_OF)
COPAL_TYPES_RMA(ALLTOALL_OF)
COPAL_TYPES_RMA(ALLTOALLS_OF)
BROADCAST(broadcast_mem, shmem_broadcastmem)
PIECE(fcollect_mem, shmem_fcollectmem)
PIECE(collect_mem, shmem_collectmem)
PIECE(alltoall_mem, shmem_alltoallmem)
STRIDED(alltoalls_mem, shmem_alltoallsmem)

#define ROW(T, N) {{#N, sizeof(T), set_##N, same_##N}, broadcast_##N, {fcollect_##N, collect_##N, alltoall_##N}, \
    alltoalls_##N, false, false},
static const struct moves rows[N_TYPES] = {
    COPAL_TYPES_RMA(ROW)
    {{"mem", 1, set_uchar, same_uchar}, broadcast_mem, {fcollect_mem, collect_mem, alltoall_mem}, alltoalls_mem, true,
     false},
};

static void every_root(const struct shape *s, const struct moves *m, int round)
{
    size_t calls = (size_t)s->size + 3, bytes = 10001 * m->type.size;
    struct places *p = places_begin(round, (calls + 1) * bytes, calls + 1);
    if (s->me < 0)
        return;
    void *source = places_take(p, bytes);
    for (size_t c = 0; c < calls; c++)
        broadcast_once(s, m, places_take(p, bytes), source, c % 3 ? c : m->is_odd ? 10001 : 1000, (int)c % s->size,
                       (uint64_t)round * 1000 + c);
}

/* While a root still copies a long message to its last receivers, the first receiver already sends many short messages:
 * no PE may mistake these for the arrival of the long message. */
static void overtaking(const struct shape *s, int round)
{
    enum { REPEATS = 8, SHORT = 20 };
    size_t n = 20000, bytes = n * rows[1].type.size;
    struct places *p = places_begin(round, (REPEATS + 1) * (bytes + SHORT * 64), (REPEATS + 1) * (SHORT + 1));
    if (s->me < 0)
        return;
    void *source = places_take(p, bytes);
    for (int c = 0; c < REPEATS; c++) {
        uint64_t serial = (uint64_t)(round * 10000 + c * (SHORT + 1));
        broadcast_once(s, &rows[1], places_take(p, bytes), source, n, c % s->size, serial);
        for (int i = 1; i <= SHORT; i++)
            broadcast_once(s, &rows[1], places_take(p, 64), source, 1, (c + 1) % s->size, serial + (uint64_t)i);
    }
}

int main(void)
{
    static const size_t small[] = {0, 1, 2, 3, 7, 64}, medium[] = {500, 1000};
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int type = 0; type < N_TYPES; type++)
        for (int i = type % 2; i < n_shapes; i += type < 2 || type == MEM ? 1 : 2)
            move(&shapes[i], &rows[type], small, 6, round++);
    for (int i = 0; i < n_shapes; i++) {
        move(&shapes[i], &rows[i * 5 % (N_TYPES - 1)], medium, 2, round++);
        every_root(&shapes[i], &rows[i % 2 ? MEM : i % (N_TYPES - 1)], round++);
        overtaking(&shapes[i], round++);
    }
    /* 100000 elements from each of up to four PEs; fewer with more PEs. */
    size_t n_pes = (size_t)shmem_n_pes(), large[] = {n_pes <= 4 ? 100000 : 1600000 / (n_pes * n_pes)};
    move(&shapes[0], &rows[1], large, 1, round++);
    move(&shapes[n_shapes - 1], &rows[MEM], large, 1, round++);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
