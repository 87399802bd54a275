/* Coindexed access through components, a(i)[k]%b%c(j:)%d: gfortran describes the way from the coarray to the data as a
 * chain of references, which is walked here to a section.
 *
 * Allocatable and pointer components are followed in the other image's memory: its descriptor is read, and what it
 * points at is found from the address there.  Only one reference of a chain may be an array section, and none to the
 * right of it allocatable or a pointer, so the result is one section always. */
#include "../components.h"
#include "direct.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What the address at which the walk stands is: one to load from, this image's counterpart of it, or the other
 * image's own, of memory that is not symmetric. */
enum place { NEAR, SYMMETRIC, FOREIGN };

struct walk {
    const char *access; /* "get": for sentences */
    int pe, image;
    enum place place;
    char *at;
    struct caf_section *s;
    struct index_vectors *held;
    size_t indices;     /* of held, in use */
};

/* --- the other image's memory ------------------------------------------------------------------------------------- */

static int read_far(const struct walk *w, void *into, const char *from, size_t bytes)
{
    if (w->place == SYMMETRIC) {
        caf_get_bytes(w->pe, into, from, bytes);
        /* If it has failed meanwhile, what has come is none of its. */
        if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(w->pe) == CAF_STAT_FAILED_IMAGE)
            return caf_say_ended(w->access, w->image, CAF_STAT_FAILED_IMAGE);
        return CAF_OK;
    }
    if (caf_reach_read(w->pe, into, from, bytes))
        return CAF_OK;
    char why[200];
    caf_reach_explain(why, sizeof why, w->pe, from, bytes, errno);
    return caf_say(CAF_STAT_ERROR, "%s: a component on image %d: %s", w->access, w->image, why);
}

/* What has been read of a component that is not near, a descriptor or a pointer, stands until this image ends its
 * segment: to change it is up to the other image, in segments that are ordered with this one (Fortran 2018, 11.6.2), or
 * to a put of whole objects by this image.  What is not allocated is read again, for programs that wait for it. */
struct kept {
    const char *at;
    int pe;
    enum place place;
    uint64_t segment; /* in which it was read */
    struct descriptor_room read;
};
enum { KEPT = 64 };
static struct kept kept[KEPT];

/* A descriptor of that rank, or a pointer (-1), at w->at. */
static int read_component(const struct walk *w, int rank, const void **found)
{
    const size_t bytes = rank < 0 ? sizeof(void *) : sizeof(struct gfortran_descriptor) +
                                                     (size_t)rank * sizeof(struct gfortran_dim);
    struct kept *k = &kept[((uintptr_t)w->at / sizeof(void *) + (unsigned)w->pe * 7) % KEPT];
    *found = k->read.bytes;
    if (k->at == w->at && k->pe == w->pe && k->place == w->place && k->segment == gfortran_segment)
        return CAF_OK;
    k->segment = 0;
    const int status = read_far(w, k->read.bytes, w->at, bytes);
    void *theirs;
    memcpy(&theirs, k->read.bytes, sizeof theirs);
    if (status == CAF_OK && theirs) {
        k->at = w->at;
        k->pe = w->pe;
        k->place = w->place;
        k->segment = gfortran_segment;
    }
    return status;
}

static inline int read_pointer(const struct walk *w, void **theirs)
{
    const void *found = w->at;
    const int status = CAF_LIKELY(w->place == NEAR) ? CAF_OK : read_component(w, -1, &found);
    if (status == CAF_OK)
        memcpy(theirs, found, sizeof *theirs);
    return status;
}

/* Goes to what the other image calls theirs. */
static inline int follow(struct walk *w, void *theirs)
{
    if (CAF_UNLIKELY(!theirs))
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d is not allocated or not associated", w->access,
                       w->image);
    w->place = NEAR;
    if (w->pe == caf_my_pe)
        w->at = theirs;
    else if (caf_peers_are_far || !(w->at = caf_reach_pointer(w->pe, theirs))) {
        w->at = caf_reach_symmetric(w->pe, theirs);
        w->place = w->at ? SYMMETRIC : FOREIGN;
        w->at = w->at ? w->at : theirs;
    }
    return CAF_OK;
}

