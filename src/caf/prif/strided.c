/* Sections: elements at distances given for each dimension, here and there. */
#include "local.h"

/* What the procedures have in common. */
struct shape {
    const struct prif_descriptor *remote_stride, *local_stride, *extent;
    size_t element_bytes;
    void *buffer;
};

/* The sections here and there, and before what lies at the location's address and how many bytes they span. */
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
    bool empty = false;
    for (size_t i = 0; i < rank; i++) {
        const size_t n = *(const size_t *)prif_element(shape->extent, i);
        const ptrdiff_t step = *(const ptrdiff_t *)prif_element(shape->remote_stride, i);
        s->there.dim[i] = (struct caf_dim){.count = n, .step = step};
        s->here.dim[i] = (struct caf_dim){n, *(const ptrdiff_t *)prif_element(shape->local_stride, i), NULL};
        empty |= n == 0;
        const size_t reach = n ? (n - 1) * (size_t)(step < 0 ? -step : step) : 0;
        s->before += step < 0 ? reach : 0;
        s->span += reach;
    }
    if (empty)
        s->before = s->span = 0;
    return CAF_OK;
}

/* In a coarray: the first and the last byte must lie in it. */
static int find(const char *procedure, struct prif_location *p, const struct sections *s, int image, prif_handle h,
                size_t offset)
{
    const int status = prif_find(procedure, p, image, h, offset - s->before, s->span);
    p->address += s->before;
    return status;
}

static int put(const struct prif_location *p, struct sections *s)
{
    s->there.base = p->address;
    s->there.foreign = p->foreign;
    if (s->span)
        caf_put(p->pe, &s->there, &s->here);
    return CAF_OK;
}

static int get(const char *procedure, const struct prif_location *p, struct sections *s)
{
    s->there.base = p->address;
    s->there.foreign = p->foreign;
    const bool far = s->span && caf_get(p->pe, &s->here, &s->there);
    if (CAF_UNLIKELY(far && *caf_alerts) && caf_pe_state(p->pe) == CAF_STAT_FAILED_IMAGE)
        return caf_say_ended(procedure, p->pe, CAF_STAT_FAILED_IMAGE);
    return CAF_OK;
}

#define SHAPE(S) \
    const struct shape S = {remote_stride, current_image_stride, extent, *element_size, *current_image_buffer}

