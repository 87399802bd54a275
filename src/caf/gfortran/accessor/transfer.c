#include "transfer.h"
#include "../allocation.h"
#include "far.h"
#include "near.h"

#include <stdlib.h>

/* For a component or an array's element, gfortran passes a wrong size. The largest possible size is used: the receiver
 * takes only the bytes that it needs. */
static size_t largest(const struct access *from, size_t size)
{
    const struct caf_coarray *c = from->coarray;
    return from->length ? size : c->element_bytes > size ? c->element_bytes : size;
}

/* False: the source's image has failed before its reply, which stat= reports. */
static bool has_arrived(const int *stat)
{
    return !stat || *stat == CAF_OK;
}

static void put(const struct access *to, const void *value, size_t bytes, const struct gfortran_descriptor *d,
                const size_t *length)
{
    char *base = accessor_memory(to->pe, to->coarray->base);
    if (base)
        near_put(to, base, value, bytes, d, length);
    else
        far_put(to, value, bytes, d, length);
}

static void transfer_scalar(const struct access *to, const struct access *from, size_t size, int *stat)
{
    size_t length = from->length ? *from->length : 0;
    const size_t bytes = from->length ? size * length : largest(from, size);
    char *base = accessor_memory(from->pe, from->coarray->base);
    if (base) {
        put(to, near_find(from, base, from->length ? &length : NULL), bytes, NULL, from->length);
        return;
    }
    void *value = malloc(bytes), *at = value;
    if (!value)
        caf_fatal("put: no memory for a scalar of %zu bytes", bytes);
    far_get_scalar(from, &at, largest(from, size), from->length ? &length : NULL, stat);
    if (has_arrived(stat))
        put(to, at, bytes, NULL, from->length);
    free(value);
}

void accessor_transfer(const struct access *to, const struct access *from, size_t size, bool is_scalar, int *stat)
{
    if (is_scalar) {
        transfer_scalar(to, from, size, stat);
        return;
    }
    size_t length = from->length ? *from->length : 0;
    struct descriptor_room room = {0};
    struct gfortran_descriptor *d = (void *)room.bytes;
    char *base = accessor_memory(from->pe, from->coarray->base);
    if (base)
        near_get_new(from, base, d, from->length ? &length : NULL);
    else
        far_get_array(from, d, from->length ? &length : NULL, true, stat);
    if (has_arrived(stat))
        put(to, NULL, 0, d, from->length);
    gfortran_free(d->base);
}
