/* Sections: elements at given distances in each dimension, local and remote. */
#include "local.h"

/* The common arguments of the procedures. */
struct shape {
    const struct prif_descriptor *remote_stride, *local_stride, *extent;
    size_t element_bytes;
    void *buffer;
};

/* Both sections; the number of bytes of the remote section before its address, and the number of bytes that it
 * spans. */
struct sections {
    struct caf_section here, there;
    size_t before, span;
};

static int make_sections(const char *procedure, struct sections *s, const struct shape *shape)
{
    const size_t rank = prif_extent(shape->extent);
    if (rank > CAF_RANK)
        return caf_say(CAF_STAT_ERROR, "%s: extent has %zu elements, allowed are 0 to %d", procedure, rank, CAF_RANK);
    int status = prif_check_extent(procedure, "remote_stride", shape->remote_stride, rank);
    status = status ? status : prif_check_extent(procedure, "current_image_stride", shape->local_stride, rank);
    if (status)
        return status;
    s->here = s->there = (struct caf_section){.type = CAF_DERIVED, .size = shape->element_bytes, .rank = (int)rank};
    s->here.base = shape->buffer;
    s->before = 0;
    s->span = shape->element_bytes;
    bool empty = false, beyond = false;
    for (size_t i = 0; i < rank; i++) {
        const size_t n = *(const size_t *)prif_element(shape->extent, i);
        const ptrdiff_t step = *(const ptrdiff_t *)prif_element(shape->remote_stride, i);
        s->there.dim[i] = (struct caf_dim){.count = n, .step = step};
        s->here.dim[i] = (struct caf_dim){n, *(const ptrdiff_t *)prif_element(shape->local_stride, i), NULL};
        empty |= n == 0;
        size_t reach = 0;
        beyond |= n && __builtin_mul_overflow(n - 1, step < 0 ? -(size_t)step : (size_t)step, &reach);
        s->before += step < 0 ? reach : 0;
        beyond |= __builtin_add_overflow(s->span, reach, &s->span); /* `before` is less than the span */
    }
    if (beyond && !empty)
        return caf_say(CAF_STAT_ERROR, "%s: remote_stride and extent exceed the address space", procedure);
    if (empty)
        s->before = s->span = 0;
    return CAF_OK;
}

/* A coarray must contain the first and the last byte. */
static int find(const char *procedure, struct prif_location *p, const struct sections *s,
                const struct prif_place *place)
{
    if (place->pointer)
        return prif_find_pointer(procedure, p, place->image, *place->pointer);
    const int status = prif_find(procedure, p, place->image, place->coarray, place->offset - s->before, s->span);
    p->address += s->before;
    return status;
}

/* variable: the variable to notify, or NULL; it is located before any data is put. */
static void put(const char *procedure, struct prif_place to, const struct shape *shape,
                const struct prif_place *variable, PRIF_ERRORS)
{
    struct sections s;
    struct prif_location p, v;
    int status = make_sections(procedure, &s, shape);
    status = status ? status : find(procedure, &p, &s, &to);
    if (variable)
        status = status ? status : prif_find_variable(procedure, &v, variable, CAF_EVENT_BYTES);
    if (!status && s.span) {
        s.there.base = p.address;
        s.there.foreign = p.foreign;
        caf_put(p.pe, &s.there, &s.here);
    }
    prif_report(status || !variable ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}

static void get(const char *procedure, struct prif_place from, const struct shape *shape,
                const struct prif_place *variable, PRIF_ERRORS)
{
    (void)variable; /* only a put notifies */
    struct sections s;
    struct prif_location p;
    int status = make_sections(procedure, &s, shape);
    status = status ? status : find(procedure, &p, &s, &from);
    bool far = false;
    if (!status && s.span) {
        s.there.base = p.address;
        s.there.foreign = p.foreign;
        far = caf_get(p.pe, &s.here, &s.there);
    }
    if (CAF_UNLIKELY(far && *caf_alerts) && caf_pe_state(p.pe) == CAF_STAT_FAILED_IMAGE)
        status = caf_say_ended(procedure, p.pe, CAF_STAT_FAILED_IMAGE);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

#define SHAPE &(struct shape){remote_stride, current_image_stride, extent, *element_size, *current_image_buffer}

/* prif_put_strided, prif_put_strided_indirect, prif_get_strided, prif_get_strided_indirect */
#define MOVE(N, WHAT, PLACE, THERE) PRIF(N)(PLACE, PRIF_SECTION, PRIF_ERRORS) \
    { WHAT("prif_" #N, THERE, SHAPE, NULL, stat, errmsg, errmsg_alloc); }
MOVE(put_strided, put, PRIF_DIRECT, PRIF_IN_COARRAY)
MOVE(put_strided_indirect, put, PRIF_INDIRECT, PRIF_AT(remote_ptr))
MOVE(get_strided, get, PRIF_DIRECT, PRIF_IN_COARRAY)
MOVE(get_strided_indirect, get, PRIF_INDIRECT, PRIF_AT(remote_ptr))

#define NOTIFYING(N, PLACE, THERE, VARIABLE, COUNTED) PRIF(N)(PLACE, PRIF_SECTION, VARIABLE, PRIF_ERRORS) \
    { put("prif_" #N, THERE, SHAPE, &COUNTED, stat, errmsg, errmsg_alloc); }
NOTIFYING(put_strided_with_notify, PRIF_DIRECT, PRIF_IN_COARRAY, PRIF_NOTIFY_DIRECT, PRIF_NOTIFY_IN_COARRAY)
NOTIFYING(put_strided_with_notify_indirect, PRIF_DIRECT, PRIF_IN_COARRAY, const intptr_t *notify_ptr,
          PRIF_AT(notify_ptr))
NOTIFYING(put_strided_indirect_with_notify, PRIF_INDIRECT, PRIF_AT(remote_ptr), PRIF_NOTIFY_DIRECT,
          PRIF_NOTIFY_IN_COARRAY)
NOTIFYING(put_strided_indirect_with_notify_indirect, PRIF_INDIRECT, PRIF_AT(remote_ptr), const intptr_t *notify_ptr,
          PRIF_AT(notify_ptr))
