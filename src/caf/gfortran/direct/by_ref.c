/* Coindexed access through components (walk.h). */
#include "../../../common/wide_numbers.h"
#include "../allocation.h"
#include "../components.h"
#include "posted.h"
#include "walk.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* --- destinations that gfortran leaves unallocated ---------------------------------------------------------------- */

static bool fits(const struct gfortran_descriptor *d, const struct caf_section *s)
{
    for (int i = 0; i < s->rank; i++)
        if (d->dim[i].upper - d->dim[i].lower + 1 != (ptrdiff_t)s->dim[i].count)
            return false;
    return true;
}

static int make_room(struct gfortran_descriptor *d, const struct caf_section *s, bool reallocatable)
{
    if (d->base == GFORTRAN_HIDDEN) /* of a copied object */
        d->base = NULL;
    if (d->base && (!reallocatable || fits(d, s)))
        return CAF_OK;
    if (!d->dtype.elem_len)
        d->dtype.elem_len = s->size;
    size_t n = 1;
    ptrdiff_t offset = 0;
    for (int i = 0; i < s->rank; i++) {
        d->dim[i] = (struct gfortran_dim){.stride = (ptrdiff_t)n, .lower = 1, .upper = (ptrdiff_t)s->dim[i].count};
        offset -= (ptrdiff_t)n;
        n *= s->dim[i].count;
    }
    if (reallocatable)
        free(d->base);
    d->base = malloc(n && d->dtype.elem_len ? n * d->dtype.elem_len : 1);
    if (!d->base)
        return caf_say(CAF_STAT_ERROR, "get: no memory for %zu elements of %zu bytes", n, d->dtype.elem_len);
    d->offset = (size_t)offset;
    d->dtype.rank = (signed char)s->rank;
    d->span = (ptrdiff_t)d->dtype.elem_len;
    return CAF_OK;
}

/* A temporary array for a get that has failed: the program's loops over it have no turns. */
static void give_nothing(struct gfortran_descriptor *d)
{
    for (int i = 0; i < d->dtype.rank && !d->base; i++)
        d->dim[i] = (struct gfortran_dim){.stride = 1, .lower = 1, .upper = 0};
}

/* --- entry points ------------------------------------------------------------------------------------------------- */

GFORTRAN_API void _gfortran_caf_get_by_ref(caf_token token, int image, struct gfortran_descriptor *dst,
                                           struct reference *refs, int dst_kind, int src_kind, bool may_require_tmp,
                                           bool dst_reallocatable, int *stat, int src_type)
{
    (void)may_require_tmp;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    struct walk w = {.access = "get", .s = &from, .held = &of_from};
    w.pe = gfortran_accessed_pe(w.access, token, image, NULL, stat);
    if (w.pe < 0) {
        give_nothing(dst);
        return;
    }
    bool by_message = false;
    int status = direct_walk(&w, token, refs, src_type, src_kind, NULL);
    if (status == CAF_OK)
        status = make_room(dst, &from, dst_reallocatable);
    if (status == CAF_OK) {
        direct_section(&to, &of_to, dst, dst_kind, dst->base, NULL);
        by_message = caf_get(direct_walk_pe(&w), &to, &from);
        gfortran_note_got(dst->base);
        if (gfortran_has_components(dst->dtype.type) && w.pe != caf_my_pe)
            gfortran_hide_components_of(dst, image);
    } else {
        give_nothing(dst);
    }
    direct_walk_end(&of_from);
    caf_report(status, stat, NULL, 0);
    if (by_message)
        gfortran_say_if_failed(w.access, w.pe, stat);
}

