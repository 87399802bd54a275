/* The arguments of coindexed accesses in gfortran 12, 13 and 14: vector subscripts and component references. */
#pragma once

#include "../abi.h"

/* One dimension's subscripts in a section with at least one vector subscript. */
struct vector_subscript {
    size_t n; /* 0: a triplet */
    union {
        struct {
            void *vector;
            int kind;
        } v;
        struct {
            ptrdiff_t lower, upper, stride;
        } triplet;
    } u;
};

/* One step from a coarray to the data: x%component, or its subscripts. */
enum reference_type { REFERENCE_COMPONENT, REFERENCE_ARRAY, REFERENCE_STATIC_ARRAY };
enum subscript_mode {
    SUBSCRIPTS_END, SUBSCRIPT_VECTOR, SUBSCRIPT_FULL, SUBSCRIPT_RANGE, SUBSCRIPT_SINGLE, SUBSCRIPT_OPEN_END,
    SUBSCRIPT_OPEN_START,
};
struct reference {
    struct reference *next;
    int type;
    size_t item_size;
    union {
        struct {
            ptrdiff_t offset;
            ptrdiff_t token_offset; /* offset of the token of an allocatable or pointer component; otherwise 0 */
        } component;
        struct {
            unsigned char mode[CAF_RANK];
            int static_array_type;
            union {
                struct {
                    ptrdiff_t start, end, stride;
                } range;
                struct {
                    void *vector;
                    size_t n;
                    int kind;
                } vector;
            } dim[CAF_RANK];
        } array;
    } u;
};

/* Index vectors of one section, converted. */
struct index_vectors {
    ptrdiff_t *memory; /* allocated, or NULL */
    ptrdiff_t few[64];
};

/* The section of a descriptor and optional vector subscripts, at base. direct_section_end must follow. */
void direct_section(struct caf_section *s, struct index_vectors *held, const struct gfortran_descriptor *d, int kind,
                    void *base, const struct vector_subscript *vectors);
void direct_section_end(struct index_vectors *held);

/* Ends the job if elements of the section lie outside the coarray's `bytes` bytes at base. */
void direct_check_slowly(const char *statement, const struct caf_section *s, const char *base, size_t bytes);
static inline void direct_check_section(const char *statement, const struct caf_section *s, const char *base,
                                        size_t bytes)
{
    ptrdiff_t low = s->base - base, reach = 0;
    size_t high = (size_t)low + s->size;
    bool is_within = true;
    for (int i = 0; i < s->rank; i++) {
        const struct caf_dim *d = &s->dim[i];
        is_within &= !__builtin_mul_overflow((ptrdiff_t)d->count - 1, d->step, &reach) & !d->vector;
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? (size_t)reach : 0;
        is_within &= low >= 0 && high <= bytes; /* in each turn, so that the sums cannot overflow */
    }
    if (CAF_UNLIKELY(!is_within || low < 0 || high > bytes))
        direct_check_slowly(statement, s, base, bytes);
}

/* Converts a vector subscript's values minus lower; kind is the bytes of an integer. */
void direct_indices(ptrdiff_t *to, const void *vector, int kind, size_t n, ptrdiff_t lower);

/* Ends the job if the type is character, but gfortran has not passed src as characters. */
void direct_check_characters(int type, const struct gfortran_descriptor *src);
