/* Operands of reductions and scans, and the sequential reference for their results: integers in 64 bits, cut to the
 * type at the end; floating-point numbers in long double, within the usual error bound; and the test's own operations,
 * in which the order of operands matters: the product of 2 x 2 matrices, and an operation on records of any size. */
#pragma once

#include "suite.h"

#include <complex.h>
#include <float.h>
#include <math.h>

struct matrix {
    uint32_t at[4];
};

static inline void matrix_product(void *into, const void *from, size_t n)
{
    struct matrix *a = into;
    const struct matrix *b = from;
    for (size_t i = 0; i < n; i++)
        a[i] = (struct matrix){{a[i].at[0] * b[i].at[0] + a[i].at[1] * b[i].at[2],
                                a[i].at[0] * b[i].at[1] + a[i].at[1] * b[i].at[3],
                                a[i].at[2] * b[i].at[0] + a[i].at[3] * b[i].at[2],
                                a[i].at[2] * b[i].at[1] + a[i].at[3] * b[i].at[3]}};
}

static const struct shcoll_op matrix_op = {sizeof(struct matrix), matrix_product, .exact = true, .ordered = true};

/* A byte of a record is a map x -> a x + b modulo 16; the operation composes maps.  A record's context is its size. */
static inline uint8_t compose(uint8_t f, uint8_t g)
{
    const unsigned a = f >> 4, b = f & 15;
    return (uint8_t)((a * (g >> 4) & 15) << 4 | ((a * (g & 15) + b) & 15));
}

static inline void records_compose(void *size, void *into, const void *from, size_t n)
{
    uint8_t *f = into;
    const uint8_t *g = from;
    for (size_t i = 0; i < n * *(const size_t *)size; i++)
        f[i] = compose(f[i], g[i]);
}

enum { RECORD_SIZES = 6, RECORD_PERIOD = 7 }; /* the bytes of a record repeat; 7 divides no size of a block */
static size_t record_sizes[RECORD_SIZES] = {1, 3, 24, 72, 5000, SHCOLL_ELEMENT_BYTES};
#define RECORD_OP(I, SIZE) \
    [I] = {.size = SIZE, .combine_with = records_compose, .context = &record_sizes[I], .exact = true, .ordered = true}
static const struct shcoll_op record_ops[SHCOLL_TYPES] = {
    RECORD_OP(0, 1), RECORD_OP(1, 3), RECORD_OP(2, 24), RECORD_OP(3, 72), RECORD_OP(4, 5000),
    RECORD_OP(5, SHCOLL_ELEMENT_BYTES),
};

/* The library's operation and type; or the test's own MATRICES or RECORDS; RECORDS have the number of a size. */
enum { MATRICES = SHCOLL_OPS, RECORDS, KIND_OPS };
struct kind {
    int op, type;
};

static inline const struct shcoll_op *kind_op(struct kind k)
{
    return k.op == MATRICES ? &matrix_op : k.op == RECORDS ? &record_ops[k.type] : &shcoll_ops[k.op][k.type];
}

static inline bool is_complex(struct kind k)
{
    return k.type == SHCOLL_COMPLEX_FLOAT || k.type == SHCOLL_COMPLEX_DOUBLE;
}

static inline bool is_integer(struct kind k)
{
    return k.type < SHCOLL_FLOAT;
}

static inline const char *kind_name(struct kind k, char *text, size_t bytes)
{
    static const char *const ops[] = {"and", "or", "xor", "max", "min", "sum", "prod"};
    static const char *const types[] = {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                                        "float", "double", "long double", "complex float", "complex double"};
    if (k.op == RECORDS)
        snprintf(text, bytes, "composition of records");
    else
        snprintf(text, bytes, "%s of %s", k.op == MATRICES ? "product" : ops[k.op],
                 k.op == MATRICES ? "matrices" : types[k.type]);
    return text;
}

