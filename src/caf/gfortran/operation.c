/* Calls the user's function in co_reduce as gfortran compiled it: arguments by reference or by value, the result in
 * registers or by a hidden pointer. */
#include "operation.h"

#include "../../common/wide_numbers.h"

#include <stdlib.h>
#include <string.h>

static void (*function_of(const void *operation))(void)
{
    return ((const struct operation *)operation)->function;
}

/* --- results of types that C has ---------------------------------------------------------------------------------- */

#define CALLER(NAME, F, T, VALUE) static void NAME(void *o, void *into, const void *from, size_t n) \
    { F *f = (F *)function_of(o); T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) x[i] = (VALUE); }
#define BOTH(T, N) typedef T N##_places(const T *, const T *); typedef T N##_values(T, T); \
    CALLER(N##_by_reference, N##_places, T, f(&x[i], &y[i])) CALLER(N##_by_value, N##_values, T, f(x[i], y[i]))

BOTH(int8_t, integer_1)
BOTH(int16_t, integer_2)
BOTH(int32_t, integer_4)
BOTH(int64_t, integer_8)
BOTH(float, real_4)
BOTH(double, real_8)
BOTH(float _Complex, complex_4)
BOTH(double _Complex, complex_8)
BOTH(int128, integer_16)
#if LDBL_MANT_DIG == 113
BOTH(long double, real_16)
BOTH(long double _Complex, complex_16)
#endif

struct caller {
    enum caf_type type;
    size_t size;
    caf_combine *by_reference, *by_value;
};
#define ROW(TYPE, SIZE, N) {TYPE, SIZE, N##_by_reference, N##_by_value}
static const struct caller callers[] = {
    ROW(CAF_INTEGER, 1, integer_1), ROW(CAF_INTEGER, 2, integer_2), ROW(CAF_INTEGER, 4, integer_4),
    ROW(CAF_INTEGER, 8, integer_8), ROW(CAF_REAL, 4, real_4), ROW(CAF_REAL, 8, real_8), ROW(CAF_COMPLEX, 8, complex_4),
    ROW(CAF_COMPLEX, 16, complex_8),
    ROW(CAF_INTEGER, 16, integer_16),
#if LDBL_MANT_DIG == 113
    ROW(CAF_REAL, 16, real_16), ROW(CAF_COMPLEX, 32, complex_16),
#endif
};

static caf_combine *caller_of(const struct operation *o, enum caf_type type)
{
    /* Logical values, and characters of bind(C) functions, are returned like integers. */
    const enum caf_type as = type == CAF_LOGICAL || type == CAF_CHARACTER ? CAF_INTEGER : type;
    for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
        if (callers[i].type == as && callers[i].size == o->size)
            return o->by_value ? callers[i].by_value : callers[i].by_reference;
    return NULL;
}

/* --- results by reference ----------------------------------------------------------------------------------------- */

typedef void character_function(void *result, size_t length, const void *a, const void *b, size_t, size_t);
typedef void character_1_function(void *result, size_t length, char a, char b, size_t, size_t);
typedef void character_4_function(void *result, size_t length, uint32_t a, uint32_t b, size_t, size_t);
typedef void pointer_function(void *result, const void *a, const void *b);

static void characters(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    character_function *f = (character_function *)o->function;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        f(o->scratch, o->length, (char *)into + i, (const char *)from + i, o->length, o->length);
        memcpy((char *)into + i, o->scratch, o->size);
    }
}

/* Calls a function of characters of length 1. */
static void character_values(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    if (o->size == 1)
        for (size_t i = 0; i < n; i++) {
            char *x = (char *)into + i;
            ((character_1_function *)o->function)(o->scratch, 1, *x, ((const char *)from)[i], 1, 1);
            memcpy(x, o->scratch, 1);
        }
    else
        for (size_t i = 0; i < n; i++) {
            uint32_t *x = (uint32_t *)into + i;
            ((character_4_function *)o->function)(o->scratch, 1, *x, ((const uint32_t *)from)[i], 1, 1);
            memcpy(x, o->scratch, sizeof *x);
        }
}

/* Large types, and complex numbers in programs compiled with -ff2c. */
static void behind_pointer(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    pointer_function *f = (pointer_function *)o->function;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        f(o->scratch, (char *)into + i, (const char *)from + i);
        memcpy((char *)into + i, o->scratch, o->size);
    }
}

/* --- x86-64 (System V ABI, 3.2.3) --------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Values that are not passed in registers lie on the stack one after the other; the bytes after them do not matter. */
enum { MOST_BY_VALUE = 512 };
struct values {
    _Alignas(16) char of[2 * MOST_BY_VALUE];
};
typedef void values_function(void *result, struct values);

static void put_values(struct values *v, const void *a, const void *b, size_t size)
{
    memcpy(v->of, a, size);
    memcpy(v->of + (size + 7) / 8 * 8, b, size);
}

/* Passes types of more than 16 bytes. */
static void large_by_value(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    values_function *f = (values_function *)o->function;
    struct values v;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        put_values(&v, (char *)into + i, (const char *)from + i, o->size);
        f(o->scratch, v);
        memcpy((char *)into + i, o->scratch, o->size);
    }
}

