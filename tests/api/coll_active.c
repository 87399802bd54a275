/* Collectives on active sets, 32 and 64 bits wide: broadcast (the root's dest is unchanged), collect, fcollect,
 * alltoall, alltoalls. */
#include "coll_moves.h"
#include "coll_set.h"

#define BROADCAST(B) static int broadcast_##B(ON, size_t n, int root) \
    SET(shmem_broadcast##B(d, f, n, root, s->start, log_stride(s), s->size, psync))
#define PIECE(B, NAME) static int NAME##_##B(ON, size_t n) \
    SET(shmem_##NAME##B(d, f, n, s->start, log_stride(s), s->size, psync))
#define STRIDED(B) static int alltoalls_##B(ON, ptrdiff_t dst, ptrdiff_t sst, size_t n) \
    SET(shmem_alltoalls##B(d, f, dst, sst, n, s->start, log_stride(s), s->size, psync))
#define WIDTH(B) BROADCAST(B) PIECE(B, fcollect) PIECE(B, collect) PIECE(B, alltoall) STRIDED(B)
WIDTH(32)
WIDTH(64)

#define ROW(B) {{#B, B / 8, set_uint##B, same_uint##B}, broadcast_##B, \
    {fcollect_##B, collect_##B, alltoall_##B}, alltoalls_##B, false, true}
static const struct moves widths[2] = {ROW(32), ROW(64)};

static void go(const struct shape *s, int width, const size_t *counts, int n_counts, int round)
{
    shmem_barrier_all();
    set_begin();
    move(s, &widths[width], counts, n_counts, round);
}

int main(void)
{
    static const size_t small[] = {0, 1, 2, 3, 7, 64}, medium[] = {1000};
    shmem_init();
    struct shape sets[MAX_SETS];
    int n_sets = sets_make(sets), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_sets; i++)
            go(&sets[i], (i + repeat) % 2, small, 6, round++);
    for (int i = 0; i < n_sets; i += 2)
        go(&sets[i], i / 2 % 2, medium, 1, round++);
    size_t large[] = {100000 / (size_t)shmem_n_pes()};
    for (int w = 0; w < 2; w++)
        go(&sets[w * (n_sets - 1)], w, large, 1, round++);
    shmem_finalize();
    return check_result();
}
