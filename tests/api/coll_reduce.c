/* Team reductions, every operation on every type, and prefix sums, inclusive and exclusive: out of place and in place,
 * on every shape of team.  PE 0 of the team gets zeros from the exclusive scan. */
#include "coll_reduce.h"
#include "coll_team.h"

#define TEAM(NAME, CALL) static int NAME(ON, size_t n) { return CALL(s->team, d, f, n); }
#define CALL(T, N, OP) TEAM(N##_##OP##_call, shmem_##N##_##OP##_reduce)
#define INSCAN(T, N) TEAM(N##_inscan, shmem_##N##_sum_inscan)
#define EXSCAN(T, N) TEAM(N##_exscan, shmem_##N##_sum_exscan)
#define INSCAN_ROW(T, N) {N##_inscan, UP_TO_ME, REDUCTION(T, N, SUM, sum)},
#define EXSCAN_ROW(T, N) {N##_exscan, BEFORE_ME, REDUCTION(T, N, SUM, sum)},
COPAL_TYPES_REDUCE_ARITH(INSCAN)
COPAL_TYPES_REDUCE_ARITH(EXSCAN)
#define TYPES_BIT COPAL_TYPES_REDUCE_BIT
#define TYPES_ORD COPAL_TYPES_REDUCE_ORD
#define TYPES_ARITH COPAL_TYPES_REDUCE_ARITH
#define MORE COPAL_TYPES_REDUCE_ARITH(INSCAN_ROW) COPAL_TYPES_REDUCE_ARITH(EXSCAN_ROW)
enum { N_COUNTS = 7 };
#include "reduction_table.inc"

int main(void)
{
    shmem_init();
    struct shape shapes[MAX_SHAPES];
    int n_shapes = shapes_make(shapes), round = 0;
    for (int repeat = 0; repeat < 3; repeat++)
        for (int i = 0; i < n_shapes; i++)
            reduce_rows(&shapes[i], 1, 0, round++);
    for (int i = 0; i < n_shapes; i++)
        reduce_rows(&shapes[i], 40, 1000, round++);
    /* Checking costs n_pes operands per element on each PE. */
    const size_t large = shmem_n_pes() <= 4 ? 100000 : 20000;
    for (int i = 0; i < 3; i++) /* a reduction, and scans of both kinds */
        reduce_rows(&shapes[0], ROWS, large, i ? ROWS - 3 - 20 * i : round);
    shapes_destroy(shapes, n_shapes);
    shmem_finalize();
    return check_result();
}