static int rank_of(const struct reference *array)
{
    int rank = 0;
    while (rank < CAF_RANK && array->u.array.mode[rank] != SUBSCRIPTS_END)
        rank++;
    return rank;
}

/* The descriptor at w->at, in its place or as it was read, with the dimensions that array has subscripts for. */
static int find_descriptor(const struct walk *w, const struct reference *array,
                           const struct gfortran_descriptor **found)
{
    const int rank = rank_of(array);
    const void *at = w->at;
    const int status = w->place == NEAR ? CAF_OK : read_component(w, rank, &at);
    const struct gfortran_descriptor *d = *found = at;
    if (status == CAF_OK && d->base && d->dtype.rank != rank)
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d has no descriptor", w->access, w->image);
    return status;
}

/* --- subscripts --------------------------------------------------------------------------------------------------- */

static int out_of_bounds(const struct walk *w, int dim, ptrdiff_t subscript, ptrdiff_t lower, ptrdiff_t upper)
{
    return caf_say(CAF_STAT_ERROR, "%s: subscript %td of dimension %d on image %d, allowed are %td to %td", w->access,
                   subscript, dim + 1, w->image, lower, upper);
}

static void add_dim(struct walk *w, size_t count, ptrdiff_t step, const ptrdiff_t *vector)
{
    w->s->dim[w->s->rank++] = (struct caf_dim){.count = count, .step = step, .vector = vector};
}

static size_t count_of(ptrdiff_t start, ptrdiff_t end, ptrdiff_t stride)
{
    const ptrdiff_t n = (end - start) / stride + 1;
    return (end - start) / stride < 0 || (stride > 0 ? end < start : end > start) ? 0 : (size_t)n;
}

static const ptrdiff_t *take_indices(struct walk *w, const void *vector, int kind, size_t n, ptrdiff_t lower)
{
    const size_t room = sizeof w->held->few / sizeof *w->held->few;
    ptrdiff_t *to = w->held->few + w->indices;
    if (w->indices + n > room) {
        /* Sections of several long vectors are rare: each list has memory of its own behind a link to the one
         * before. */
        ptrdiff_t *memory = malloc((n + 1) * sizeof *memory);
        if (!memory)
            caf_fatal("%s: no memory for a vector subscript of %zu elements", w->access, n);
        memory[0] = (ptrdiff_t)w->held->memory;
        w->held->memory = memory;
        to = memory + 1;
    } else {
        w->indices += n;
    }
    direct_indices(to, vector, kind, n, lower);
    return to;
}

static void walk_free(struct index_vectors *held)
{
    while (held->memory) {
        ptrdiff_t *before = (ptrdiff_t *)held->memory[0];
        free(held->memory);
        held->memory = before;
    }
}

/* Subscripts of an array with a descriptor, whose first element is at w->at. */
static int subscripts(struct walk *w, const struct reference *r, const struct gfortran_descriptor *d)
{
    const ptrdiff_t span = d->span ? d->span : (ptrdiff_t)r->item_size;
    for (int i = 0; i < d->dtype.rank && r->u.array.mode[i] != SUBSCRIPTS_END; i++) {
        const struct gfortran_dim *dim = &d->dim[i];
        const ptrdiff_t step = dim->stride * span;
        ptrdiff_t start = r->u.array.dim[i].range.start, end = r->u.array.dim[i].range.end;
        const ptrdiff_t stride = r->u.array.dim[i].range.stride ? r->u.array.dim[i].range.stride : 1;
        switch (r->u.array.mode[i]) {
        case SUBSCRIPT_VECTOR: {
            const size_t n = r->u.array.dim[i].vector.n;
            const int kind = r->u.array.dim[i].vector.kind;
            add_dim(w, n, step, take_indices(w, r->u.array.dim[i].vector.vector, kind, n, dim->lower));
            continue;
        }
        case SUBSCRIPT_SINGLE:
            if (start < dim->lower || start > dim->upper)
                return out_of_bounds(w, i, start, dim->lower, dim->upper);
            w->at += (start - dim->lower) * step;
            continue;
        case SUBSCRIPT_FULL:
            start = stride < 0 ? dim->upper : dim->lower;
            end = stride < 0 ? dim->lower : dim->upper;
            break;
        case SUBSCRIPT_OPEN_END:
            end = stride < 0 ? dim->lower : dim->upper;
            break;
        case SUBSCRIPT_OPEN_START:
            start = stride < 0 ? dim->upper : dim->lower;
            break;
        default:
            break;
        }
        const size_t n = count_of(start, end, stride);
        const ptrdiff_t last = start + ((ptrdiff_t)n - 1) * stride;
        if (n && (start < dim->lower || start > dim->upper))
            return out_of_bounds(w, i, start, dim->lower, dim->upper);
        if (n && (last < dim->lower || last > dim->upper))
            return out_of_bounds(w, i, last, dim->lower, dim->upper);
        w->at += (start - dim->lower) * step;
        add_dim(w, n, step * stride, NULL);
    }
    return CAF_OK;
}

