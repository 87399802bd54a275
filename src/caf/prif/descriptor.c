#include "descriptor.h"

#include <stdlib.h>
#include <string.h>

enum { GFORTRAN_VERSION = 1 };

static bool is_llvm(const struct prif_descriptor *d)
{
    return d->version != GFORTRAN_VERSION;
}

/* --- types -------------------------------------------------------------------------------------------------------- */

struct type {
    enum caf_type type;
    int kind; /* 0: the element's bytes */
};

/* gfortran: a type in the low byte, a kind in the upper ones. */
static struct type gfortran_type(int number)
{
    static const enum caf_type types[] = {CAF_DERIVED, CAF_INTEGER, CAF_LOGICAL, CAF_REAL, CAF_COMPLEX, CAF_CHARACTER};
    const int type = number & 0xff;
    return number < 0 || type > 5 ? (struct type){CAF_DERIVED, 0} : (struct type){types[type], number >> 8};
}

/* LLVM: a number for each C type; types of one category are consecutive. Unsigned numbers (45 to 49) could be added as
 * integers, but co_min and co_max do not know their order. */
static struct type llvm_type(int number)
{
    enum { INTEGERS = 1, REALS = 25, COMPLEX = 32, BOOL = 39, CHARACTER = 40, CHAR16 = 43, CHAR32 = 44 };
    if (number >= INTEGERS && number < REALS)
        return (struct type){CAF_INTEGER, 0};
    if (number >= REALS && number < COMPLEX)
        return (struct type){CAF_REAL, number == 29 || number == 30 ? 10 : 0};
    if (number >= COMPLEX && number < BOOL)
        return (struct type){CAF_COMPLEX, number == 36 || number == 37 ? 10 : 0};
    if (number == BOOL)
        return (struct type){CAF_LOGICAL, 0};
    if (number == CHARACTER || number == CHAR32)
        return (struct type){CAF_CHARACTER, number == CHARACTER ? 1 : 4};
    return (struct type){CAF_DERIVED, 0};
}

void prif_section(struct caf_section *s, const struct prif_descriptor *d)
{
    const struct type t = is_llvm(d) ? llvm_type(d->llvm_type) : gfortran_type(d->gfortran_type);
    s->base = d->base;
    s->type = t.type;
    s->size = d->element_bytes;
    s->kind = t.kind ? t.kind : (int)(t.type == CAF_COMPLEX ? s->size / 2 : s->size);
    s->rank = d->rank;
    s->foreign = false;
    for (int i = 0; i < s->rank; i++) {
        const ptrdiff_t n = d->dim[i].extent;
        s->dim[i] = (struct caf_dim){.count = n > 0 ? (size_t)n : 0, .step = d->dim[i].step};
    }
}

/* --- arguments ---------------------------------------------------------------------------------------------------- */

int prif_check_extent(const char *procedure, const char *argument, const struct prif_descriptor *d, size_t expected)
{
    if (CAF_LIKELY(prif_extent(d) == expected))
        return CAF_OK;
    return caf_say(CAF_STAT_ERROR, "%s: %s has %zu elements, it must have %zu", procedure, argument, prif_extent(d),
                   expected);
}

void prif_assign(const char *procedure, struct prif_descriptor *d, const void *from, size_t n, size_t element_bytes)
{
    const size_t bytes = n * element_bytes;
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        caf_fatal("%s: no memory for a result of %zu bytes", procedure, bytes);
    if (bytes)
        memcpy(memory, from, bytes);
    free(d->base);
    d->base = memory;
    d->element_bytes = element_bytes;
    if (d->rank)
        d->dim[0] = (struct prif_dim){.lower = 1, .extent = (ptrdiff_t)n, .step = (ptrdiff_t)element_bytes};
}
