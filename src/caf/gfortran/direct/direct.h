/* What gfortran 12, 13 and 14 pass to coindexed accesses: vector subscripts and component references. */
#ifndef COPAL_GFORTRAN_DIRECT_H
#define COPAL_GFORTRAN_DIRECT_H

#include "../abi.h"

/* The subscripts of one dimension of a section that has a vector subscript in some dimension. */
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

/* A step on the way from a coarray to what is accessed: x%component, or its subscripts. */
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
            ptrdiff_t token_offset; /* of its token, if it is allocatable or a pointer; else 0 */
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
    ptrdiff_t *memory; /* malloc */
    ptrdiff_t few[64];
};

/* The section that a descriptor and perhaps vector subscripts describe, beginning at base.  Ends with
 * direct_section_end. */
void direct_section(struct caf_section *s, struct index_vectors *held, const struct gfortran_descriptor *d, int kind,
                    void *base, const struct vector_subscript *vectors);
void direct_section_end(struct index_vectors *held);

/* Ends the job if elements of the section are not within the so many bytes at base, which are a coarray's. */
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
        is_within &= low >= 0 && high <= bytes; /* each time, or the sum may be more than there are numbers for */
    }
    if (CAF_UNLIKELY(!is_within || low < 0 || high > bytes))
        direct_check_slowly(statement, s, base, bytes);
}

/* A vector subscript's values less lower as ptrdiff_t; kind is the bytes of an integer. */
void direct_indices(ptrdiff_t *to, const void *vector, int kind, size_t n, ptrdiff_t lower);

/* Ends the job if a put of src to a coarray of that type is one of characters that gfortran has not passed as such. */
void direct_check_characters(int type, const struct gfortran_descriptor *src);

#endif
