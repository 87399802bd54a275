/* The operations of co_sum, co_min and co_max: SHCOLL's, and those for types that OpenSHMEM does not have. */
#include "reduction.h"

#include "../../common/wide_numbers.h"

#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

#define LOOP(NAME, T, VALUE) static void NAME(void *into, const void *from, size_t n) \
    { T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) x[i] = (VALUE); }

#define ORDER(T, N) LOOP(min_##N, T, y[i] < x[i] ? y[i] : x[i]) LOOP(max_##N, T, y[i] > x[i] ? y[i] : x[i])
#define ROWS(T, N, EXACT) [CAF_CO_SUM] = {.size = sizeof(T), .combine = sum_##N, .exact = EXACT}, \
    [CAF_CO_MIN] = {.size = sizeof(T), .combine = min_##N, .exact = EXACT}, \
    [CAF_CO_MAX] = {.size = sizeof(T), .combine = max_##N, .exact = EXACT}

LOOP(sum_integer, int128, (int128)((uint128)x[i] + (uint128)y[i]))
ORDER(int128, integer)
static const struct shcoll_op on_int128[] = {ROWS(int128, integer, true)};

LOOP(sum_real, real128, x[i] + y[i])
ORDER(real128, real)
static const struct shcoll_op on_real128[] = {ROWS(real128, real, false)};

static const enum shcoll_op_name names[] = {
    [CAF_CO_SUM] = SHCOLL_SUM, [CAF_CO_MIN] = SHCOLL_MIN, [CAF_CO_MAX] = SHCOLL_MAX,
};

static const struct shcoll_op *on_integers(enum caf_reduction reduction, int kind)
{
    const struct shcoll_op *ops = shcoll_ops[names[reduction]];
    switch (kind) {
    case 1: return &ops[SHCOLL_INT8];
    case 2: return &ops[SHCOLL_INT16];
    case 4: return &ops[SHCOLL_INT32];
    case 8: return &ops[SHCOLL_INT64];
    case 16: return &on_int128[reduction];
    default: return NULL;
    }
}

static const struct shcoll_op *on_reals(enum caf_reduction reduction, int kind)
{
    const struct shcoll_op *ops = shcoll_ops[names[reduction]];
    switch (kind) {
    case 4: return &ops[SHCOLL_FLOAT];
    case 8: return &ops[SHCOLL_DOUBLE];
#if LDBL_MANT_DIG == 64
    case 10: return &ops[SHCOLL_LONG_DOUBLE];
#endif
    case 16: return &on_real128[reduction];
    default: return NULL;
    }
}

/* --- characters --------------------------------------------------------------------------------------------------- */

/* Compares elements of a->size bytes by the characters' codes. */
static int compare(const struct caf_section *a, const char *x, const char *y)
{
    if (a->kind == 1)
        return memcmp(x, y, a->size);
    for (size_t i = 0; i < a->size; i += sizeof(uint32_t)) {
        uint32_t c, d;
        memcpy(&c, x + i, sizeof c);
        memcpy(&d, y + i, sizeof d);
        if (c != d)
            return c < d ? -1 : 1;
    }
    return 0;
}

static void min_characters(void *context, void *into, const void *from, size_t n)
{
    const struct caf_section *a = context;
    for (size_t i = 0; i < n * a->size; i += a->size)
        if (compare(a, (const char *)from + i, (char *)into + i) < 0)
            memcpy((char *)into + i, (const char *)from + i, a->size);
}

static void max_characters(void *context, void *into, const void *from, size_t n)
{
    const struct caf_section *a = context;
    for (size_t i = 0; i < n * a->size; i += a->size)
        if (compare(a, (const char *)from + i, (char *)into + i) > 0)
            memcpy((char *)into + i, (const char *)from + i, a->size);
}

/* --- selection ---------------------------------------------------------------------------------------------------- */

bool caf_reduction_find(struct shcoll_op *op, enum caf_reduction reduction, const struct caf_section *a)
{
    const struct shcoll_op *known = NULL;
    if (a->type == CAF_INTEGER)
        known = on_integers(reduction, a->kind);
    else if (a->type == CAF_REAL || (a->type == CAF_COMPLEX && reduction == CAF_CO_SUM))
        known = on_reals(reduction, a->kind); /* for a complex number, on each part */
    if (known)
        *op = *known;
    else if (a->type == CAF_CHARACTER && reduction != CAF_CO_SUM)
        *op = (struct shcoll_op){.size = a->size, .exact = true, .context = (void *)(uintptr_t)a,
                                 .combine_with = reduction == CAF_CO_MIN ? min_characters : max_characters};
    else
        return false;
    return true;
}
