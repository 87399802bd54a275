/* Puts and gets of gfortran 15 and 16 by accessors (src/caf/gfortran/accessor), for tapped.c.
 *
 * Only the accessor itself knows which data it accesses. It is code of the program, so a tool that checks the program's
 * loads and stores sees its accesses. This file reports the rest: the calling image's side, and the address of a scalar
 * that a getter finds. */
#include "tapped.h"

/* False for accesses that another image requests, and for trials on a copy of a coarray. */
static bool is_statement(const struct access *a)
{
    return !a->is_called && (uintptr_t)a->coarray->base - caf_reach.heap < caf_reach.bytes;
}

/* The bytes transferred for an element, whose size may differ on the two sides because of a conversion. */
static size_t moved(const struct access *a, size_t bytes)
{
    const size_t element = a->coarray->element_bytes;
    return a->length || a->coarray->has_components || !element || bytes < element ? bytes : element;
}

static struct tap_call call_of(const char *name, enum tap_kind kind, const struct access *a)
{
    return (struct tap_call){STATEMENT(name), FLAGS(0), .kind = kind, .pe = a->pe, .ctx = SHMEM_CTX_DEFAULT};
}

/* Describes the array on the calling image's side, and returns its address. */
static void *set_array(struct tap_call *call, const struct access *a, const struct gfortran_descriptor *d,
                       ptrdiff_t *step)
{
    struct caf_section mine;
    gfortran_section(&mine, d, 1, d->base);
    const struct tapped_blocks b = tapped_blocks(&mine);
    const size_t element = moved(a, mine.size);
    call->bytes = b.bytes;
    call->count = b.count;
    *step = b.step;
    if (element != mine.size) { /* the sizes differ: the coarray's counts, and only the first block is checked */
        call->bytes = element;
        call->count = mine.size ? b.bytes * b.count / mine.size : 0;
        *step = 0;
    }
    return mine.base;
}

static void *set_scalar(struct tap_call *call, const void *at, size_t bytes)
{
    call->bytes = bytes;
    call->count = 1;
    call->dest_step = call->source_step = (ptrdiff_t)bytes;
    return (void *)(uintptr_t)at;
}

/* --- gets --------------------------------------------------------------------------------------------------------- */

/* The address of the scalar that the getter finds in the coarray. NULL: the scalar is elsewhere, for example in memory
 * that the getter has allocated for a deferred length. */
static const void *found(const struct access *a, char *base, size_t *length)
{
    const struct access *outer = fault_begin(a);
    const char *at = near_find(a, base, length);
    fault_end(outer);
    const bool is_there = (uintptr_t)at - (uintptr_t)base < a->coarray->bytes;
    return is_there ? a->coarray->base + (at - base) : NULL;
}

static void set_found(struct tap_call *get, const struct access *a, char *base, size_t size, const size_t *length)
{
    size_t n = length ? *length : 0;
    get->source = found(a, base, length ? &n : NULL);
    set_scalar(get, NULL, moved(a, length ? size * n : size));
}

REAL(void, near_get_scalar, (const struct access *a, char *base, void **dst, size_t size, size_t *length, int *stat))
{
    struct tap_call get = call_of("get", TAP_GET, a);
    if (!is_statement(a)) {
        __real_near_get_scalar(a, base, dst, size, length, stat);
        return;
    }
    set_found(&get, a, base, size, length);
    get.dest = *dst;
    enter(&get);
    __real_near_get_scalar(a, base, dst, size, length, stat);
    leave(&get, 0);
}

REAL(void, near_get_array, (const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length))
{
    struct tap_call get = call_of("get", TAP_GET, a);
    if (!is_statement(a)) {
        __real_near_get_array(a, base, dst, length);
        return;
    }
    get.dest = set_array(&get, a, dst, &get.dest_step);
    enter(&get);
    __real_near_get_array(a, base, dst, length);
    leave(&get, 0);
}

/* The number of elements is known after the call. */
REAL(void, near_get_new, (const struct access *a, char *base, struct gfortran_descriptor *dst, size_t *length))
{
    struct tap_call get = call_of("get", TAP_GET, a);
    if (!is_statement(a)) {
        __real_near_get_new(a, base, dst, length);
        return;
    }
    enter(&get);
    __real_near_get_new(a, base, dst, length);
    get.dest = set_array(&get, a, dst, &get.dest_step);
    leave(&get, 0);
}

REAL(void, far_get_scalar, (const struct access *a, void **dst, size_t size, size_t *length, int *stat))
{
    struct tap_call get = call_of("get", TAP_GET, a);
    get.dest = set_scalar(&get, *dst, moved(a, length ? size * *length : size));
    enter(&get);
    __real_far_get_scalar(a, dst, size, length, stat);
    leave(&get, 0);
}

REAL(void, far_get_array, (const struct access *a, struct gfortran_descriptor *dst, size_t *length, bool is_new,
                           int *stat))
{
    struct tap_call get = call_of("get", TAP_GET, a);
    if (!is_new)
        get.dest = set_array(&get, a, dst, &get.dest_step);
    enter(&get);
    __real_far_get_array(a, dst, length, is_new, stat);
    if (is_new && dst->base)
        get.dest = set_array(&get, a, dst, &get.dest_step);
    leave(&get, 0);
}

/* --- puts --------------------------------------------------------------------------------------------------------- */

static struct tap_call put_of(const struct access *a, const void *src, size_t bytes,
                              const struct gfortran_descriptor *d)
{
    struct tap_call put = call_of("put", TAP_PUT, a);
    put.source = d ? set_array(&put, a, d, &put.source_step) : set_scalar(&put, src, moved(a, bytes));
    return put;
}

REAL(void, near_put, (const struct access *a, char *base, const void *src, size_t bytes,
                      const struct gfortran_descriptor *descriptor, const size_t *length))
{
    if (!is_statement(a)) {
        __real_near_put(a, base, src, bytes, descriptor, length);
        return;
    }
    struct tap_call put = put_of(a, src, bytes, descriptor);
    enter(&put);
    __real_near_put(a, base, src, bytes, descriptor, length);
    leave(&put, 0);
}

REAL(void, far_put, (const struct access *a, const void *src, size_t bytes,
                     const struct gfortran_descriptor *descriptor, const size_t *length))
{
    struct tap_call put = put_of(a, src, bytes, descriptor);
    enter(&put);
    __real_far_put(a, src, bytes, descriptor, length);
    leave(&put, 0);
}

/* --- the rest ----------------------------------------------------------------------------------------------------- */

/* A scalar in local memory is not copied: the get is reported without its time. */
REAL(void, accessor_transfer, (const struct access *to, const struct access *from, size_t size, bool is_scalar,
                               int *stat))
{
    char *base = is_scalar ? accessor_memory(from->pe, from->coarray->base) : NULL;
    if (base) {
        struct tap_call get = call_of("get", TAP_GET, from);
        set_found(&get, from, base, size, from->length);
        enter(&get);
        leave(&get, 0);
    }
    __real_accessor_transfer(to, from, size, is_scalar, stat);
}

/* The request to an image at the first access is not a get of the program. */
REAL(char *, accessor_memory_slowly, (int pe, void *base))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    char *memory = __real_accessor_memory_slowly(pe, base);
    leave(&call, 0);
    return memory;
}

/* A copy on the calling image is not a put. */
REAL(struct gfortran_descriptor *, accessor_packed, (const struct gfortran_descriptor *d,
                                                     struct descriptor_room *room))
{
    struct tap_call call = QUIETLY;
    enter(&call);
    struct gfortran_descriptor *packed = __real_accessor_packed(d, room);
    leave(&call, 0);
    return packed;
}
