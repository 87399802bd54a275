#include "direct.h"

#include <stdlib.h>

void direct_indices(ptrdiff_t *to, const void *vector, int kind, size_t n, ptrdiff_t lower)
{
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t value;
        switch (kind) {
        case 1: value = ((const int8_t *)vector)[i]; break;
        case 2: value = ((const int16_t *)vector)[i]; break;
        case 4: value = ((const int32_t *)vector)[i]; break;
        case 8: value = ((const int64_t *)vector)[i]; break;
        default: value = (ptrdiff_t)((const int64_t *)vector)[2 * i]; break; /* 16 bytes, little-endian */
        }
        to[i] = value - lower;
    }
}

static ptrdiff_t *room_for_indices(struct index_vectors *held, const struct vector_subscript *vectors, int rank)
{
    size_t n = 0;
    for (int i = 0; i < rank; i++)
        n += vectors[i].n;
    if (n <= sizeof held->few / sizeof *held->few)
        return held->few;
    held->memory = malloc(n * sizeof *held->memory);
    if (!held->memory)
        caf_fatal("no memory for vector subscripts of %zu elements", n);
    return held->memory;
}

/* A vector without elements looks like a triplet with the vector's address as lower bound and an unset stride. */
static size_t triplet_count(const struct vector_subscript *v)
{
    const ptrdiff_t lower = v->u.triplet.lower, upper = v->u.triplet.upper, stride = v->u.triplet.stride;
    const ptrdiff_t beyond_any_array = (ptrdiff_t)1 << 40;
    if (stride == 0 || lower > beyond_any_array || (stride > 0 ? upper < lower : upper > lower))
        return 0;
    return (size_t)((upper - lower) / stride) + 1;
}

void direct_section(struct caf_section *s, struct index_vectors *held, const struct gfortran_descriptor *d, int kind,
                    void *base, const struct vector_subscript *vectors)
{
    held->memory = NULL;
    gfortran_section(s, d, kind, base);
    if (!vectors)
        return;
    ptrdiff_t *indices = room_for_indices(held, vectors, s->rank);
    for (int i = 0; i < s->rank; i++) {
        const ptrdiff_t step = s->dim[i].step;
        if (vectors[i].n) {
            direct_indices(indices, vectors[i].u.v.vector, vectors[i].u.v.kind, vectors[i].n, d->dim[i].lower);
            s->dim[i] = (struct caf_dim){.count = vectors[i].n, .step = step, .vector = indices};
            indices += vectors[i].n;
        } else {
            const ptrdiff_t lower = vectors[i].u.triplet.lower, stride = vectors[i].u.triplet.stride;
            const size_t count = triplet_count(&vectors[i]);
            s->dim[i] = (struct caf_dim){.count = count, .step = count ? step * stride : 0};
            s->base += count ? (lower - d->dim[i].lower) * step : 0;
        }
    }
}

/* Limited, so that sums cannot overflow. */
static ptrdiff_t distance(ptrdiff_t index, ptrdiff_t step)
{
    const ptrdiff_t farthest = PTRDIFF_MAX / (2 * CAF_RANK);
    ptrdiff_t bytes;
    if (__builtin_mul_overflow(index, step, &bytes) || bytes > farthest || bytes < -farthest)
        bytes = (index < 0) == (step < 0) ? farthest : -farthest;
    return bytes;
}

static void add_dim(const struct caf_dim *d, ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t least = d->vector ? d->vector[0] : 0, most = d->vector ? least : (ptrdiff_t)d->count - 1;
    for (size_t i = 1; d->vector && i < d->count; i++) {
        least = d->vector[i] < least ? d->vector[i] : least;
        most = d->vector[i] > most ? d->vector[i] : most;
    }
    *low += distance(d->step < 0 ? most : least, d->step);
    *high += distance(d->step < 0 ? least : most, d->step);
}

void direct_check_slowly(const char *statement, const struct caf_section *s, const char *base, size_t bytes)
{
    ptrdiff_t low = s->base - base, high = low + (ptrdiff_t)s->size;
    for (int i = 0; i < s->rank; i++) {
        if (!s->dim[i].count)
            return;
        add_dim(&s->dim[i], &low, &high);
    }
    if (low < 0 || high > (ptrdiff_t)bytes)
        gfortran_leaves(statement, low, high, bytes);
}

void direct_section_end(struct index_vectors *held)
{
    free(held->memory);
}
