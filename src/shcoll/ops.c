/* The loops that combine two vectors. CMakeLists.txt compiles this file with -O3: at -O2 not all of them are vectorized. */
#include "shcoll/shcoll.h"

/* Integers wrap around, as unsigned arithmetic does, whatever their type: signed overflow is no licence to the compiler. */
#define AND(T, into, from) into &= from
#define OR(T, into, from) into |= from
#define XOR(T, into, from) into ^= from
#define MAX(T, into, from) into = from > into ? from : into
#define MIN(T, into, from) into = from < into ? from : into
#define SUM(T, into, from) into = (T)(into + from)
#define PROD(T, into, from) into = (T)(into * from)
#define WRAP_SUM(T, into, from) __builtin_add_overflow(into, from, &into)
#define WRAP_PROD(T, into, from) __builtin_mul_overflow(into, from, &into)

#define LOOP(STEP, T, name) static void name(void *restrict into, const void *restrict from, size_t n) \
    { T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) STEP(T, x[i], y[i]); }
#define DEFINE(OP, STEP, T, N) LOOP(STEP, T, OP##_##N) \
    const struct shcoll_op shcoll_##OP##_##N = {sizeof(T), OP##_##N};

#define BIT(T, N) DEFINE(and, AND, T, N) DEFINE(or, OR, T, N) DEFINE(xor, XOR, T, N)
#define ORD(T, N) DEFINE(max, MAX, T, N) DEFINE(min, MIN, T, N)
#define REAL(T, N) DEFINE(sum, SUM, T, N) DEFINE(prod, PROD, T, N)
#define INTEGER(T, N) DEFINE(sum, WRAP_SUM, T, N) DEFINE(prod, WRAP_PROD, T, N)

SHCOLL_TYPES_BIT(BIT)
COPAL_TYPES_REDUCE_ORD(ORD)
COPAL_TYPES_INTEGER(INTEGER)
COPAL_DISTINCT_REAL(REAL)
COPAL_TYPES_COMPLEX(REAL)