/* Subscripts of an array without one: gfortran has made of them distances from the first element, in elements. */
static void static_subscripts(struct walk *w, const struct reference *r)
{
    const ptrdiff_t size = (ptrdiff_t)r->item_size;
    for (int i = 0; i < CAF_RANK && r->u.array.mode[i] != SUBSCRIPTS_END; i++) {
        const ptrdiff_t start = r->u.array.dim[i].range.start, end = r->u.array.dim[i].range.end;
        const ptrdiff_t stride = r->u.array.dim[i].range.stride ? r->u.array.dim[i].range.stride : 1;
        if (r->u.array.mode[i] == SUBSCRIPT_VECTOR) {
            const size_t n = r->u.array.dim[i].vector.n;
            add_dim(w, n, size, take_indices(w, r->u.array.dim[i].vector.vector, r->u.array.dim[i].vector.kind, n, 0));
            continue;
        }
        w->at += start * size;
        if (r->u.array.mode[i] != SUBSCRIPT_SINGLE)
            add_dim(w, count_of(start, end, stride), stride * size, NULL);
    }
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

/* From the coarray along refs to the section; stops early, with *present false, at a component that is not there, if
 * present is not NULL. */
static int walk(struct walk *w, caf_token token, const struct reference *refs, int type, int kind, bool *present)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c))
        gfortran_outside(w->access, c, 0);
    const struct gfortran_descriptor *shape = refs->type == REFERENCE_ARRAY ? gfortran_shape(c) : NULL;
    char *near = caf_near(w->pe, c->base);
    w->place = near ? NEAR : SYMMETRIC;
    w->at = near ? near : c->base;
    w->s->rank = 0;
    w->held->memory = NULL;
    for (const struct reference *r = refs; r; r = r->next) {
        int status = CAF_OK;
        w->s->size = r->item_size;
        if (r->type == REFERENCE_STATIC_ARRAY) {
            static_subscripts(w, r);
        } else if (r->type == REFERENCE_ARRAY) {
            if (!shape)
                return caf_say(CAF_STAT_ERROR, "%s: the bounds of the coarray are not known", w->access);
            if (!r->item_size) /* a character component of deferred length */
                w->s->size = shape->dtype.elem_len;
            status = subscripts(w, r, shape);
        } else {
            const bool described = r->next && r->next->type == REFERENCE_ARRAY;
            w->at += r->u.component.offset;
            if (!described && !r->u.component.token_offset)
                continue;
            void *theirs = NULL;
            status = described ? find_descriptor(w, r->next, &shape) : read_pointer(w, &theirs);
            if (status)
                return status;
            if (described)
                theirs = shape->base;
            if (!theirs && present) {
                *present = false;
                return CAF_OK;
            }
            status = follow(w, theirs);
        }
        if (status)
            return status;
    }
    if (CAF_UNLIKELY(type == CAF_CHARACTER && w->s->size == 0 && !present))
        return caf_say(CAF_STAT_ERROR,
                       "%s: a character component of deferred length, whose length gfortran does not tell", w->access);
    w->s->base = w->at;
    w->s->foreign = w->place == FOREIGN;
    w->s->type = (enum caf_type)type;
    w->s->kind = kind;
    return CAF_OK;
}

/* The PE at which the core finds the section: memory that can be loaded from is as good as this image's own. */
static int pe_of(const struct walk *w)
{
    return w->place == NEAR ? caf_my_pe : w->pe;
}

