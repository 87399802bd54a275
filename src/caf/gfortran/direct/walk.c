/* Coindexed access through components, a(i)[k]%b%c(j:)%d: gfortran passes a chain of references from the coarray to the
 * data, and the walk converts it to a section.
 *
 * The walk follows allocatable and pointer components in the other image's memory: it reads the descriptor, and finds
 * the target from the address there.  In a chain at most one reference is an array section, and no reference after it
 * is allocatable or a pointer, so the result is always one section. */
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- the other image's memory ------------------------------------------------------------------------------------- */

static int read_far(const struct walk *w, void *into, const char *from, size_t bytes)
{
    if (w->place == SYMMETRIC) {
        caf_get_bytes(w->pe, into, from, bytes);
    } else if (!caf_reach_read(w->pe, into, from, bytes) && errno != ESRCH) {
        char why[200];
        caf_reach_explain(why, sizeof why, w->pe, from, bytes, errno);
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s: %s", w->access, w->pe + 1,
                       caf_of_initial_team(), why);
    }
    /* If the image has failed meanwhile, the data are invalid. */
    if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(w->pe) == CAF_STAT_FAILED_IMAGE)
        return caf_say_ended(w->access, w->pe, CAF_STAT_FAILED_IMAGE);
    return CAF_OK;
}

/* A remote descriptor or pointer, once read, stays valid until this image's segment ends: only the other image may
 * change it, in a segment that is ordered with this one (Fortran 2018, 11.6.2), and this image by a put of whole
 * objects. An unallocated component is read again, because programs may wait for its allocation. Reading is a round
 * trip. A put that the target image completes (posted.c) needs none, but costs both processors more than a put to a
 * known address: POSTS such puts are worth a round trip. */
enum { KEPT = 64, POSTS = 32 };
static struct kept {
    const char *at;
    int pe;
    enum place place;
    uint64_t segment; /* segment of the reading, or of the first posted put */
    unsigned posts;
    bool is_read;
    struct descriptor_room read;
} kept[KEPT];

static struct kept *slot_of(const struct walk *w)
{
    return &kept[((uintptr_t)w->at / sizeof(void *) + (unsigned)w->pe * 7) % KEPT];
}

static bool is_of(const struct kept *k, const struct walk *w)
{
    /* MUTANT component addresses last a segment: k->segment == gfortran_segment => true */
    return k->at == w->at && k->pe == w->pe && k->place == w->place && k->segment == gfortran_segment;
}

static void note(struct kept *k, const struct walk *w, bool is_read)
{
    k->at = w->at;
    k->pe = w->pe;
    k->place = w->place;
    k->segment = gfortran_segment;
    k->posts = 0;
    k->is_read = is_read;
}

/* Whether the target image should complete the walk from the component at w->at. */
static bool is_to_post(const struct walk *w)
{
    if (CAF_LIKELY(!w->stops || w->place != SYMMETRIC) || w->s->rank || !caf_can_call(w->pe))
        return false;
    struct kept *k = slot_of(w);
    if (!is_of(k, w))
        note(k, w, false);
    return !k->is_read && k->posts++ < POSTS;
}

/* Reads at w->at a descriptor of this rank, or a pointer if rank is -1. */
static int read_component(const struct walk *w, int rank, const void **found)
{
    const size_t bytes = rank < 0 ? sizeof(void *) : sizeof(struct gfortran_descriptor) +
                                                     (size_t)rank * sizeof(struct gfortran_dim);
    struct kept *k = slot_of(w);
    *found = k->read.bytes;
    if (k->is_read && is_of(k, w))
        return CAF_OK;
    k->segment = 0;
    const int status = read_far(w, k->read.bytes, w->at, bytes);
    void *theirs;
    memcpy(&theirs, k->read.bytes, sizeof theirs);
    if (status == CAF_OK && theirs)
        note(k, w, true);
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

/* Moves the walk to the other image's address theirs. */
static inline int follow(struct walk *w, void *theirs)
{
    if (CAF_UNLIKELY(!theirs))
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s is not allocated or not associated", w->access,
                       w->pe + 1, caf_of_initial_team());
    w->coarray = NULL;
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

/* The descriptor at w->at, in place or as read, with as many dimensions as array has subscripts. */
static int find_descriptor(const struct walk *w, const struct reference *array,
                           const struct gfortran_descriptor **found)
{
    const int rank = direct_rank(array);
    const void *at = w->at;
    const int status = w->place == NEAR ? CAF_OK : read_component(w, rank, &at);
    const struct gfortran_descriptor *d = *found = at;
    if (status == CAF_OK && d->base && d->dtype.rank != rank)
        return caf_say(CAF_STAT_ERROR, "%s: a component on image %d%s has no descriptor", w->access, w->pe + 1,
                       caf_of_initial_team());
    return status;
}

/* --- subscripts --------------------------------------------------------------------------------------------------- */

static int out_of_bounds(const struct walk *w, int dim, ptrdiff_t subscript, ptrdiff_t lower, ptrdiff_t upper)
{
    return caf_say(CAF_STAT_ERROR, "%s: subscript %td of dimension %d on image %d%s, allowed are %td to %td", w->access,
                   subscript, dim + 1, w->pe + 1, caf_of_initial_team(), lower, upper);
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
        /* Sections with several long vectors are rare: each list is allocated, after a link to the previous one. */
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

void direct_walk_end(struct index_vectors *held)
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

/* Subscripts of an array without a descriptor: gfortran passes distances from the first element, in elements. */
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

/* shape: the bounds of the array whose subscripts come first, if it has a descriptor. */
static int walk(struct walk *w, const struct reference *refs, const struct gfortran_descriptor *shape, int type,
                int kind, bool *present)
{
    w->rest = NULL;
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
            if (CAF_UNLIKELY(is_to_post(w))) {
                w->at -= r->u.component.offset;
                w->rest = r;
                return CAF_OK;
            }
            /* The array that contains the component may have had a subscript out of bounds. */
            if (w->coarray && CAF_UNLIKELY((size_t)(w->at - w->coarray) >= w->bytes))
                gfortran_outside(w->access, &(struct caf_coarray){.bytes = w->bytes}, (size_t)(w->at - w->coarray), 0);
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
                       "%s: a character component of deferred length, whose length gfortran does not pass", w->access);
    w->s->base = w->at;
    if (w->coarray)
        direct_check_section(w->access, w->s, w->coarray, w->bytes);
    w->s->foreign = w->place == FOREIGN;
    w->s->type = (enum caf_type)type;
    w->s->kind = kind;
    return CAF_OK;
}

int direct_walk(struct walk *w, caf_token token, const struct reference *refs, int type, int kind, bool *present)
{
    const struct caf_coarray *c = token;
    if (CAF_UNLIKELY(!c))
        gfortran_outside(w->access, c, 0, 0);
    char *near = caf_near(w->pe, c->base);
    w->place = near ? NEAR : SYMMETRIC;
    w->coarray = w->at = near ? near : c->base;
    w->bytes = c->bytes;
    w->s->rank = 0;
    w->held->memory = NULL;
    return walk(w, refs, refs->type == REFERENCE_ARRAY ? gfortran_shape(c) : NULL, type, kind, present);
}

int direct_walk_on(struct walk *w, const struct reference *refs, int type, int kind, bool *present)
{
    return walk(w, refs, NULL, type, kind, present);
}
