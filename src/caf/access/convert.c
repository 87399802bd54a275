/* Conversions of Fortran's intrinsic assignment: between numbers of every kind (integers wrap, reals are truncated, a
 * complex number gives its real part), logicals of every kind, and characters of any length.
 *
 * For each pair of C number types a loop exists; a transfer chooses it once.  Complex numbers are pairs of reals, which
 * two such loops convert. */
#include "convert.h"

#include "../../common/wide_numbers.h"

#include <string.h>

/* --- numbers ------------------------------------------------------------------------------------------------------ */

/* REAL(10) is the x87 type. */
#if LDBL_MANT_DIG == 64
#define IF_REAL_10(...) __VA_ARGS__
#else
#define IF_REAL_10(...)
#endif

/* The number types: X(C type, name, Fortran type, kind). The second list is expanded within the first. */
#define FOR_ALL_FROM(X)                          \
    X(int8_t, i1, CAF_INTEGER, 1)                \
    X(int16_t, i2, CAF_INTEGER, 2)               \
    X(int32_t, i4, CAF_INTEGER, 4)               \
    X(int64_t, i8, CAF_INTEGER, 8)               \
    X(int128, i16, CAF_INTEGER, 16)              \
    X(float, r4, CAF_REAL, 4)                    \
    X(double, r8, CAF_REAL, 8)                   \
    IF_REAL_10(X(long double, r10, CAF_REAL, 10)) \
    X(real128, r16, CAF_REAL, 16)
#define FOR_ALL_TO(X, FROM, from)                \
    X(int8_t, i1, FROM, from)                    \
    X(int16_t, i2, FROM, from)                   \
    X(int32_t, i4, FROM, from)                   \
    X(int64_t, i8, FROM, from)                   \
    X(int128, i16, FROM, from)                   \
    X(float, r4, FROM, from)                     \
    X(double, r8, FROM, from)                    \
    IF_REAL_10(X(long double, r10, FROM, from))  \
    X(real128, r16, FROM, from)

/* Constant steps let the compiler vectorize the loop. Elements may be unaligned: SEQUENCE types pack them. */
#define LOOP(TO, FROM, TO_STEP, FROM_STEP) for (size_t i = 0; i < n; i++, to += TO_STEP, from += FROM_STEP) \
    { FROM x; memcpy(&x, from, sizeof x); const TO y = (TO)x; memcpy(to, &y, sizeof y); }
#define LOOPS(TO, FROM) if (to_step == (ptrdiff_t)sizeof(TO) && from_step == (ptrdiff_t)sizeof(FROM)) \
    LOOP(TO, FROM, sizeof(TO), sizeof(FROM)) else LOOP(TO, FROM, to_step, from_step)
#define CONVERT(TO, t, FROM, f) static void f##_to_##t(char *restrict to, ptrdiff_t to_step, \
    const char *restrict from, ptrdiff_t from_step, size_t n) { LOOPS(TO, FROM) }
#define CONVERT_FROM(FROM, f, TYPE, KIND) FOR_ALL_TO(CONVERT, FROM, f)
FOR_ALL_FROM(CONVERT_FROM)

/* The number types, in the order of the list above. */
struct number { enum caf_type type; int kind; };
#define NUMBER(T, t, TYPE, KIND) {TYPE, KIND},
static const struct number numbers[] = { FOR_ALL_FROM(NUMBER) };
enum { NUMBERS = sizeof numbers / sizeof *numbers };

#define ENTRY(TO, t, FROM, f) f##_to_##t,
#define ENTRIES(FROM, f, TYPE, KIND) { FOR_ALL_TO(ENTRY, FROM, f) },
static caf_convert_numbers *const conversions[NUMBERS][NUMBERS] = { FOR_ALL_FROM(ENTRIES) };

/* A complex number counts as its real type, a logical as an integer. */
static int number_of(const struct caf_section *s)
{
    const enum caf_type type = s->type == CAF_COMPLEX ? CAF_REAL : s->type == CAF_LOGICAL ? CAF_INTEGER : s->type;
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].type == type && numbers[i].kind == s->kind)
            return i;
    return -1;
}

static void run_numbers(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                        ptrdiff_t from_step, size_t n)
{
    static const char zero[16]; /* zero in every type */
    c->numbers(to, to_step, from, from_step, n);
    if (c->to_imaginary && c->from_imaginary)
        c->numbers(to + c->to_imaginary, to_step, from + c->from_imaginary, from_step, n);
    else if (c->to_imaginary)
        c->numbers(to + c->to_imaginary, to_step, zero, 0, n);
}

