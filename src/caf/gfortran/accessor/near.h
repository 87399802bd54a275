/* Accessors that run in this process, on memory of an image of its node. base: the address of that memory here. */
#pragma once

#include "../allocation.h"
#include "accessor.h"
#include "fault.h"

#include <string.h>

/* Returns the token for an accessor, which reads an allocatable vector subscript as if add_data were a coarray. */
static inline struct caf_coarray *near_frame(struct caf_coarray *c, void *add_data, size_t add_bytes)
{
    c->base = add_data;
    c->bytes = add_bytes;
    c->has_components = true;
    return c;
}

/* Corrects the descriptor of a getter's array: in version 16, real and imaginary parts have the span of the complex
 * numbers, although the array has only the parts. */
static inline void near_correct(struct gfortran_descriptor *d)
{
    if (d->dtype.type == CAF_REAL)
        d->span = (ptrdiff_t)d->dtype.elem_len;
}

/* Most scalars have 4 or 8 bytes; the compiler copies these with one load and one store. */
static inline void near_copy(void *to, const void *from, size_t bytes)
{
    switch (bytes) {
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memmove(to, from, bytes); break;
    }
}

/* Returns the address of the scalar that the accessor finds. length: receives a deferred length; otherwise NULL. */
static inline void *near_find(const struct access *a, char *base, size_t *length)
{
    struct descriptor_room room;
    void *at = NULL, *object = accessor_object(a, base, &room);
    int32_t free_buffer = 0;
    struct caf_coarray local;
    accessor_getter *getter = (accessor_getter *)accessor_at(a->index)->function;
    getter(a->add_data, &a->caller, &at, &free_buffer, object, near_frame(&local, a->add_data, a->add_bytes), 0, length,
           a->length);
    return at;
}

/* Copies the scalar that the accessor found at `at`, inside or outside the coarray. Returns a status. */
int near_get_component(const struct access *a, void *to, const void *at, size_t bytes);
static inline int near_get_found(const struct access *a, const char *base, const char *at, void *to, size_t bytes)
{
    const size_t offset = (size_t)(at - base);
    if (CAF_UNLIKELY(offset >= a->coarray->bytes || bytes > a->coarray->bytes - offset))
        return near_get_component(a, to, at, bytes);
    near_copy(to, at, bytes);
    return CAF_OK;
}

/* size: bytes of the scalar; if length is not NULL, bytes of one character. */
void near_get_scalar(const struct access *a, char *base, void **dst, size_t size, size_t *length, int *stat);

void near_get_array(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length);

/* Gets an array into memory that the accessor allocates. */
void near_get_new(const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length);

/* Begin and end enclose a receiver that may follow components. What the receiver allocates for another image comes
 * from caf_lend. */
static inline const struct access *near_put_begin(const struct access *a)
{
    gfortran_lend(a->pe != caf_my_pe || a->is_called);
    return fault_begin(a);
}
static inline void near_put_end(const struct access *outer)
{
    fault_end(outer);
    gfortran_lend(false);
}

/* src: a scalar of `bytes` bytes; NULL if descriptor describes an array. */
void near_put(const struct access *a, char *base, const void *src, size_t bytes,
              const struct gfortran_descriptor *descriptor, const size_t *length);

/* object: the test's argument; by_pointer: the test's argument points at object. */
bool near_present_in(const struct access *a, void *object, bool by_pointer);
bool near_present(const struct access *a, char *base);