/* A value of any of the kinds. */
struct number {
    uint64_t bits; /* integers: sign-extended where the type has a sign; records: the bytes that repeat, 0 above */
    long double re, im;
    struct matrix m;
};

/* Element i of PE pe.  Integers use all bits, the top one included (AND and OR keep some bits of many PEs); fractions
 * have 24 significant bits, which every type can hold, and different magnitudes. */
static inline struct number operand(struct kind k, uint64_t serial, int pe, size_t i)
{
    const uint64_t h = value(serial, pe, i), g = h * 0xd6e8feb86659fd93u;
    struct number v = {.bits = h};
    if (k.op == MATRICES) {
        v.m = (struct matrix){{(uint32_t)h, (uint32_t)(h >> 32), (uint32_t)g, (uint32_t)(g >> 32)}};
    } else if (k.op == RECORDS) {
        v.bits = (h | 0x10101010101010) & 0xffffffffffffff; /* otherwise the results would soon be constant maps */
        v.bits &= kind_op(k)->size < RECORD_PERIOD ? ((uint64_t)1 << 8 * kind_op(k)->size) - 1 : v.bits;
    } else if (is_integer(k)) {
        if (k.op == SHCOLL_AND)
            v.bits = h | g | (h >> 13 | h << 51) | (g >> 17 | g << 47);
        else if (k.op == SHCOLL_OR)
            v.bits = h & g & (h >> 13 | h << 51) & (g >> 17 | g << 47);
        else if (k.op == SHCOLL_PROD)
            v.bits = h | 1; /* otherwise the results would soon be zeros */
    } else {
        const long double sign = h & 1 ? -1 : 1, other = h & 2 ? -1 : 1;
        const uint64_t low = k.op == SHCOLL_PROD ? 0x800000 : 1; /* factors lie between 1/2 and 2 */
        const int shift = k.op == SHCOLL_PROD ? 23 + (int)(g >> 40) % 2 : (int)((g >> 40) % 20);
        const long double scale = 1.0L / (long double)(1 << shift);
        v.re = sign * (long double)((h >> 8 & 0xffffff) | low) * scale;
        v.im = is_complex(k) ? other * (long double)((g >> 8 & 0xffffff) | 1) * scale / 2 : 0;
    }
    return v;
}

static inline void store(struct kind k, void *array, size_t i, struct number v)
{
    if (k.op == MATRICES) {
        ((struct matrix *)array)[i] = v.m;
        return;
    }
    if (k.op == RECORDS) {
        const size_t size = kind_op(k)->size;
        for (size_t j = 0; j < size; j++)
            ((uint8_t *)array)[i * size + j] = (uint8_t)(v.bits >> j % RECORD_PERIOD * 8);
        return;
    }
    switch ((enum shcoll_type)k.type) {
    case SHCOLL_INT8: case SHCOLL_UINT8: ((uint8_t *)array)[i] = (uint8_t)v.bits; break;
    case SHCOLL_INT16: case SHCOLL_UINT16: ((uint16_t *)array)[i] = (uint16_t)v.bits; break;
    case SHCOLL_INT32: case SHCOLL_UINT32: ((uint32_t *)array)[i] = (uint32_t)v.bits; break;
    case SHCOLL_INT64: case SHCOLL_UINT64: ((uint64_t *)array)[i] = v.bits; break;
    case SHCOLL_FLOAT: ((float *)array)[i] = (float)v.re; break;
    case SHCOLL_DOUBLE: ((double *)array)[i] = (double)v.re; break;
    case SHCOLL_LONG_DOUBLE: ((long double *)array)[i] = v.re; break;
    case SHCOLL_COMPLEX_FLOAT:
        ((float *)array)[2 * i] = (float)v.re, ((float *)array)[2 * i + 1] = (float)v.im; break;
    case SHCOLL_COMPLEX_DOUBLE:
        ((double *)array)[2 * i] = (double)v.re, ((double *)array)[2 * i + 1] = (double)v.im; break;
    case SHCOLL_TYPES: break;
    }
}

