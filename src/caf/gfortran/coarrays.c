/* Registration and deregistration of coarrays and of components that other images reach. */
#include "abi.h"

#include <stdlib.h>
#include <string.h>

/* END TEAM deallocates an allocatable coarray: the program's variable must know. */
static void note_deallocated(struct caf_coarray *c)
{
    struct gfortran_descriptor *d = c->descriptor;
    if (d && d->base == c->base)
        d->base = NULL;
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

static struct caf_coarray *newest; /* whose bounds have not been noted */

void note_shapes(void)
{
    if (CAF_LIKELY(!newest))
        return;
    const struct gfortran_descriptor *d = newest->descriptor;
    const size_t dims = (size_t)d->dtype.rank * sizeof *d->dim;
    if (d->base == newest->base && d->dtype.rank > 0 && d->dtype.rank <= CAF_RANK) {
        newest->shape = malloc(sizeof *d + dims);
        if (!newest->shape)
            caf_fatal("no memory for the bounds of a coarray");
        memcpy(newest->shape, d, sizeof *d + dims);
    }
    newest = NULL;
}

const struct gfortran_descriptor *coarray_shape(const struct caf_coarray *c)
{
    note_shapes();
    return c->shape;
}

/* --- registration ------------------------------------------------------------------------------------------------- */

static size_t bytes_of(size_t size, int type)
{
    switch (type) {
    case LOCK_STATIC:
    case LOCK_ALLOC:
    case CRITICAL_SECTION:
        return size * CAF_LOCK_BYTES;
    case EVENT_STATIC:
    case EVENT_ALLOC:
        return size * CAF_EVENT_BYTES;
    default:
        return size;
    }
}

/* --- components --------------------------------------------------------------------------------------------------- */

/* An allocatable or pointer component of a coarray is this image's own, and other images find it through its
 * descriptor or pointer; all that its token has to say is what DEALLOCATE frees.  For an array this stands in its
 * descriptor, right before the token, so the token says how far before: gfortran copies tokens along with objects,
 * and allocates and frees components behind our back in procedures whose dummy argument is no coarray.  For a scalar
 * it is the memory itself.  The upper bits tell such tokens from the addresses of coarrays' records, and from what
 * stands in tokens that gfortran does not set: those of components of components in arrays.  What these have is
 * never freed. */
#define TOKEN_KIND ((uintptr_t)0xffff << 48)
#define ARRAY_TOKEN ((uintptr_t)0xcaf1 << 48)
#define SCALAR_TOKEN ((uintptr_t)0xcaf2 << 48)

/* The dimensions between a descriptor and its token, those of a coarray's cobounds included; -1: the token is
 * elsewhere. */
static int dims_before_token(const caf_token *token, const struct gfortran_descriptor *d)
{
    const uintptr_t distance = (uintptr_t)token - (uintptr_t)d - sizeof *d;
    const size_t dims = distance / sizeof *d->dim;
    return dims <= CAF_RANK && distance == dims * sizeof *d->dim ? (int)dims : -1;
}

static bool is_component(const caf_token *token, const struct gfortran_descriptor *d, int type)
{
    if (type == COMPONENT_REGISTER_ONLY || type == COMPONENT_ALLOCATE_ONLY)
        return true;
    /* gfortran registers components like coarrays in assignments of whole objects (their memory is not theirs yet)
     * and in those that allocate the component; no coarray is without a codimension. */
    return type == COARRAY_ALLOC && (d->base || dims_before_token(token, d) <= d->dtype.rank);
}

static int register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d)
{
    const int dims = dims_before_token(token, d);
    const uintptr_t distance = (uintptr_t)token - (uintptr_t)d;
    void *memory = NULL;
    if (type != COMPONENT_REGISTER_ONLY) {
        memory = malloc(size ? size : 1); /* other images reach what malloc gives: arena.c, reach.c */
        if (!memory)
            return caf_say(CAF_STAT_ERROR, "allocate: no memory for a component of %zu bytes", size);
        d->base = memory;
    }
    *token = (caf_token)(dims >= 0 ? distance | ARRAY_TOKEN : (uintptr_t)memory | SCALAR_TOKEN);
    return CAF_OK;
}

static void free_array(const caf_token *token)
{
    const struct gfortran_descriptor *d = (void *)((uintptr_t)token - ((uintptr_t)*token & ~TOKEN_KIND));
    free(d->base);
}

static void free_scalar(caf_token *token)
{
    free((void *)((uintptr_t)*token & ~TOKEN_KIND));
    *token = (caf_token)SCALAR_TOKEN;
}

/* A token that outlived its coarray, by MOVE_ALLOC before END TEAM, is none. */
static bool is_coarray(const struct caf_coarray *c)
{
    for (const struct caf_team *t = caf_current; t; t = t->parent)
        for (const struct caf_coarray *known = t->coarrays; known; known = known->next)
            if (known == c)
                return true;
    return false;
}

/* --- entry points ------------------------------------------------------------------------------------------------- */

static size_t character_bytes(const struct gfortran_descriptor *d)
{
    return d->dtype.type == CAF_CHARACTER ? d->dtype.elem_len : 0;
}

static bool had_stat;

bool allocated_with_stat(void)
{
    const bool had = had_stat;
    had_stat = false;
    return had;
}

GFORTRAN_API void _gfortran_caf_register(size_t size, int type, caf_token *token, struct gfortran_descriptor *d,
                                         int *stat, char *errmsg, size_t errmsg_len)
{
    caf_init(); /* static coarrays are registered before the program begins */
    caf_coarray_ended = note_deallocated;
    note_shapes();
    const size_t bytes = bytes_of(size, type);
    struct caf_coarray *c;
    int status = CAF_OK;
    switch (type) {
    case COARRAY_STATIC:
    case LOCK_STATIC:
    case EVENT_STATIC:
    case CRITICAL_SECTION:
        *token = c = caf_allocate_static(bytes);
        d->base = c->base;
        c->character_bytes = character_bytes(d);
        break;
    default:
        if (is_component(token, d, type)) {
            status = register_component(bytes, type, token, d);
            break;
        }
        end_segment();
        had_stat = stat != NULL;
        /* Objects with components begin with tokens that say nothing. */
        status = caf_allocate(bytes, type != COARRAY_ALLOC || has_components(d->dtype.type), &c);
        if (c) {
            *token = c;
            d->base = c->base;
            c->descriptor = d;
            c->character_bytes = character_bytes(d);
            newest = c;
        }
    }
    caf_report(status, stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg, size_t errmsg_len)
{
    (void)type;
    int status = CAF_OK;
    note_shapes();
    const uintptr_t kind = (uintptr_t)*token & TOKEN_KIND;
    if (kind == ARRAY_TOKEN) {
        free_array(token);
    } else if (kind == SCALAR_TOKEN) {
        free_scalar(token);
    } else if (is_coarray(*token)) {
        end_segment();
        status = caf_deallocate(*token);
        *token = NULL;
    }
    caf_report(status, stat, errmsg, errmsg_len);
}
