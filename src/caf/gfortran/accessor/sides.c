#include "accessor.h"

#include <stdlib.h>

int accessor_sibling_pe(const struct access *a, int32_t team_number, int *stat)
{
    const struct caf_team *t = caf_sibling_team(team_number);
    if (t)
        return gfortran_accessed_pe_slowly(a->name, a->coarray, a->image, t, stat);
    caf_report(CAF_STAT_ERROR, stat, NULL, 0);
    return -1;
}

char *accessor_memory_slowly(int pe, void *base)
{
    if (pe == caf_my_pe && !caf_heap_holds(base))
        return base; /* the accessor's add_data (near_frame), not a coarray */
    char *near = shmem_ptr(base, pe);
    if (near)
        caf_reach_pointer_slowly(pe, base); /* sets the peer's window */
    return near;
}

/* The offset in the coarray of a dummy argument of assumed shape, which may be a part of the coarray. */
static size_t offset_of(const struct access *a)
{
    const size_t offset = (size_t)((char *)a->descriptor->base - a->coarray->base);
    if (CAF_UNLIKELY(offset >= a->coarray->bytes && a->coarray->bytes))
        gfortran_outside(a->name, a->coarray, offset, 1);
    return offset;
}

/* Copies in line, where assigning the structure would call memcpy. */
static inline struct gfortran_descriptor *copy_of(const struct gfortran_descriptor *d, struct descriptor_room *room)
{
    struct gfortran_descriptor *copy = (void *)room->bytes;
    *copy = *d;
    for (int i = 0; i < d->dtype.rank; i++)
        copy->dim[i] = d->dim[i];
    return copy;
}

void *accessor_descriptor(const struct access *a, char *base, struct descriptor_room *room)
{
    struct gfortran_descriptor *d = copy_of(a->descriptor, room);
    d->base = base + offset_of(a);
    return d;
}

bool accessor_tests_pointers;

/* In version 16, only a scalar is behind a pointer, and a static array of one element looks like a scalar. */
void *accessor_tested(const struct access *a, char *base, struct descriptor_room *room)
{
    const struct caf_coarray *c = a->coarray;
    const struct gfortran_descriptor *shape = gfortran_shape(c);
    if (shape) {
        struct gfortran_descriptor *d = copy_of(shape, room);
        d->base = base;
        return d;
    }
    if (!accessor_tests_pointers || (!c->descriptor && c->bytes != c->element_bytes))
        return base;
    void **pointer = (void *)room->bytes;
    *pointer = base;
    return pointer;
}

struct gfortran_descriptor *accessor_packed(const struct gfortran_descriptor *d, struct descriptor_room *room)
{
    struct caf_section from, to;
    struct gfortran_descriptor *p = copy_of(d, room);
    gfortran_section(&from, d, 1, d->base);
    from.type = CAF_DERIVED; /* bytes */
    from.size = d->dtype.elem_len;
    to = from;
    ptrdiff_t n = 1, offset = 0;
    for (int i = 0; i < d->dtype.rank; i++) {
        p->dim[i].stride = n;
        offset -= n * p->dim[i].lower;
        to.dim[i].step = n * (ptrdiff_t)from.size;
        n *= (ptrdiff_t)from.dim[i].count;
    }
    p->offset = (size_t)offset;
    p->span = (ptrdiff_t)from.size;
    to.base = p->base = malloc(n ? (size_t)n * from.size : 1);
    if (!to.base)
        caf_fatal("put: no memory for a copy of %td elements", n);
    caf_put(caf_my_pe, &to, &from);
    return p;
}

struct gfortran_descriptor *accessor_normalized(const struct gfortran_descriptor *d, struct descriptor_room *room)
{
    struct gfortran_descriptor *n = (void *)room->bytes;
    *n = *d;
    ptrdiff_t offset = 0;
    for (int i = 0; i < d->dtype.rank; i++) {
        n->dim[i] = (struct gfortran_dim){d->dim[i].stride, 1, (ptrdiff_t)gfortran_extent(&d->dim[i])};
        offset -= d->dim[i].stride;
    }
    n->offset = (size_t)offset;
    return n;
}

void accessor_check_shape(const struct access *a, const struct gfortran_descriptor *wanted,
                          const struct gfortran_descriptor *found)
{
    for (int i = 0; i < wanted->dtype.rank; i++) {
        const size_t n = gfortran_extent(&wanted->dim[i]), m = gfortran_extent(&found->dim[i]);
        if (n != m)
            caf_fatal("%s: dimension %d has %zu elements on the left-hand side, and %zu on image %d%s: they must agree",
                      a->name, i + 1, n, m, a->pe + 1, caf_of_initial_team());
    }
}
