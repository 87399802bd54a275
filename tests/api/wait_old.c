/* The waits of before 1.4, deprecated but still required: shmem_<T>_wait, shmem_wait, and shmem_wait_until as a
 * function of long. */
#define COPAL_NO_GENERICS /* so that shmem_wait_until is the function */
#include "wait.h"

struct row {
    struct elem elem;
    void (*wait)(void *ivar, uint64_t value);
    void (*p)(void *dest, uint64_t value, int pe);
};

#define WAIT(T, N) static void wait_##N(void *ivar, uint64_t v) { shmem_##N##_wait(ivar, (T)v); }
#define P(T, N) static void p_##N(void *dest, uint64_t v, int pe) { shmem_##N##_p(dest, (T)v, pe); }
COPAL_TYPES_OLD_WAIT(WAIT)
COPAL_TYPES_OLD_WAIT(P)
static void wait_untyped(void *ivar, uint64_t v) { shmem_wait(ivar, (long)v); }

#define ROW(T, N) {ELEM(T, N), wait_##N, p_##N},
static const struct row rows[] = {COPAL_TYPES_OLD_WAIT(ROW) {ELEM(long, long), wait_untyped, p_long}};
enum { ROWS = sizeof rows / sizeof rows[0] };

static int me, right;

/* The neighbour writes the old value again, which must not end the wait, and then another value. */
static void try_wait(const struct row *row, void *var, int round)
{
    const uint64_t before = pattern(me, (size_t)round, 1), after = pattern(me, (size_t)round, 2);
    const uint64_t theirs = pattern(right, (size_t)round, 1), new = pattern(right, (size_t)round, 2);
    row->elem.set(var, before);
    shmem_barrier_all();
    row->p(var, theirs, right);
    shmem_fence();
    row->p(var, new, right);
    row->wait(var, before);
    CHECK(elem_is(&row->elem, var, 0, after), "wait of %s returned too early in round %d", row->elem.name, round);
    shmem_barrier_all();
}

static void try_wait_until(long *var)
{
    for (int i = 0; i < WAIT_VALUES; i++)
        for (int j = 0; j < WAIT_VALUES; j++)
            for (int c = 0; c < CMPS; c++) {
                if (!holds(cmps[c], compare_long(wait_values[i], wait_values[j])))
                    continue;
                *var = (long)wait_values[j];
                shmem_barrier_all();
                shmem_long_p(var, (long)wait_values[i], right);
                shmem_wait_until(var, cmps[c], (long)wait_values[j]);
                CHECK(holds(cmps[c], 0) || *var == (long)wait_values[i], "wait_until %s of long returned too early",
                      cmp_names[c]);
                shmem_barrier_all();
            }
}

int main(void)
{
    static _Alignas(8) char static_var[8];
    shmem_init();
    me = shmem_my_pe();
    right = (me + 1) % shmem_n_pes();
    char *heap_var = shmem_malloc(8);
    CHECK(heap_var != NULL, "shmem_malloc of 8 bytes failed");
    if (!heap_var)
        shmem_global_exit(1);
    for (unsigned r = 0; r < ROWS; r++)
        for (int round = 0; round < 10; round++)
            try_wait(&rows[r], round % 2 ? heap_var : static_var, round);
    try_wait_until((long *)heap_var);
    shmem_free(heap_var);
    shmem_finalize();
    return check_result();
}