PRIF(get_strided)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                  const struct prif_descriptor *remote_stride, void *const *current_image_buffer,
                  const struct prif_descriptor *current_image_stride, const size_t *element_size,
                  const struct prif_descriptor *extent, PRIF_ERRORS)
{
    const char *const me = "prif_get_strided";
    SHAPE(shape);
    struct sections s;
    struct prif_location p;
    int status = make_sections(me, &s, &shape);
    status = status ? status : find(me, &p, &s, *image_num, *coarray_handle, *offset);
    status = status ? status : get(me, &p, &s);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(get_strided_indirect)(const int *image_num, const intptr_t *remote_ptr,
                           const struct prif_descriptor *remote_stride, void *const *current_image_buffer,
                           const struct prif_descriptor *current_image_stride, const size_t *element_size,
                           const struct prif_descriptor *extent, PRIF_ERRORS)
{
    const char *const me = "prif_get_strided_indirect";
    SHAPE(shape);
    struct sections s;
    struct prif_location p;
    int status = make_sections(me, &s, &shape);
    status = status ? status : prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : get(me, &p, &s);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_strided)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                  const struct prif_descriptor *remote_stride, void *const *current_image_buffer,
                  const struct prif_descriptor *current_image_stride, const size_t *element_size,
                  const struct prif_descriptor *extent, PRIF_ERRORS)
{
    const char *const me = "prif_put_strided";
    SHAPE(shape);
    struct sections s;
    struct prif_location p;
    int status = make_sections(me, &s, &shape);
    status = status ? status : find(me, &p, &s, *image_num, *coarray_handle, *offset);
    status = status ? status : put(&p, &s);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

PRIF(put_strided_indirect)(const int *image_num, const intptr_t *remote_ptr,
                           const struct prif_descriptor *remote_stride, void *const *current_image_buffer,
                           const struct prif_descriptor *current_image_stride, const size_t *element_size,
                           const struct prif_descriptor *extent, PRIF_ERRORS)
{
    const char *const me = "prif_put_strided_indirect";
    SHAPE(shape);
    struct sections s;
    struct prif_location p;
    int status = make_sections(me, &s, &shape);
    status = status ? status : prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : put(&p, &s);
    prif_report(status, stat, errmsg, errmsg_alloc);
}

/* --- with a count ------------------------------------------------------------------------------------------------- */

PRIF(put_strided_with_notify)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                              const struct prif_descriptor *remote_stride, void *const *current_image_buffer,
                              const struct prif_descriptor *current_image_stride, const size_t *element_size,
                              const struct prif_descriptor *extent, const prif_handle *notify_coarray_handle,
                              const size_t *notify_offset, PRIF_ERRORS)
{
    const char *const me = "prif_put_strided_with_notify";
    SHAPE(shape);
    struct sections s;
    struct prif_location p, v;
    int status = make_sections(me, &s, &shape);
    status = status ? status : find(me, &p, &s, *image_num, *coarray_handle, *offset);
    status = status ? status : prif_find(me, &v, *image_num, *notify_coarray_handle, *notify_offset, CAF_EVENT_BYTES);
    status = status ? status : put(&p, &s);
    prif_report(status ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}

PRIF(put_strided_with_notify_indirect)(const int *image_num, const prif_handle *coarray_handle, const size_t *offset,
                                       const struct prif_descriptor *remote_stride,
                                       void *const *current_image_buffer,
                                       const struct prif_descriptor *current_image_stride,
                                       const size_t *element_size, const struct prif_descriptor *extent,
                                       const intptr_t *notify_ptr, PRIF_ERRORS)
{
    const char *const me = "prif_put_strided_with_notify_indirect";
    SHAPE(shape);
    struct sections s;
    struct prif_location p, v;
    int status = make_sections(me, &s, &shape);
    status = status ? status : find(me, &p, &s, *image_num, *coarray_handle, *offset);
    status = status ? status : prif_find_word(me, &v, *image_num, *notify_ptr);
    status = status ? status : put(&p, &s);
    prif_report(status ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}

PRIF(put_strided_indirect_with_notify)(const int *image_num, const intptr_t *remote_ptr,
                                       const struct prif_descriptor *remote_stride,
                                       void *const *current_image_buffer,
                                       const struct prif_descriptor *current_image_stride,
                                       const size_t *element_size, const struct prif_descriptor *extent,
                                       const prif_handle *notify_coarray_handle, const size_t *notify_offset,
                                       PRIF_ERRORS)
{
    const char *const me = "prif_put_strided_indirect_with_notify";
    SHAPE(shape);
    struct sections s;
    struct prif_location p, v;
    int status = make_sections(me, &s, &shape);
    status = status ? status : prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : prif_find(me, &v, *image_num, *notify_coarray_handle, *notify_offset, CAF_EVENT_BYTES);
    status = status ? status : put(&p, &s);
    prif_report(status ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}

PRIF(put_strided_indirect_with_notify_indirect)(const int *image_num, const intptr_t *remote_ptr,
                                                const struct prif_descriptor *remote_stride,
                                                void *const *current_image_buffer,
                                                const struct prif_descriptor *current_image_stride,
                                                const size_t *element_size, const struct prif_descriptor *extent,
                                                const intptr_t *notify_ptr, PRIF_ERRORS)
{
    const char *const me = "prif_put_strided_indirect_with_notify_indirect";
    SHAPE(shape);
    struct sections s;
    struct prif_location p, v;
    int status = make_sections(me, &s, &shape);
    status = status ? status : prif_find_pointer(me, &p, *image_num, *remote_ptr);
    status = status ? status : prif_find_word(me, &v, *image_num, *notify_ptr);
    status = status ? status : put(&p, &s);
    prif_report(status ? status : prif_notify(&v), stat, errmsg, errmsg_alloc);
}
