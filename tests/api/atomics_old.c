/* The atomics' names of before 1.4, deprecated but still required. */
#include "amo_once.h"

#define OLD_FETCH(T, N) static void old_fetch_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_fetch(a->dest, a->pe); }
#define OLD_SET(T, N) static void old_set_##N(const struct amo *a) \
    { shmem_##N##_set(a->dest, *(const T *)a->value, a->pe); }
#define OLD_SWAP(T, N) static void old_swap_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_swap(a->dest, *(const T *)a->value, a->pe); }
COPAL_TYPES_OLD_FETCH(OLD_FETCH)
COPAL_TYPES_OLD_FETCH(OLD_SET)
COPAL_TYPES_OLD_FETCH(OLD_SWAP)

#define OLD_CSWAP(T, N) static void old_cswap_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_cswap(CSWAP_ARGS(T)); }
#define OLD_FINC(T, N) static void old_finc_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_finc(a->dest, a->pe); }
#define OLD_INC(T, N) static void old_inc_##N(const struct amo *a) { shmem_##N##_inc(a->dest, a->pe); }
#define OLD_FADD(T, N) static void old_fadd_##N(const struct amo *a) \
    { *(T *)a->fetch = shmem_##N##_fadd(a->dest, *(const T *)a->value, a->pe); }
#define OLD_ADD(T, N) static void old_add_##N(const struct amo *a) \
    { shmem_##N##_add(a->dest, *(const T *)a->value, a->pe); }
COPAL_TYPES_OLD_ADD(OLD_CSWAP)
COPAL_TYPES_OLD_ADD(OLD_FINC)
COPAL_TYPES_OLD_ADD(OLD_INC)
COPAL_TYPES_OLD_ADD(OLD_FADD)
COPAL_TYPES_OLD_ADD(OLD_ADD)

#define OLD_ROW(OP, KIND, FETCHES, T, N) {ELEM(T, N), #OP, KIND, FETCHES, false, old_##OP##_##N, NULL},
#define ROWS_FETCH(T, N) OLD_ROW(fetch, FETCH, true, T, N) OLD_ROW(set, SET, false, T, N) \
    OLD_ROW(swap, SWAP, true, T, N)
#define ROWS_ADD(T, N) OLD_ROW(finc, INC, true, T, N) OLD_ROW(inc, INC, false, T, N) OLD_ROW(fadd, ADD, true, T, N) \
    OLD_ROW(add, ADD, false, T, N) OLD_ROW(cswap, CSWAP, true, T, N)
static const struct amo_row rows[] = {COPAL_TYPES_OLD_FETCH(ROWS_FETCH) COPAL_TYPES_OLD_ADD(ROWS_ADD)};

static _Alignas(8) amo_memory static_memory;

int main(void)
{
    shmem_init();
    const struct place plain = {"no context", SHMEM_CTX_DEFAULT, true, false};
    char (*heap)[2 * MAX_PES * 8] = shmem_malloc(sizeof static_memory);
    CHECK(heap != NULL, "shmem_malloc of %zu bytes failed", sizeof static_memory);
    if (shmem_n_pes() > MAX_PES || !heap)
        shmem_global_exit(1);
    amo_once(rows, sizeof rows / sizeof rows[0], &plain, static_memory);
    amo_once(rows, sizeof rows / sizeof rows[0], &plain, heap);
    shmem_free(heap);
    shmem_finalize();
    return check_result();
}