/* A real of 16 bytes has kind 10 or 16, which gfortran does not pass; the function's result shows it. Kind 10 returns
 * in an x87 register; otherwise all these registers are empty after a call. The arguments are passed as both kinds
 * expect them. Call this directly after the function: it removes a number from the x87 registers if there is one. */
struct x87 {
    char of[10];
};
static inline bool take_x87(void *number)
{
    uint16_t status;
    __asm__ volatile("fxam\n\tfnstsw %0" : "=a"(status) : : "memory");
    if ((status & 0x4500) == 0x4100)
        return false;
    __asm__ volatile("fstpt %0" : "=m"(*(struct x87 *)number) : : "memory");
    return true;
}

static void long_reals(void *context, void *into, const void *from, size_t n)
{
    typedef real128 of_references(const real128 *, const real128 *);
    typedef real128 of_values(real128, real128, struct values);
    const struct operation *o = context;
    real128 *x = into;
    const real128 *y = from;
    struct values v;
    for (size_t i = 0; i < n; i++) {
        real128 result;
        if (o->by_value) {
            put_values(&v, &x[i], &y[i], sizeof *x);
            result = ((of_values *)o->function)(x[i], y[i], v);
        } else {
            result = ((of_references *)o->function)(&x[i], &y[i]);
        }
        if (!take_x87(&x[i]))
            x[i] = result;
    }
}

static bool take_complex(char *number)
{
    return take_x87(number) && take_x87(number + sizeof(real128));
}

/* Kind 16 returns by a hidden pointer, which a function of kind 10 lacks. With arguments by reference, that function
 * takes the pointer for its first argument and the first for its second: it computed f(b, a), and is called again. */
static void long_complex_numbers(void *context, void *into, const void *from, size_t n)
{
    typedef void of_references(const void *, const void *);
    struct operation *o = context;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        char *a = (char *)into + i;
        const char *b = (const char *)from + i;
        if (o->is_kind_10 && !o->by_value) {
            ((of_references *)o->function)(a, b);
            take_complex(a);
            continue;
        }
        if (o->by_value) {
            struct values v;
            put_values(&v, a, b, o->size);
            ((values_function *)o->function)(o->scratch, v);
        } else {
            memcpy(o->scratch, b, o->size);
            ((pointer_function *)o->function)(o->scratch, a, b);
        }
        o->is_kind_10 = take_complex(o->by_value ? a : o->scratch);
        if (!o->is_kind_10)
            memcpy(a, o->scratch, o->size);
        else if (!o->by_value)
            i -= o->size; /* this element again */
    }
}

static caf_combine *unnamed_caller_of(const struct operation *o, enum caf_type type)
{
    if (type == CAF_REAL && o->size == sizeof(real128))
        return long_reals;
    if (type == CAF_COMPLEX && o->size == 2 * sizeof(real128))
        return long_complex_numbers;
    if (type != CAF_DERIVED || o->size <= 16 || (o->by_value && o->size > MOST_BY_VALUE))
        return NULL;
    return o->by_value ? large_by_value : behind_pointer;
}

#else

static caf_combine *unnamed_caller_of(const struct operation *o, enum caf_type type)
{
    (void)o, (void)type;
    return NULL;
}

#endif

/* --- selection ---------------------------------------------------------------------------------------------------- */

static caf_combine *find(const struct operation *o, enum caf_type type, int flags)
{
    if (flags & ARGUMENTS_BY_DESCRIPTOR)
        return NULL;
    if (!(flags & RESULT_BY_REFERENCE)) {
        caf_combine *named = caller_of(o, type);
        return named ? named : unnamed_caller_of(o, type);
    }
    if (type == CAF_CHARACTER)
        return o->by_value ? character_values : characters;
    return o->by_value ? NULL : behind_pointer;
}

caf_combine *gfortran_operation_begin(struct operation *o, const struct caf_section *a, void (*function)(void),
                                      int flags, int length)
{
    *o = (struct operation){.function = function, .size = a->size, .length = (size_t)length,
                            .by_value = flags & ARGUMENTS_BY_VALUE, .scratch = malloc(a->size)};
    if (!o->scratch && a->size)
        caf_fatal("co_reduce: no memory for an element of %zu bytes", a->size);
    caf_combine *f = find(o, a->type, flags);
    /* A small type is returned in registers that depend on its components, which gfortran does not pass. */
    if (!f && a->type == CAF_DERIVED && a->size <= 16)
        caf_say(CAF_STAT_ERROR, "co_reduce: a derived type of %zu bytes: gfortran does not pass how a function returns "
                "a type of 16 bytes or fewer: add a component, so that it has more than 16, or reduce "
                "its components one by one", a->size);
    else if (!f)
        caf_say(CAF_STAT_ERROR, "co_reduce: a function of type %d and %zu bytes with the properties %d, which this "
                "processor's library cannot call", (int)a->type, a->size, flags);
    return f;
}

void gfortran_operation_end(struct operation *o)
{
    free(o->scratch);
}
