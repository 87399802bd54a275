/* The types that the typed routines of OpenSHMEM 1.6 range over, as X-macros.
 *
 * COPAL_TYPES_RMA(X) expands to X(float, float) X(double, double) and so on: X(TYPE, NAME) once for each type of that
 * table, where NAME is the part of a routine's name, as in shmem_NAME_put.  Prototypes, definitions, generics and tests
 * per type are made from these tables.
 *
 * A family of routines is declared once, in its chapter's header, as a macro of one type that is given to a table.
 * chapters.h includes all chapters; shmem.h and pshmem.h define COPAL_DECL before, to make shmem_ and pshmem_ names. */
#ifndef COPAL_TYPES_H
#define COPAL_TYPES_H

/* C89 and C++98 have no long long, no complex types, and not all macros that chapters.h needs.  A program cannot avoid
 * that, so no warning is given, as in a system's header. */
#if defined(__cplusplus) ? __cplusplus < 201103L : !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>

/* Complex numbers have the same layout in both languages. */
#ifdef __cplusplus
extern "C++" { /* the program may include this within extern "C" */
#include <complex>
}
#define COPAL_COMPLEXD std::complex<double>
#define COPAL_COMPLEXF std::complex<float>
#else
#define COPAL_COMPLEXD double _Complex
#define COPAL_COMPLEXF float _Complex
#endif

/* Types that the compiler tells apart, each once: what _Generic and overloading can range over.  int32_t, size_t and
 * similar types are other names of these, and appear only in the complete tables below.  Rows are X(TYPE, NAME, A),
 * where A is the table's second argument.
 *
 * In both kinds of tables a NAME is an argument only of macros that join it to other names by ##: otherwise, a macro of
 * the program such as uint or int32 would replace it. */
#define COPAL_DISTINCT_UINT(X, A) \
    X(unsigned int, uint, A) X(unsigned long, ulong, A) X(unsigned long long, ulonglong, A)
#define COPAL_DISTINCT_OLD_ADD(X, A) X(int, int, A) X(long, long, A) X(long long, longlong, A)
#define COPAL_DISTINCT_OLD_FETCH(X, A) COPAL_DISTINCT_OLD_ADD(X, A) X(float, float, A) X(double, double, A)
#define COPAL_DISTINCT_AMO(X, A) COPAL_DISTINCT_OLD_ADD(X, A) COPAL_DISTINCT_UINT(X, A)
#define COPAL_DISTINCT_AMO_EXT(X, A) COPAL_DISTINCT_AMO(X, A) X(float, float, A) X(double, double, A)
#define COPAL_DISTINCT_AMO_BIT(X, A) COPAL_DISTINCT_UINT(X, A) X(int32_t, int32, A) X(int64_t, int64, A)
#define COPAL_DISTINCT_WAIT(X, A) COPAL_DISTINCT_AMO(X, A) X(short, short, A) X(unsigned short, ushort, A)
#define COPAL_DISTINCT_INTEGER(X, A) \
    COPAL_DISTINCT_WAIT(X, A) X(char, char, A) X(signed char, schar, A) X(unsigned char, uchar, A)
#define COPAL_DISTINCT_REAL(X, A) X(float, float, A) X(double, double, A) X(long double, longdouble, A)
#define COPAL_DISTINCT_RMA(X, A) COPAL_DISTINCT_INTEGER(X, A) COPAL_DISTINCT_REAL(X, A)
#define COPAL_DISTINCT_REDUCE_BIT(X, A) \
    X(unsigned char, uchar, A) X(unsigned short, ushort, A) X(int8_t, int8, A) X(int16_t, int16, A) \
    COPAL_DISTINCT_AMO_BIT(X, A)
#define COPAL_DISTINCT_REDUCE_ARITH(X, A) COPAL_DISTINCT_RMA(X, A) COPAL_DISTINCT_COMPLEX(X, A)
#define COPAL_DISTINCT_COMPLEX(X, A) X(COPAL_COMPLEXD, complexd, A) X(COPAL_COMPLEXF, complexf, A)

