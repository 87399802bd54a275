/* The loops that combine two vectors. Compiled with -O3, as not all of them are vectorized at -O2. */
#include <shcoll.h>

/* Integers of all types wrap around, as unsigned arithmetic does: signed overflow would be undefined. */
#define AND(into, from) into &= from
#define OR(into, from) into |= from
#define XOR(into, from) into ^= from
#define MAX(into, from) into = from > into ? from : into
#define MIN(into, from) into = from < into ? from : into
#define SUM(into, from) into += from
#define PROD(into, from) into *= from
#define WRAP_SUM(into, from) __builtin_add_overflow(into, from, &into)
#define WRAP_PROD(into, from) __builtin_mul_overflow(into, from, &into)

/* One library for all processors: the loader picks the variant (AVX2, AVX-512) that the processor can run. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VARIANTS __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VARIANTS
#endif

#define LOOP(STEP, T, NAME) VARIANTS static void NAME(void *restrict into, const void *restrict from, size_t n) \
    { T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) STEP(x[i], y[i]); }

#define BIT(T, N) LOOP(AND, T, and_##N) LOOP(OR, T, or_##N) LOOP(XOR, T, xor_##N)
#define ORDER(T, N) LOOP(MAX, T, max_##N) LOOP(MIN, T, min_##N)
#define INTEGER(T, N) BIT(T, N) ORDER(T, N) LOOP(WRAP_SUM, T, sum_##N) LOOP(WRAP_PROD, T, prod_##N)
#define COMPLEX(T, N) LOOP(SUM, T, sum_##N) LOOP(PROD, T, prod_##N)
#define REAL(T, N) ORDER(T, N) COMPLEX(T, N)

INTEGER(int8_t, INT8)
INTEGER(int16_t, INT16)
INTEGER(int32_t, INT32)
INTEGER(int64_t, INT64)
INTEGER(uint8_t, UINT8)
INTEGER(uint16_t, UINT16)
INTEGER(uint32_t, UINT32)
INTEGER(uint64_t, UINT64)
REAL(float, FLOAT)
REAL(double, DOUBLE)
REAL(long double, LONG_DOUBLE)
COMPLEX(float _Complex, COMPLEX_FLOAT)
COMPLEX(double _Complex, COMPLEX_DOUBLE)

#define ROW(OP, T, N, EXACT) [SHCOLL_##N] = {.size = sizeof(T), .combine = OP##_##N, .exact = EXACT},
#define INTEGER_ROWS(OP) \
    ROW(OP, int8_t, INT8, true) ROW(OP, int16_t, INT16, true) ROW(OP, int32_t, INT32, true) \
    ROW(OP, int64_t, INT64, true) ROW(OP, uint8_t, UINT8, true) ROW(OP, uint16_t, UINT16, true) \
    ROW(OP, uint32_t, UINT32, true) ROW(OP, uint64_t, UINT64, true)
#define REAL_ROWS(OP) \
    ROW(OP, float, FLOAT, false) ROW(OP, double, DOUBLE, false) ROW(OP, long double, LONG_DOUBLE, false)
#define COMPLEX_ROWS(OP) ROW(OP, float _Complex, COMPLEX_FLOAT, false) ROW(OP, double _Complex, COMPLEX_DOUBLE, false)

/* For floating-point types, max and min are not exact: results for +0 and -0, or with a NaN, depend on the order. */
const struct shcoll_op shcoll_ops[SHCOLL_OPS][SHCOLL_TYPES] = {
    [SHCOLL_AND] = {INTEGER_ROWS(and)},
    [SHCOLL_OR] = {INTEGER_ROWS(or)},
    [SHCOLL_XOR] = {INTEGER_ROWS(xor)},
    [SHCOLL_MAX] = {INTEGER_ROWS(max) REAL_ROWS(max)},
    [SHCOLL_MIN] = {INTEGER_ROWS(min) REAL_ROWS(min)},
    [SHCOLL_SUM] = {INTEGER_ROWS(sum) REAL_ROWS(sum) COMPLEX_ROWS(sum)},
    [SHCOLL_PROD] = {INTEGER_ROWS(prod) REAL_ROWS(prod) COMPLEX_ROWS(prod)},
};
