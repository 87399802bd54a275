/* Reductions on active sets: every operation on every type, out of place and in place. */
#include "coll_reduce.h"
#include "coll_set.h"

typedef void call_fn(void *dest, const void *source, int n, int start, int log_stride, int size, void *pwrk, long *);

#define CALL(T, N, OP) static void N##_##OP##_call(void *d, const void *s, int n, int start, int log_stride, \
    int size, void *pwrk, long *psync) { shmem_##N##_##OP##_to_all(d, s, n, start, log_stride, size, pwrk, psync); }
#define TYPES_BIT COPAL_TYPES_TO_ALL_BIT
#define TYPES_ORD COPAL_TYPES_TO_ALL_ORD
#define TYPES_ARITH COPAL_TYPES_TO_ALL_ARITH
#include "reduction_table.inc"

/* One work array per pSync: what holds for the reuse of a pSync holds for its pWrk. */
static size_t pwrk_bytes(size_t n)
{
    size_t elements = n / 2 + 1;
    return (elements > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? elements : SHMEM_REDUCE_MIN_WRKDATA_SIZE) * MAX_SIZE;
}

static void reduce_once(const struct set *s, int row, void *dest, void *source, void *pwrk[N_SYNCS], size_t n,
                        uint64_t serial)
{
    const struct reduction *r = &table[row].r;
    long *psync = psync_take(s);
    fill_operands(r, source, n, serial);
    table[row].call(dest, source, (int)n, s->start, s->log_stride, s->size, pwrk[next_psync - 1], psync);
    verify_reduction(r, dest, n, serial, s->start, 1 << s->log_stride, s->size, "active set");
    psync_check(psync, r->name);
}

/* Every `every`-th row of the table, n elements, or small counts in turn if n is 0. */
static void reduce_rows(const struct set *s, int every, size_t n, int round)
{
    static const size_t counts[] = {1, 2, 3, 7, 64, 5};
    size_t most = n ? n : 64, calls = (size_t)(N_REDUCTIONS / every + 1);
    struct places *p = places_begin(round, (calls + 1) * most * MAX_SIZE + N_SYNCS * pwrk_bytes(most), calls + 5);
    set_begin();
    if (s->me < 0)
        return;
    void *source = places_take(p, most * MAX_SIZE), *pwrk[N_SYNCS];
    for (int i = 0; i < N_SYNCS; i++)
        pwrk[i] = places_take(p, pwrk_bytes(most));
    for (int row = round % every; row < N_REDUCTIONS; row += every) {
        size_t count = n ? n : counts[(row + round) % 6];
        void *dest = places_take(p, count * table[row].r.size);
        reduce_once(s, row, dest, (row + round) % 3 ? source : dest, pwrk, count, (uint64_t)(round * 1000 + row));
    }
}

int main(void)
{
    shmem_init();
    struct set sets[MAX_SETS];
    int n_sets = sets_make(sets), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_sets; i++)
            reduce_rows(&sets[i], 1, 0, round++);
    for (int i = 0; i < n_sets; i++)
        reduce_rows(&sets[i], 7, 1000, round++);
    for (int i = 0; i < 2; i++)
        reduce_rows(&sets[i * (n_sets - 1)], N_REDUCTIONS, shmem_n_pes() <= 4 ? 100000 : 20000, round++);
    shmem_finalize();
    return check_result();
}