static inline struct number load(struct kind k, const void *array, size_t i)
{
    struct number v = {0};
    if (k.op == MATRICES) {
        v.m = ((const struct matrix *)array)[i];
        return v;
    }
    if (k.op == RECORDS) {
        const size_t size = kind_op(k)->size;
        const uint8_t *record = (const uint8_t *)array + i * size;
        for (size_t j = 0; j < size; j++)
            if (j < RECORD_PERIOD)
                v.bits |= (uint64_t)record[j] << j * 8;
            else if (record[j] != record[j - RECORD_PERIOD])
                v.bits |= (uint64_t)1 << 63; /* not a record */
        return v;
    }
    switch ((enum shcoll_type)k.type) {
    case SHCOLL_INT8: v.bits = (uint64_t)((const int8_t *)array)[i]; break;
    case SHCOLL_INT16: v.bits = (uint64_t)((const int16_t *)array)[i]; break;
    case SHCOLL_INT32: v.bits = (uint64_t)((const int32_t *)array)[i]; break;
    case SHCOLL_UINT8: v.bits = ((const uint8_t *)array)[i]; break;
    case SHCOLL_UINT16: v.bits = ((const uint16_t *)array)[i]; break;
    case SHCOLL_UINT32: v.bits = ((const uint32_t *)array)[i]; break;
    case SHCOLL_INT64: case SHCOLL_UINT64: v.bits = ((const uint64_t *)array)[i]; break;
    case SHCOLL_FLOAT: v.re = ((const float *)array)[i]; break;
    case SHCOLL_DOUBLE: v.re = ((const double *)array)[i]; break;
    case SHCOLL_LONG_DOUBLE: v.re = ((const long double *)array)[i]; break;
    case SHCOLL_COMPLEX_FLOAT: v.re = ((const float *)array)[2 * i], v.im = ((const float *)array)[2 * i + 1]; break;
    case SHCOLL_COMPLEX_DOUBLE: v.re = ((const double *)array)[2 * i], v.im = ((const double *)array)[2 * i + 1]; break;
    case SHCOLL_TYPES: break;
    }
    return v;
}

/* The number converted to the integer type. */
static inline uint64_t cut(struct kind k, uint64_t bits)
{
    if (k.op == RECORDS)
        return bits;
    switch ((enum shcoll_type)k.type) {
    case SHCOLL_INT8: return (uint64_t)(int8_t)bits;
    case SHCOLL_INT16: return (uint64_t)(int16_t)bits;
    case SHCOLL_INT32: return (uint64_t)(int32_t)bits;
    case SHCOLL_UINT8: return (uint8_t)bits;
    case SHCOLL_UINT16: return (uint16_t)bits;
    case SHCOLL_UINT32: return (uint32_t)bits;
    default: return bits;
    }
}

static inline uint64_t combine_integers(struct kind k, uint64_t a, uint64_t b)
{
    const bool less = k.type >= SHCOLL_UINT8 ? a < b : (int64_t)a < (int64_t)b;
    uint64_t composed = 0;
    for (int i = 0; k.op == RECORDS && i < RECORD_PERIOD; i++)
        composed |= (uint64_t)compose((uint8_t)(a >> i * 8), (uint8_t)(b >> i * 8)) << i * 8;
    switch (k.op) {
    case SHCOLL_AND: return a & b;
    case SHCOLL_OR: return a | b;
    case SHCOLL_XOR: return a ^ b;
    case SHCOLL_MAX: return less ? b : a;
    case SHCOLL_MIN: return less ? a : b;
    case SHCOLL_SUM: return cut(k, a + b);
    case RECORDS: return composed;
    default: return cut(k, a * b);
    }
}

/* The reference: a OP b, and the size of its terms (the factors' product), to which its error is relative. */
struct reference {
    struct number value;
    long double re_size, im_size;
};

