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

/* --- bounds ------------------------------------------------------------------------------------------------------------ */

static struct caf_coarray *newest; /* whose bounds have not been noted */

void note_shapes(void)
{
    if (__builtin_expect(!newest, 1))
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

/* --- registration ------------------------------------------------------------------------------------------------------ */

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

/* A component is this image's own: its record says where its memory is. */
static int register_component(size_t size, int type, caf_token *token, struct gfortran_descriptor *d)
{
    if (type == COMPONENT_REGISTER_ONLY) {
        *token = caf_component_record();
        return CAF_OK;
    }
    /* In an assignment of a derived type the token is still a copy of the other side's. */
    struct caf_coarray *c = type == COMPONENT_ALLOCATE_ONLY && *token ? *token : (*token = caf_component_record());
    c->base = malloc(size ? size : 1); /* of which the program's other images reach every block: arena.c */
    if (!c->base)
        return caf_say(CAF_STAT_ERROR, "allocate: no memory for a component of %zu bytes", size);
    c->bytes = size;
    d->base = c->base;
    return CAF_OK;
}

static bool had_stat;

bool allocated_with_stat(void)
{
    const bool had = had_stat;
    had_stat = false;
    return had;
}

GFORTRAN_API void _gfortran_caf_register(size_t size, int type, caf_token *token, struct gfortran_descriptor *d, int *stat,
                                         char *errmsg, size_t errmsg_len)
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
        break;
    case COMPONENT_REGISTER_ONLY:
    case COMPONENT_ALLOCATE_ONLY:
        status = register_component(bytes, type, token, d);
        break;
    default:
        if (type == COARRAY_ALLOC && d->base) { /* an assignment of a derived type copies its component */
            status = register_component(bytes, type, token, d);
            break;
        }
        had_stat = stat != NULL;
        status = caf_allocate(bytes, type != COARRAY_ALLOC, &c);
        if (c) {
            *token = c;
            d->base = c->base;
            c->descriptor = d;
            newest = c;
        }
    }
    caf_report(status, stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg, size_t errmsg_len)
{
    struct caf_coarray *c = *token;
    int status = CAF_OK;
    note_shapes();
    if (c && !c->team) {
        free(c->base);
        c->base = NULL;
        if (type == COARRAY_DEREGISTER) {
            free(c);
            *token = NULL;
        }
    } else if (c) {
        *token = NULL;
        status = caf_deallocate(c);
    }
    caf_report(status, stat, errmsg, errmsg_len);
}