/* --- destinations that gfortran leaves to be allocated ------------------------------------------------------------ */

static bool fits(const struct gfortran_descriptor *d, const struct caf_section *s)
{
    for (int i = 0; i < s->rank; i++)
        if (d->dim[i].upper - d->dim[i].lower + 1 != (ptrdiff_t)s->dim[i].count)
            return false;
    return true;
}

static int make_room(struct gfortran_descriptor *d, const struct caf_section *s, bool reallocatable)
{
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

/* --- entry points ------------------------------------------------------------------------------------------------- */

GFORTRAN_API void _gfortran_caf_get_by_ref(caf_token token, int image, struct gfortran_descriptor *dst,
                                           struct reference *refs, int dst_kind, int src_kind, bool may_require_tmp,
                                           bool dst_reallocatable, int *stat, int src_type)
{
    (void)may_require_tmp;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    struct walk w = {.access = "get", .image = image, .s = &from, .held = &of_from};
    w.pe = gfortran_accessed_pe(w.access, image, NULL, stat);
    if (w.pe < 0)
        return;
    int status = walk(&w, token, refs, src_type, src_kind, NULL);
    if (status == CAF_OK)
        status = make_room(dst, &from, dst_reallocatable);
    if (status == CAF_OK) {
        direct_section(&to, &of_to, dst, dst_kind, dst->base, NULL);
        caf_get(pe_of(&w), &to, &from);
        if (gfortran_has_components(dst->dtype.type) && w.pe != caf_my_pe)
            gfortran_hide_components_of(dst, image);
    }
    walk_free(&of_from);
    caf_report(status, stat, NULL, 0);
}

GFORTRAN_API void _gfortran_caf_send_by_ref(caf_token token, int image, struct gfortran_descriptor *src,
                                            struct reference *refs, int dst_kind, int src_kind, bool may_require_tmp,
                                            bool dst_reallocatable, int *stat, int dst_type)
{
    (void)may_require_tmp;
    (void)dst_reallocatable; /* a coindexed variable keeps its shape (Fortran 2018, 10.2.1.2) */
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    struct walk w = {.access = "put", .image = image, .s = &to, .held = &of_to};
    w.pe = gfortran_accessed_pe(w.access, image, NULL, stat);
    if (w.pe < 0)
        return;
    direct_check_characters(dst_type, src);
    int status = walk(&w, token, refs, dst_type, dst_kind, NULL);
    if (status == CAF_OK) {
        direct_section(&from, &of_from, src, src_kind, src->base, NULL);
        caf_put(pe_of(&w), &to, &from);
        gfortran_note_put_of(dst_type);
    }
    walk_free(&of_to);
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
    struct walk there = {.access = "put", .image = dst_image, .s = &to, .held = &of_to};
    struct walk here = {.access = "get", .image = src_image, .s = &from, .held = &of_from};
    there.pe = gfortran_accessed_pe(there.access, dst_image, NULL, dst_stat);
    here.pe = there.pe < 0 ? -1 : gfortran_accessed_pe(here.access, src_image, NULL, src_stat);
    if (here.pe < 0)
        return;
    int status = walk(&here, src_token, src_refs, src_type, src_kind, NULL);
    const int dst_status = walk(&there, dst_token, dst_refs, dst_type, dst_kind, NULL);
    if (status == CAF_OK && dst_status == CAF_OK)
        caf_put_get(pe_of(&there), &to, pe_of(&here), &from);
    gfortran_note_put_of(dst_type);
    walk_free(&of_to);
    walk_free(&of_from);
    caf_report(status, src_stat, NULL, 0);
    caf_report(dst_status, dst_stat, NULL, 0);
}

/* allocated(a[k]%b%c): no error for what is missing on the way. */
GFORTRAN_API int _gfortran_caf_is_present(caf_token token, int image, struct reference *refs)
{
    struct caf_section s;
    struct index_vectors held;
    struct walk w = {.access = "get", .image = image, .s = &s, .held = &held};
    w.pe = gfortran_accessed_pe(w.access, image, NULL, NULL);
    bool present = w.pe >= 0;
    caf_report(walk(&w, token, refs, CAF_DERIVED, 1, &present), NULL, NULL, 0);
    walk_free(&held);
    return present;
}