static inline struct reference reference_of(struct kind k, struct number v)
{
    v.bits = cut(k, v.bits);
    const bool product = k.op == SHCOLL_PROD;
    const long double length = product && is_complex(k) ? hypotl(v.re, v.im) : 0;
    return (struct reference){v, is_complex(k) && product ? length : fabsl(v.re),
                              is_complex(k) && product ? length : fabsl(v.im)};
}

static inline void reference_add(struct kind k, struct reference *r, struct number b)
{
    struct number *a = &r->value;
    if (k.op == MATRICES) {
        matrix_product(&a->m, &b.m, 1);
        return;
    }
    if (is_integer(k)) {
        a->bits = combine_integers(k, a->bits, cut(k, b.bits));
        return;
    }
    const struct reference x = reference_of(k, b);
    const struct number old = *a;
    switch (k.op) {
    case SHCOLL_MAX: a->re = old.re > b.re ? old.re : b.re; break;
    case SHCOLL_MIN: a->re = old.re < b.re ? old.re : b.re; break;
    case SHCOLL_SUM:
        a->re += b.re, a->im += b.im;
        r->re_size += x.re_size, r->im_size += x.im_size;
        break;
    default:
        a->re = old.re * b.re - old.im * b.im, a->im = old.re * b.im + old.im * b.re;
        r->re_size *= x.re_size, r->im_size *= is_complex(k) ? x.im_size : 1;
    }
}

static inline long double epsilon(struct kind k)
{
    return k.type == SHCOLL_FLOAT || k.type == SHCOLL_COMPLEX_FLOAT ? FLT_EPSILON
         : k.type == SHCOLL_LONG_DOUBLE                             ? 2 * LDBL_EPSILON /* its own error */
                                                                    : DBL_EPSILON;
}

/* Whether `got` is a possible result of n operands combined in any grouping. */
static inline bool agrees(struct kind k, struct number got, const struct reference *want, int n)
{
    if (k.op == MATRICES)
        return memcmp(&got.m, &want->value.m, sizeof got.m) == 0;
    if (is_integer(k))
        return got.bits == want->value.bits;
    if (k.op == SHCOLL_MAX || k.op == SHCOLL_MIN || n < 2)
        return got.re == want->value.re && got.im == want->value.im;
    const long double bound = n * epsilon(k) * (k.op == SHCOLL_PROD && is_complex(k) ? 3 : 1);
    return fabsl(got.re - want->value.re) <= bound * want->re_size &&
           fabsl(got.im - want->value.im) <= bound * want->im_size;
}

static inline const char *number_text(struct kind k, struct number v, char *text, size_t bytes)
{
    if (k.op == MATRICES)
        snprintf(text, bytes, "(%#x %#x, %#x %#x)", v.m.at[0], v.m.at[1], v.m.at[2], v.m.at[3]);
    else if (is_integer(k))
        snprintf(text, bytes, "%#llx", (unsigned long long)v.bits);
    else
        snprintf(text, bytes, "%.21Lg%+.21Lgi", v.re, v.im);
    return text;
}

/* A digest of the bits of n elements, without the padding of a long double. */
static inline uint64_t digest_of(struct kind k, const void *array, size_t n)
{
    const size_t size = kind_op(k)->size;
    const size_t used = k.op < MATRICES && k.type == SHCOLL_LONG_DOUBLE && LDBL_MANT_DIG == 64 ? 10 : size;
    const unsigned char *bytes = array;
    uint64_t digest = 1469598103934665603u;
    for (size_t i = 0; i < n; i++)
        for (size_t at = 0; at < used; at += 8) {
            uint64_t word = 0;
            memcpy(&word, bytes + i * size + at, used - at < 8 ? used - at : 8);
            digest = (digest ^ word) * 0x9e3779b97f4a7c15u;
            digest ^= digest >> 29;
        }
    return digest;
}
