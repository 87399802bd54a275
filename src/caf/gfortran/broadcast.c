#include "broadcast.h"
#include "allocation.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* --- incomplete descriptors --------------------------------------------------------------------------------------- */

/* Used if malloc does not know its blocks: excludes local and static variables, and unaligned addresses. */
enum { STACK = 8 << 20 };
static bool may_be_allocated(const void *p, const void *local)
{
    const char *const here = local, *const at = p;
    Dl_info static_one;
    return (uintptr_t)p % _Alignof(max_align_t) == 0 && !dladdr(p, &static_one) && (at < here || at - here > STACK);
}

/* For an allocatable component, gfortran makes a descriptor of rank 1 with lower bound 1, and leaves span and offset
 * unset: they contain earlier values of the stack, perhaps of another descriptor. In a complete descriptor of such an
 * array, the offset is -1, and the span is the element size; the span is larger only if the array is one component of
 * another array's elements. A larger span is unset if the array's block is too small for it. */
static bool is_without_span(const struct gfortran_descriptor *d)
{
    const ptrdiff_t size = (ptrdiff_t)d->dtype.elem_len, largest_element = (ptrdiff_t)1 << 30;
    if (d->dtype.rank != 1 || d->dim[0].lower != 1 || d->dim[0].stride != 1)
        return false;
    if ((ptrdiff_t)d->offset != -1 || d->span <= size || d->span > largest_element)
        return true;
    const size_t between = gfortran_extent(&d->dim[0]) - 1; /* no gap: the span does not matter */
    const size_t has = caf_heap_holds(d->base) ? caf_lent_bytes(d->base) : caf_malloc_bytes(d->base);
    if (has == SIZE_MAX)
        return may_be_allocated(d->base, &has);
    return has && has < between * (size_t)d->span + (size_t)size;
}

/* For a string of fixed length, gfortran describes an array of one string; the array's address is the address of the
 * correct descriptor. Both descriptors are local variables of one function. */
static struct gfortran_descriptor *described_string(struct gfortran_descriptor *d)
{
    enum { ALIGNMENT = _Alignof(struct gfortran_descriptor), FRAME = 1 << 20 };
    struct gfortran_descriptor *inner = d->base;
    const ptrdiff_t apart = (char *)inner - (char *)d;
    if (d->dtype.type != CAF_CHARACTER || d->dtype.rank != 1 || d->dim[0].lower != 1 || d->dim[0].upper != 1 ||
        (uintptr_t)inner % ALIGNMENT || apart > FRAME || apart < -FRAME)
        return d;
    return memcmp(&inner->dtype.elem_len, &d->dtype.elem_len, sizeof inner->dtype.elem_len) == 0 &&
        inner->dtype.version == 0 && inner->dtype.rank == 0 && inner->dtype.type == CAF_CHARACTER &&
        inner->dtype.attribute == 0 && inner->span == (ptrdiff_t)inner->dtype.elem_len ? inner : d;
}

/* --- nested objects ----------------------------------------------------------------------------------------------- */

/* For a component that has allocatable components itself, and for elements of an allocatable array, gfortran broadcasts
 * these components first and then the objects by their bytes. This would give all images the source's addresses: the
 * addresses of data broadcast in this segment are therefore restored. */
static void **known;
static size_t n_known, room;
static uint64_t segment; /* the segment of the addresses in known */

static size_t place_of(const void *p)
{
    size_t i = ((uintptr_t)p / sizeof p * 0x9e3779b97f4a7c15) >> 20 & (room - 1);
    while (known[i] && known[i] != p)
        i = (i + 1) & (room - 1);
    return i;
}

static bool is_known(const void *p)
{
    return p && known[place_of(p)];
}

static void grow(void)
{
    void **before = known;
    const size_t had = room;
    room = room ? 2 * room : 64;
    known = calloc(room, sizeof *known);
    if (!known)
        caf_fatal("co_broadcast: no memory for the addresses of %zu components", n_known);
    for (size_t i = 0; i < had; i++)
        if (before[i])
            known[place_of(before[i])] = before[i];
    free(before);
}

static void note(void *p)
{
    if (segment != gfortran_segment) {
        if (n_known)
            memset(known, 0, room * sizeof *known);
        n_known = 0;
        segment = gfortran_segment;
    }
    if (2 * n_known >= room)
        grow();
    const size_t i = place_of(p);
    n_known += !known[i];
    known[i] = p;
}

/* 0 for an array with gaps, which cannot be a component. */
static size_t bytes_of(const struct gfortran_descriptor *d, bool in_a_row)
{
    if (d->dtype.rank == 0)
        return d->dtype.elem_len;
    return in_a_row || d->span == (ptrdiff_t)d->dtype.elem_len ? gfortran_extent(&d->dim[0]) * d->dtype.elem_len : 0;
}

/* --- interface for CO_BROADCAST ----------------------------------------------------------------------------------- */

struct gfortran_descriptor *gfortran_broadcast_begin(struct broadcast *b, struct gfortran_descriptor *d)
{
    d = described_string(d);
    *b = (struct broadcast){.objects = d->base, .is_without_span = is_without_span(d)};
    if (!d->base || d->dtype.rank > 1 || (d->dtype.rank == 1 && d->dim[0].stride != 1))
        return d;
    if (n_known && segment == gfortran_segment && gfortran_has_components(d->dtype.type) &&
        d->dtype.elem_len % sizeof(void *) == 0)
        b->bytes = bytes_of(d, b->is_without_span);
    if ((uintptr_t)d->base % sizeof(void *) == 0) /* malloc's are aligned; a byte with its padding is no address */
        note(d->base);
    b->copy = b->bytes ? malloc(b->bytes) : NULL;
    if (b->copy)
        memcpy(b->copy, b->objects, b->bytes);
    else if (b->bytes)
        caf_fatal("co_broadcast: no memory for a copy of %zu bytes", b->bytes);
    return d;
}

void gfortran_broadcast_end(struct broadcast *b)
{
    void *was;
    for (size_t at = 0; b->copy && at < b->bytes; at += sizeof was) {
        memcpy(&was, b->copy + at, sizeof was);
        if (is_known(was))
            memcpy(b->objects + at, &was, sizeof was);
    }
    free(b->copy);
}
