/* Lists of Fortran's print, write and read: gfortran passes each element to its library, which has no instrumentation.
 * Names and descriptor are gfortran's, from version 8 on. */
#include "races/access.h"
#include "races/copies.h"
#include "races/real.h"
#include "tap/tap.h"

#include <stddef.h>

struct array {
    char *base;
    size_t offset;
    size_t element;
    int version;
    signed char rank, type;
    short attribute;
    ptrdiff_t span;
    struct {
        ptrdiff_t stride, first, last;
    } dimension[15];
};

/* The elements of all dimensions below `rank`; contiguous elements are one access. */
static void note_array(const struct array *a, char *at, int rank, enum access kind, const void *caller)
{
    const ptrdiff_t n = rank ? a->dimension[rank - 1].last - a->dimension[rank - 1].first + 1 : 1;
    if (n <= 0)
        return;
    if (rank == 0 || (rank == 1 && a->dimension[0].stride == 1)) {
        access_range(at, (size_t)n * a->element, kind, caller);
        return;
    }
    for (ptrdiff_t i = 0; i < n; i++)
        note_array(a, at + i * a->dimension[rank - 1].stride * (ptrdiff_t)a->element, rank - 1, kind, caller);
}

static void note_elements(const struct array *a, enum access kind, const void *caller)
{
    if (copies_is_the_programs(caller))
        note_array(a, a->base, a->rank, kind, caller);
}

/* A real of kind 10 has 16 bytes. */
static size_t bytes_of(int kind)
{
    return kind == 10 ? 16 : (size_t)kind;
}

#pragma GCC visibility push(default)

/* A write reads memory. libgfortran's write routines call its read routines, which tap_depth hides. */
#define LIST(NAME, BYTES, KIND, TYPE, N) void NAME(void *list, void *at, TYPE N) { REAL(NAME); \
    copies_note(at, BYTES, KIND, HERE); tap_depth++; real.call(list, at, N); tap_depth--; }
#define LIST_BOTH(OF, BYTES, TYPE, N) LIST(_gfortran_transfer_##OF, BYTES, ACCESS_WRITE, TYPE, N) \
    LIST(_gfortran_transfer_##OF##_write, BYTES, ACCESS_READ, TYPE, N)
LIST_BOTH(integer, (size_t)kind, int, kind)
LIST_BOTH(logical, (size_t)kind, int, kind)
LIST_BOTH(real, bytes_of(kind), int, kind)
LIST_BOTH(complex, 2 * bytes_of(kind), int, kind)
LIST_BOTH(character, length, size_t, length)

#define LIST_ARRAY(NAME, KIND) void NAME(void *list, struct array *a, int kind, size_t length) { REAL(NAME); \
    note_elements(a, KIND, HERE); tap_depth++; real.call(list, a, kind, length); tap_depth--; }
LIST_ARRAY(_gfortran_transfer_array, ACCESS_WRITE)
LIST_ARRAY(_gfortran_transfer_array_write, ACCESS_READ)
