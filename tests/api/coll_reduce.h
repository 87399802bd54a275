/* The expected results of reductions and scans: operands whose result is exact in every order of evaluation, and serial
 * operations. */
#pragma once

#include <complex.h>
#include "coll.h"

enum op { AND, OR, XOR, MAX, MIN, SUM, PROD };

struct reduction {
    const char *name;
    size_t size;
    int is_unsigned;
    enum op op;
    void (*assign)(void *to, int64_t re, int64_t im);
    void (*combine)(void *acc, const void *x);
    int (*equal)(const void *a, const void *b);
};

#define ASSIGN(T, N) static inline void N##_assign(void *to, int64_t re, int64_t im) \
    { *(T *)to = (T)((T)re + (T)((double)im * I)); }
#define EQUAL(T, N) \
    static inline int N##_equal(const void *a, const void *b) { return *(const T *)a == *(const T *)b; }
#define COMBINE(T, N, OP, RESULT) static inline void N##_##OP##_combine(void *acc, const void *x) \
    { T a = *(T *)acc, b = *(const T *)x; *(T *)acc = (T)(RESULT); }
#define AND_COMBINE(T, N) COMBINE(T, N, and, a & b)
#define OR_COMBINE(T, N) COMBINE(T, N, or, a | b)
#define XOR_COMBINE(T, N) COMBINE(T, N, xor, a ^ b)
#define MAX_COMBINE(T, N) COMBINE(T, N, max, a > b ? a : b)
#define MIN_COMBINE(T, N) COMBINE(T, N, min, a < b ? a : b)
#define SUM_COMBINE(T, N) COMBINE(T, N, sum, a + b)
#define PROD_COMBINE(T, N) COMBINE(T, N, prod, 1u * a * b) /* 1u: short operands must not overflow an int */

/* A row of a test's table, with the operation as a constant and as a part of names. */
#define REDUCTION(T, N, OP, NAME) \
    {#N "_" #NAME, sizeof(T), (double)(T)-1 > 0, OP, N##_assign, N##_##NAME##_combine, N##_equal}

/* Operand i of PE pe in call `serial`. max and min see values over the whole range, top bit and sign included; sums and
 * products of unsigned types wrap. Those of other types stay small: all factors but two are 1 or -1 (or i, -i). */
static inline void operand(const struct reduction *r, void *to, uint64_t serial, int pe, size_t i)
{
    uint64_t h = value(serial, pe, i), n_pes = (uint64_t)shmem_n_pes();
    int64_t re = (int64_t)h, im = 0;
    if (r->op == AND) {
        re |= (int64_t)(value(serial + 7, pe, i) | value(serial + 9, pe, i)); /* otherwise 16 PEs give 0 */
    } else if (r->op == SUM && !r->is_unsigned) {
        re = (int64_t)(h % 15) - 7;
        im = (int64_t)(h / 15 % 15) - 7;
    } else if (r->op == PROD && r->is_unsigned) {
        re |= 1;
    } else if (r->op == PROD) {
        static const int quarter[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        int is_complex = strncmp(r->name, "complex", 7) == 0;
        re = is_complex ? quarter[h % 4][0] : h % 2 ? 1 : -1;
        im = is_complex ? quarter[h % 4][1] : 0;
        if ((uint64_t)pe == (serial + i) % n_pes)
            re = 3, im = 2;
        else if ((uint64_t)pe == (serial * 3 + i) % n_pes)
            re = -5, im = 1;
    }
    r->assign(to, re, im);
}

/* Result i over PEs start, start + stride, ... (n of them). */
static inline void reduce_here(const struct reduction *r, void *result, uint64_t serial, int start, int stride, int n,
                               size_t i)
{
    _Alignas(32) unsigned char x[32];
    operand(r, result, serial, start, i);
    for (int k = 1; k < n; k++) {
        operand(r, x, serial, start + k * stride, i);
        r->combine(result, x);
    }
}

static inline void fill_operands(const struct reduction *r, void *source, size_t n, uint64_t serial)
{
    for (size_t i = 0; i < n; i++)
        operand(r, (char *)source + i * r->size, serial, shmem_my_pe(), i);
}

static inline void verify_reduction(const struct reduction *r, const void *dest, size_t n, uint64_t serial, int start,
                                    int stride, int size, const char *what)
{
    _Alignas(32) unsigned char expected[32];
    for (size_t i = 0; i < n; i++) {
        reduce_here(r, expected, serial, start, stride, size, i);
        if (!r->equal((const char *)dest + i * r->size, expected)) {
            CHECK(0, "%s on PE %d, %s: element %zu of %zu is wrong", r->name, shmem_my_pe(), what, i, n);
            return;
        }
    }
    places_check(dest, n * r->size, r->name);
}
