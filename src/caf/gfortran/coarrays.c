/* Registration and deregistration of coarrays and of components that other images reach. */
#include "abi.h"

#include <stdlib.h>

/* END TEAM deallocates an allocatable coarray: the program's variable must know. */
static void note_deallocated(struct caf_coarray *c)
{
    struct gfortran_descriptor *d = c->descriptor;
    if (d && d->base == c->base)
        d->base = NULL;
}

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
    struct caf_coarray *c = *token ? *token : (*token = caf_component_record());
    c->base = malloc(size ? size : 1); /* of which the program's other images reach every block: arena.c */
    if (!c->base)
        return caf_say(CAF_STAT_ERROR, "allocate: no memory for a component of %zu bytes", size);
    c->bytes = size;
    d->base = c->base;
    return CAF_OK;
}

GFORTRAN_API void _gfortran_caf_register(size_t size, int type, caf_token *token, struct gfortran_descriptor *d, int *stat,
                                         char *errmsg, size_t errmsg_len)
{
    caf_init(); /* static coarrays are registered before the program begins */
    caf_coarray_ended = note_deallocated;
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
        status = caf_allocate(bytes, type != COARRAY_ALLOC, &c);
        if (c) {
            *token = c;
            d->base = c->base;
            c->descriptor = d;
        }
    }
    caf_report(status, stat, errmsg, errmsg_len);
}

GFORTRAN_API void _gfortran_caf_deregister(caf_token *token, int type, int *stat, char *errmsg, size_t errmsg_len)
{
    struct caf_coarray *c = *token;
    int status = CAF_OK;
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
