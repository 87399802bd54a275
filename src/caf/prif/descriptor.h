/* Descriptors of ISO_Fortran_binding.h in gfortran and LLVM's flang. They differ in the order of three small members
 * after the rank, and in the numbers of types; the version distinguishes them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../caf.h"

struct prif_descriptor {
    void *base;
    size_t element_bytes;
    int version; /* gfortran: 1; LLVM: a date */
    uint8_t rank;
    int8_t llvm_type;      /* gfortran: the attribute */
    int16_t gfortran_type; /* LLVM: the attribute, and an internal byte */
    struct prif_dim {
        ptrdiff_t lower, extent, step;
    } dim[];
};
_Static_assert(offsetof(struct prif_descriptor, dim) == 24, "as ISO_Fortran_binding.h has it");

/* The number of elements of a dimension(:). */
static inline size_t prif_extent(const struct prif_descriptor *d)
{
    return d->rank && d->dim[0].extent > 0 ? (size_t)d->dim[0].extent : d->rank ? 0 : 1;
}

/* Element i, from 0, of a dimension(:). flang gives a single element the step 1. */
static inline void *prif_element(const struct prif_descriptor *d, size_t i)
{
    return i ? (char *)d->base + (ptrdiff_t)i * d->dim[0].step : d->base;
}

/* The section of a descriptor of any type and rank. */
void prif_section(struct caf_section *s, const struct prif_descriptor *d);

/* CAF_OK, or a sentence if the argument of dimension(:) does not have the expected size. */
int prif_check_extent(const char *procedure, const char *argument, const struct prif_descriptor *d, size_t expected);

/* Gives an allocatable these elements (rank 1) or this text (rank 0, n is 1), in memory that the program frees. */
void prif_assign(const char *procedure, struct prif_descriptor *d, const void *from, size_t n, size_t element_bytes);
