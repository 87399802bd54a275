/* The user's function in co_reduce, called as gfortran has compiled it: arguments by reference or by value, the result in the
 * registers that its type has, or behind a hidden pointer. */
#include "operation.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

#define BY_REFERENCE(T, N) static void N##_by_reference(void *o, void *into, const void *from, size_t n) \
    { T (*f)(T *, const T *) = (T (*)(T *, const T *))((struct operation *)o)->function; T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) x[i] = f(&x[i], &y[i]); }
#define BY_VALUE(T, N) static void N##_by_value(void *o, void *into, const void *from, size_t n) \
    { T (*f)(T, T) = (T (*)(T, T))((struct operation *)o)->function; T *x = into; const T *y = from; for (size_t i = 0; i < n; i++) x[i] = f(x[i], y[i]); }
#define BOTH(T, N) BY_REFERENCE(T, N) BY_VALUE(T, N)

BOTH(int8_t, integer_1)
BOTH(int16_t, integer_2)
BOTH(int32_t, integer_4)
BOTH(int64_t, integer_8)
BOTH(float, real_4)
BOTH(double, real_8)
BOTH(float _Complex, complex_4)
BOTH(double _Complex, complex_8)
#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 int128;
BOTH(int128, integer_16)
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
#if defined(__SIZEOF_INT128__)
    ROW(CAF_INTEGER, 16, integer_16),
#endif
};

/* --- results by reference ---------------------------------------------------------------------------------------------- */

typedef void character_function(void *result, size_t length, const void *a, const void *b, size_t a_length, size_t b_length);
typedef void character_1_function(void *result, size_t length, char a, char b, size_t a_length, size_t b_length);
typedef void character_4_function(void *result, size_t length, uint32_t a, uint32_t b, size_t a_length, size_t b_length);
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

/* Only of length 1. */
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

/* Complex numbers in programs compiled with -ff2c. */
static void behind_pointer(void *context, void *into, const void *from, size_t n)
{
    const struct operation *o = context;
    for (size_t i = 0; i < n * o->size; i += o->size) {
        ((pointer_function *)o->function)(o->scratch, (char *)into + i, (const char *)from + i);
        memcpy((char *)into + i, o->scratch, o->size);
    }
}

/* --- which it is ------------------------------------------------------------------------------------------------------- */

static caf_combine *caller_of(const struct operation *o, enum caf_type type)
{
    /* Logical values, and the characters of functions with bind(C), are returned as integers are. */
    const enum caf_type as = type == CAF_LOGICAL || type == CAF_CHARACTER ? CAF_INTEGER : type;
    for (size_t i = 0; i < sizeof callers / sizeof *callers; i++)
        if (callers[i].type == as && callers[i].size == o->size)
            return o->by_value ? callers[i].by_value : callers[i].by_reference;
    return NULL;
}

caf_combine *operation_begin(struct operation *o, const struct caf_section *a, void (*function)(void), int flags, int length)
{
    *o = (struct operation){.function = function, .size = a->size, .length = (size_t)length,
                            .by_value = flags & ARGUMENTS_BY_VALUE, .scratch = malloc(4 * a->size + 64)};
    if (!o->scratch)
        caf_fatal("co_reduce: no memory for an element of %zu bytes", a->size);
    caf_combine *f = NULL;
    if (flags & ARGUMENTS_BY_DESCRIPTOR)
        f = NULL;
    else if (!(flags & RESULT_BY_REFERENCE))
        f = caller_of(o, a->type);
    else if (a->type == CAF_CHARACTER)
        f = o->by_value ? character_values : characters;
    else if (!o->by_value)
        f = behind_pointer;
    if (!f && !(flags & (RESULT_BY_REFERENCE | ARGUMENTS_BY_DESCRIPTOR)))
        f = returned_find(a);
    if (!f)
        caf_say(CAF_STAT_ERROR, "co_reduce: a function of type %d and %zu bytes with the properties %d, which this processor's "
                "library cannot call", (int)a->type, a->size, flags);
    return f;
}

void operation_end(struct operation *o)
{
    free(o->scratch);
}