/* --- characters --------------------------------------------------------------------------------------------------- */

static void pad_wide(char *to, size_t bytes)
{
    const uint32_t blank = ' ';
    for (size_t i = 0; i + sizeof blank <= bytes; i += sizeof blank)
        memcpy(to + i, &blank, sizeof blank);
}

static void run_narrow(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                       ptrdiff_t from_step, size_t n)
{
    const size_t kept = c->to_size < c->from_size ? c->to_size : c->from_size;
    for (; n > 0; n--, to += to_step, from += from_step) {
        memcpy(to, from, kept);
        memset(to + kept, ' ', c->to_size - kept);
    }
}

static void run_wide(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                     ptrdiff_t from_step, size_t n)
{
    const size_t kept = c->to_size < c->from_size ? c->to_size : c->from_size;
    for (; n > 0; n--, to += to_step, from += from_step) {
        memcpy(to, from, kept);
        pad_wide(to + kept, c->to_size - kept);
    }
}

static void run_widen(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                      ptrdiff_t from_step, size_t n)
{
    const size_t kept = c->to_size / 4 < c->from_size ? c->to_size / 4 : c->from_size;
    for (; n > 0; n--, to += to_step, from += from_step) {
        for (size_t i = 0; i < kept; i++)
            memcpy(to + 4 * i, &(uint32_t){(unsigned char)from[i]}, 4);
        pad_wide(to + 4 * kept, c->to_size - 4 * kept);
    }
}

/* '?' replaces a character that does not fit one byte, as in libgfortran. */
static void run_narrowing(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                          ptrdiff_t from_step, size_t n)
{
    const size_t kept = c->to_size < c->from_size / 4 ? c->to_size : c->from_size / 4;
    for (; n > 0; n--, to += to_step, from += from_step) {
        for (size_t i = 0; i < kept; i++) {
            uint32_t wide;
            memcpy(&wide, from + 4 * i, 4);
            to[i] = wide > 255 ? '?' : (char)wide;
        }
        memset(to + kept, ' ', c->to_size - kept);
    }
}

/* --- the choice --------------------------------------------------------------------------------------------------- */

static const char *type_name(enum caf_type type)
{
    static const char *const names[] = {"?", "integer", "logical", "real", "complex", "derived type", "character"};
    return names[type >= CAF_INTEGER && type <= CAF_CHARACTER ? type : 0];
}

static _Noreturn void impossible(const struct caf_section *to, const struct caf_section *from)
{
    caf_fatal("coindexed assignment: from %s, kind %d, %zu bytes, to %s, kind %d, %zu bytes: no such conversion",
              type_name(from->type), from->kind, from->size, type_name(to->type), to->kind, to->size);
}

static bool is_number(const struct caf_section *s)
{
    return s->type == CAF_INTEGER || s->type == CAF_REAL || s->type == CAF_COMPLEX;
}

static caf_convert_run *character_run(int to_kind, int from_kind)
{
    if (to_kind == from_kind)
        return to_kind == 1 ? run_narrow : to_kind == 4 ? run_wide : NULL;
    return to_kind == 4 && from_kind == 1 ? run_widen : to_kind == 1 && from_kind == 4 ? run_narrowing : NULL;
}

struct caf_conversion caf_conversion_find(const struct caf_section *to, const struct caf_section *from)
{
    struct caf_conversion c = {.to_size = to->size, .from_size = from->size};
    if (to->type == from->type && to->size == from->size && (to->kind == from->kind || to->type == CAF_DERIVED))
        return c;
    if (to->type == CAF_CHARACTER && from->type == CAF_CHARACTER) {
        c.run = character_run(to->kind, from->kind);
        if (!c.run)
            impossible(to, from);
        return c;
    }
    const int t = number_of(to), f = number_of(from);
    const bool same = to->type == from->type && (is_number(to) || to->type == CAF_LOGICAL);
    if (t < 0 || f < 0 || !(same || (is_number(to) && is_number(from))))
        impossible(to, from);
    c.run = run_numbers;
    c.numbers = conversions[f][t];
    c.to_imaginary = to->type == CAF_COMPLEX ? to->size / 2 : 0;
    c.from_imaginary = from->type == CAF_COMPLEX ? from->size / 2 : 0;
    return c;
}
