/* Reductions on active sets: every operation on every type, out of place and in place. */
#include "coll_reduce.h"
#include "coll_set.h"

static void *pwrk[N_SYNCS]; /* one for each pSync: the rules for reuse are the same */

#define CALL(T, N, OP) static int N##_##OP##_call(ON, size_t n) \
    SET(shmem_##N##_##OP##_to_all(d, f, (int)n, s->start, log_stride(s), s->size, pwrk[next_psync - 1], psync))
#define TYPES_BIT COPAL_TYPES_TO_ALL_BIT
#define TYPES_ORD COPAL_TYPES_TO_ALL_ORD
#define TYPES_ARITH COPAL_TYPES_TO_ALL_ARITH
#define MORE
enum { N_COUNTS = 6 };
#include "reduction_table.inc"

static void go(const struct shape *s, int every, size_t n, int round)
{
    shmem_barrier_all();
    set_begin();
    reduce_rows(s, every, n, round);
}

int main(void)
{
    shmem_init();
    struct shape sets[MAX_SETS];
    int n_sets = sets_make(sets), round = 0;
    size_t large = shmem_n_pes() <= 4 ? 100000 : 20000;
    for (int i = 0; i < N_SYNCS; i++) /* at least SHMEM_REDUCE_MIN_WRKDATA_SIZE of the largest elements, too */
        pwrk[i] = shmem_malloc((large / 2 + 1) * MAX_SIZE);
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_sets; i++)
            go(&sets[i], 1, 0, round++);
    for (int i = 0; i < n_sets; i++)
        go(&sets[i], 7, 1000, round++);
    for (int i = 0; i < 2; i++)
        go(&sets[i * (n_sets - 1)], ROWS, large, round++);
    shmem_finalize();
    return check_result();
}