GFORTRAN_API void _gfortran_caf_send_by_ref(caf_token token, int image, struct gfortran_descriptor *src,
                                            struct reference *refs, int dst_kind, int src_kind, bool may_require_tmp,
                                            bool dst_reallocatable, int *stat, int dst_type)
{
    (void)may_require_tmp;
    (void)dst_reallocatable; /* a coindexed variable keeps its shape (Fortran 2018, 10.2.1.2) */
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    struct walk w = {.access = "put", .s = &to, .held = &of_to, .stops = !stat};
    w.pe = gfortran_accessed_pe(w.access, token, image, NULL, stat);
    if (w.pe < 0)
        return;
    direct_check_characters(dst_type, src);
    int status = direct_walk(&w, token, refs, dst_type, dst_kind, NULL);
    if (w.rest && direct_post_put(&w, src, src_kind, dst_type, dst_kind)) {
        gfortran_note_put_of(dst_type);
        return;
    }
    if (w.rest) {
        w.stops = false;
        status = direct_walk_on(&w, w.rest, dst_type, dst_kind, NULL);
    }
    if (status == CAF_OK) {
        direct_section(&from, &of_from, src, src_kind, src->base, NULL);
        caf_put(direct_walk_pe(&w), &to, &from);
        gfortran_note_put_of(dst_type);
    }
    direct_walk_end(&of_to);
    caf_report(status, stat, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_sendget_by_ref(caf_token dst_token, int dst_image, struct reference *dst_refs,
                                               caf_token src_token, int src_image, struct reference *src_refs,
                                               int dst_kind, int src_kind, bool may_require_tmp, int *dst_stat,
                                               int *src_stat, int dst_type, int src_type)
{
    (void)may_require_tmp;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    struct walk there = {.access = "put", .s = &to, .held = &of_to};
    struct walk here = {.access = "get", .s = &from, .held = &of_from};
    there.pe = gfortran_accessed_pe(there.access, dst_token, dst_image, NULL, dst_stat);
    here.pe = there.pe < 0 ? -1 : gfortran_accessed_pe(here.access, src_token, src_image, NULL, src_stat);
    if (here.pe < 0)
        return;
    int status = direct_walk(&here, src_token, src_refs, src_type, src_kind, NULL);
    const int dst_status = direct_walk(&there, dst_token, dst_refs, dst_type, dst_kind, NULL);
    if (status == CAF_OK && dst_status == CAF_OK)
        caf_put_get(direct_walk_pe(&there), &to, direct_walk_pe(&here), &from);
    gfortran_note_put_of(dst_type);
    direct_walk_end(&of_to);
    direct_walk_end(&of_from);
    caf_report(status, src_stat, NULL, 0);
    caf_report(dst_status, dst_stat, NULL, 0);
    gfortran_say_if_failed(here.access, here.pe, src_stat);
}

/* allocated(a[k]%b%c): an unallocated parent component is no error. */
GFORTRAN_API int _gfortran_caf_is_present(caf_token token, int image, struct reference *refs)
{
    struct caf_section s;
    struct index_vectors held;
    struct walk w = {.access = "get", .s = &s, .held = &held};
    w.pe = gfortran_accessed_pe(w.access, token, image, NULL, NULL);
    bool present = w.pe >= 0;
    caf_report(direct_walk(&w, token, refs, CAF_DERIVED, 1, &present), NULL, NULL, 0);
    direct_walk_end(&held);
    return present;
}

/* --- scalars by value --------------------------------------------------------------------------------------------- */

/* The slow path of an access that the plugin has compiled to a load or store (src/caf/plugin/references.cc). For the
 * compiler these calls access no memory, as in near.c, so loops read the pointers that lead to a component once. This
 * is correct because this image's own components are never accessed here. */

enum { REFERENCES = 8 };

/* The constant parts of the references; the subscripts of elements follow as arguments. */
struct form {
    int64_t type, kind, references;
    struct {
        int64_t type, item_size, offset_or_subscripts, token_offset;
    } reference[REFERENCES];
};

struct scalar {
    int type, kind;
    struct descriptor_room here;
    struct reference reference[REFERENCES];
};

static void read_form(struct scalar *s, const void *at, uint128 *value, va_list subscripts)
{
    struct form form;
    memcpy(&form, at, offsetof(struct form, reference));
    const size_t n = (size_t)form.references;
    memcpy(form.reference, (const char *)at + offsetof(struct form, reference), n * sizeof *form.reference);
    s->type = (int)form.type;
    s->kind = (int)form.kind;
    for (size_t i = 0; i < n; i++) {
        struct reference *r = &s->reference[i];
        r->next = i + 1 < n ? r + 1 : NULL;
        r->type = (int)form.reference[i].type;
        r->item_size = (size_t)form.reference[i].item_size;
        if (r->type == REFERENCE_COMPONENT) {
            r->u.component.offset = form.reference[i].offset_or_subscripts;
            r->u.component.token_offset = form.reference[i].token_offset;
            continue;
        }
        memset(r->u.array.mode, SUBSCRIPTS_END, sizeof r->u.array.mode);
        for (int k = 0; k < CAF_RANK && k < form.reference[i].offset_or_subscripts; k++) {
            r->u.array.mode[k] = SUBSCRIPT_SINGLE;
            r->u.array.dim[k].range.start = va_arg(subscripts, int64_t);
            r->u.array.dim[k].range.stride = 1;
        }
    }
    const size_t bytes = s->reference[n - 1].item_size;
    *(struct gfortran_descriptor *)s->here.bytes = (struct gfortran_descriptor){
        .base = value, .dtype.elem_len = bytes, .dtype.type = (signed char)s->type, .span = (ptrdiff_t)bytes};
}

static void check_is_of_other(const char *access, int image)
{
    if (CAF_UNLIKELY(caf_pe(NULL, image) == caf_my_pe))
        caf_fatal("%s: an internal error of Copal: this image's own memory is accessed by a call", access);
}

GFORTRAN_API void _gfortran_caf_value_put_by_ref(caf_token token, int image, uint128 value, const void *form, ...)
{
    struct scalar s;
    va_list subscripts;
    va_start(subscripts, form);
    read_form(&s, form, &value, subscripts);
    va_end(subscripts);
    _gfortran_caf_send_by_ref(token, image, (void *)s.here.bytes, s.reference, s.kind, s.kind, false, false, NULL,
                              s.type);
    check_is_of_other("put", image);
}

GFORTRAN_API uint128 _gfortran_caf_value_get_by_ref(caf_token token, int image, const void *form, ...)
{
    struct scalar s;
    uint128 value = 0;
    va_list subscripts;
    va_start(subscripts, form);
    read_form(&s, form, &value, subscripts);
    va_end(subscripts);
    _gfortran_caf_get_by_ref(token, image, (void *)s.here.bytes, s.reference, s.kind, s.kind, false, false, NULL,
                             s.type);
    check_is_of_other("get", image);
    return value;
}