/* Standard RMA types (24): integers and reals. */
#define COPAL_TYPES_RMA(X) COPAL_TYPES_INTEGER(X) X(float, float) X(double, double) X(long double, longdouble)
#define COPAL_TYPES_INTEGER(X) \
    COPAL_TYPES_OLD_ADD(X) COPAL_TYPES_UINT(X) X(short, short) X(unsigned short, ushort) \
    X(char, char) X(signed char, schar) X(unsigned char, uchar) \
    X(int8_t, int8) X(int16_t, int16) X(int32_t, int32) X(int64_t, int64) \
    X(uint8_t, uint8) X(uint16_t, uint16) X(uint32_t, uint32) X(uint64_t, uint64) \
    X(size_t, size) X(ptrdiff_t, ptrdiff)
#define COPAL_TYPES_UINT(X) X(unsigned int, uint) X(unsigned long, ulong) X(unsigned long long, ulonglong)

/* Atomics: standard (12), extended (14), bitwise (7). */
#define COPAL_TYPES_AMO(X) \
    COPAL_TYPES_OLD_ADD(X) COPAL_TYPES_UINT(X) \
    X(int32_t, int32) X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64) \
    X(size_t, size) X(ptrdiff_t, ptrdiff)
#define COPAL_TYPES_AMO_EXT(X) COPAL_TYPES_AMO(X) X(float, float) X(double, double)
#define COPAL_TYPES_AMO_BIT(X) \
    COPAL_TYPES_UINT(X) X(int32_t, int32) X(int64_t, int64) X(uint32_t, uint32) X(uint64_t, uint64)

/* wait_until and test (14); their _all, _any, _some and vector forms take the standard AMO types. */
#define COPAL_TYPES_WAIT(X) COPAL_TYPES_AMO(X) X(short, short) X(unsigned short, ushort)

/* Team reductions: and, or, xor (14); max, min (24); sum, prod and the scans (26). */
#define COPAL_TYPES_REDUCE_BIT(X) \
    X(unsigned char, uchar) X(unsigned short, ushort) X(int8_t, int8) X(int16_t, int16) COPAL_TYPES_AMO_BIT(X) \
    X(uint8_t, uint8) X(uint16_t, uint16) X(size_t, size)
#define COPAL_TYPES_REDUCE_ORD(X) COPAL_TYPES_RMA(X)
#define COPAL_TYPES_REDUCE_ARITH(X) COPAL_TYPES_RMA(X) COPAL_TYPES_COMPLEX(X)
#define COPAL_TYPES_COMPLEX(X) X(COPAL_COMPLEXD, complexd) X(COPAL_COMPLEXF, complexf)

/* Active-set reductions: and, or, xor (4); max, min (7); sum, prod (9). */
#define COPAL_TYPES_TO_ALL_BIT(X) X(short, short) COPAL_TYPES_OLD_ADD(X)
#define COPAL_TYPES_TO_ALL_ORD(X) \
    COPAL_TYPES_TO_ALL_BIT(X) X(float, float) X(double, double) X(long double, longdouble)
#define COPAL_TYPES_TO_ALL_ARITH(X) COPAL_TYPES_TO_ALL_ORD(X) COPAL_TYPES_COMPLEX(X)

/* Deprecated atomics: fetch, set, swap (5); cswap, finc, inc, fadd, add (3).  Deprecated wait (4). */
#define COPAL_TYPES_OLD_ADD(X) X(int, int) X(long, long) X(long long, longlong)
#define COPAL_TYPES_OLD_FETCH(X) COPAL_TYPES_OLD_ADD(X) X(float, float) X(double, double)
#define COPAL_TYPES_OLD_WAIT(X) X(short, short) COPAL_TYPES_OLD_ADD(X)

/* Routines named after the size of an element: X(BITS). */
#define COPAL_SIZES(X) X(8) X(16) X(32) X(64) X(128)

#endif
