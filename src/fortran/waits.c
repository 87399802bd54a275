/* Waits and tests on arrays, of the module shmem: for integers of 4 and of 8 bytes.  C counts positions from 0 and
 * returns SIZE_MAX for none; Fortran counts from 1, and 0 is none. */
#include "descriptor.h"

#include <inttypes.h>
#include <stdlib.h>

struct watch {
    void *ivars;
    size_t n;
    bool wide; /* 8 bytes each */
};

static struct watch watch_of(const char *routine, ARRAY *ivars, ARRAY *nelems)
{
    char text[40];
    if (ivars->type != CFI_type_int32_t && ivars->type != CFI_type_int64_t)
        fortran_fatal(routine, "argument ivars is of type %s, allowed are integer(4) and integer(8)",
                      type_name(ivars->type, ivars->elem_len, text));
    const size_t n = count_of(nelems, "nelems", routine);
    return (struct watch){address_of(ivars, n, "ivars", routine), n, ivars->type == CFI_type_int64_t};
}

static int64_t value_of(const struct watch *w, ARRAY *cmp_value, const char *routine)
{
    const int64_t value = integer_of(cmp_value, "cmp_value", routine);
    if (!w->wide && value != (int32_t)value)
        fortran_fatal(routine, "argument cmp_value is %" PRId64 ", which does not fit in an integer(4)", value);
    return value;
}

static void *values_of(const struct watch *w, ARRAY *ivars, ARRAY *cmp_values, const char *routine)
{
    char text[40];
    if (cmp_values->type != ivars->type)
        fortran_fatal(routine, "argument cmp_values is of type %s, allowed is the type of ivars",
                      type_name(cmp_values->type, cmp_values->elem_len, text));
    return address_of(cmp_values, w->n, "cmp_values", routine);
}

/* Stores positions from C into the user's array of integers, counted from 1, and returns their number. */
static size_t give_positions(ARRAY *indices, size_t *found, size_t n, const char *routine)
{
    if (indices->type != CFI_type_int32_t && indices->type != CFI_type_int64_t)
        fortran_fatal(routine, "argument indices is not an array of integer(4) or integer(8)");
    void *to = address_of(indices, n, "indices", routine);
    for (size_t i = 0; i < n; i++)
        if (indices->type == CFI_type_int64_t)
            ((int64_t *)to)[i] = (int64_t)found[i] + 1;
        else
            ((int32_t *)to)[i] = (int32_t)found[i] + 1;
    free(found);
    return n;
}

static size_t *room_for_positions(const struct watch *w, const char *routine)
{
    size_t *found = malloc((w->n ? w->n : 1) * sizeof *found);
    if (!found)
        fortran_fatal(routine, "no memory for %zu positions", w->n);
    return found;
}

#define WATCH(N) const struct watch w = watch_of("shmem_" #N, ivars, nelems)
#define VALUE(N) const int64_t value = value_of(&w, cmp_value, "shmem_" #N)
#define VALUES(N) void *const values = values_of(&w, ivars, cmp_values, "shmem_" #N)
#define CALL(N, ...) (w.wide ? shmem_int64_##N(w.ivars, w.n, __VA_ARGS__, value) \
                             : shmem_int32_##N(w.ivars, w.n, __VA_ARGS__, (int32_t)value))
#define CALL_VECTOR(N, ...) (w.wide ? shmem_int64_##N(w.ivars, w.n, __VA_ARGS__, values) \
                                    : shmem_int32_##N(w.ivars, w.n, __VA_ARGS__, values))

/* RESULT converts C's result to Fortran's. */
#define WATCHED ARRAY *ivars, ARRAY *nelems, const int *status, int cmp
#define OF_VALUE(R, N, RESULT) R shmemf_##N(WATCHED, ARRAY *cmp_value) \
    { WATCH(N); VALUE(N); RESULT CALL(N, status, cmp); }
#define OF_VALUES(R, N, RESULT) R shmemf_##N(WATCHED, ARRAY *cmp_values) \
    { WATCH(N); VALUES(N); RESULT CALL_VECTOR(N, status, cmp); }
OF_VALUE(void, wait_until_all, )
OF_VALUE(int, test_all, return)
OF_VALUE(size_t, wait_until_any, return 1 +)
OF_VALUE(size_t, test_any, return 1 +)
OF_VALUES(void, wait_until_all_vector, )
OF_VALUES(int, test_all_vector, return)
OF_VALUES(size_t, wait_until_any_vector, return 1 +)
OF_VALUES(size_t, test_any_vector, return 1 +)

#define ROOM(N) size_t *found = room_for_positions(&w, "shmem_" #N)
#define GIVE(N, COUNT) const size_t count = COUNT; return give_positions(indices, found, count, "shmem_" #N)
#define SOME_PARAMETERS ARRAY *ivars, ARRAY *nelems, ARRAY *indices, const int *status, int cmp
#define SOME(N) size_t shmemf_##N(SOME_PARAMETERS, ARRAY *cmp_value) \
    { WATCH(N); VALUE(N); ROOM(N); GIVE(N, CALL(N, found, status, cmp)); }
#define SOME_VECTOR(N) size_t shmemf_##N(SOME_PARAMETERS, ARRAY *cmp_values) \
    { WATCH(N); VALUES(N); ROOM(N); GIVE(N, CALL_VECTOR(N, found, status, cmp)); }
SOME(wait_until_some)
SOME(test_some)
SOME_VECTOR(wait_until_some_vector)
SOME_VECTOR(test_some_vector)
