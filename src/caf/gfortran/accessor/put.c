/* Puts, and presence tests. */
#include "far.h"
#include "fault.h"
#include "learned.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

/* Whether a receiver could overwrite source data that it has yet to read: in a put to this image itself, from the
 * coarray, or to a component, which may be behind a pointer. */
static inline bool may_overlap(const struct caf_coarray *c, const char *base, const void *src)
{
    return base == c->base && (c->has_components || (size_t)((const char *)src - c->base) < c->bytes);
}

/* An allocated component takes the source's lower bounds: 0 in gfortran's temporaries, 1 in expressions. */
static bool begins_at_zero(const struct access *a, const struct gfortran_descriptor *src)
{
    if (!a->coarray->has_components)
        return false;
    for (int i = 0; i < src->dtype.rank; i++)
        if (src->dim[i].lower != 0)
            return false;
    return true;
}

/* Not inlined, because the stack space for sections would slow down the other cases. */
__attribute__((noinline)) static void put_both(const struct access *a, const struct learned *section,
                                               const struct gfortran_descriptor *src)
{
    struct caf_section to, from;
    learned_both(section, a, src, &to, &from);
    caf_put(a->pe, &to, &from);
}

static inline bool put_section(const struct access *a, const struct gfortran_descriptor *src)
{
    size_t piece;
    const struct learned *section = learned_section(a, LEARNED_PUT, src, &piece);
    if (!section)
        return false;
    if (piece)
        caf_put_bytes(a->pe, a->coarray->base + section->first, src->base, piece);
    else
        put_both(a, section, src);
    return true;
}

/* Puts to elements of a coarray; base: its memory, or its descriptor. src: the value, or its descriptor. */
__attribute__((noinline)) static void put_plain(void *base, const void *src, int index, void *add_data,
                                                size_t add_bytes)
{
    struct caf_coarray local;
    accessor_receiver *receiver = (accessor_receiver *)accessor_at(index)->function;
    receiver(add_data, &caf_images.me, base, src, near_frame(&local, add_data, add_bytes), 0, NULL, NULL);
}

/* Puts to a component of an object of the coarray, or to data that a component points at. */
__attribute__((noinline)) static void put_component(char *base, const struct access *a, const void *src)
{
    struct caf_coarray local;
    accessor_receiver *receiver = (accessor_receiver *)accessor_at(a->index)->function;
    const struct access *outer = near_put_begin(a);
    receiver(a->add_data, &caf_images.me, base, src, near_frame(&local, a->add_data, a->add_bytes), 0, NULL, NULL);
    near_put_end(outer);
}

/* Puts from a copy of the source, an array or characters. */
static void put_copy(const struct access *a, char *base, const void *src_data, size_t bytes,
                     const struct gfortran_descriptor *src, const size_t *src_length)
{
    struct descriptor_room room;
    struct gfortran_descriptor *packed = src ? accessor_packed(src, &room) : NULL;
    void *copy = packed ? packed->base : malloc(bytes + 1);
    if (!copy)
        caf_fatal("put: no memory for a copy of %zu bytes", bytes);
    if (!packed)
        memcpy(copy, src_data, bytes);
    near_put(a, base, copy, bytes, packed, src_length);
    free(copy);
}

__attribute__((noinline)) static void put(struct access *a, size_t src_size, const void *src_data,
                                          const size_t *src_length, const struct gfortran_descriptor *src, int *stat,
                                          const team_value *team, const int32_t *team_number)
{
    if (CAF_UNLIKELY(!accessor_begin(a, team, team_number, stat)))
        return;
    if (src && accessor_is_more(a->coarray, src))
        fault_outside(a);
    if (src && put_section(a, src))
        return;
    char *base = accessor_memory(a->pe, a->coarray->base);
    struct descriptor_room from_one;
    if (src && begins_at_zero(a, src))
        src = accessor_normalized(src, &from_one);
    const size_t bytes = src_length ? src_size * *src_length : src_size; /* size of a scalar */
    if (CAF_UNLIKELY(!base))
        far_put(a, src_data, bytes, src, src_length);
    else if (CAF_UNLIKELY((src || src_length) && may_overlap(a->coarray, base, src ? src->base : src_data)))
        put_copy(a, base, src_data, bytes, src, src_length);
    else
        near_put(a, base, src_data, bytes, src, src_length);
}

GFORTRAN_API void _gfortran_caf_send_to_remote(caf_token token, const struct gfortran_descriptor *dst,
                                               const size_t *dst_length, int image, size_t src_size,
                                               const void *src_data, const size_t *src_length,
                                               const struct gfortran_descriptor *src, int index, void *add_data,
                                               size_t add_bytes, int *stat, const team_value *team,
                                               const int32_t *team_number)
{
    struct caf_coarray *c = token;
    const bool is_plain = !src_length && !dst_length && !stat && !team && !team_number;
    char *base = is_plain ? accessor_plain_memory(c, image) : NULL;
    if (CAF_LIKELY(base && !dst && !c->has_components)) {
        if (CAF_LIKELY(!src)) {
            put_plain(base, src_data, index, add_data, add_bytes);
            return;
        }
        if (src_size < LEARNED_LEAST && !may_overlap(c, base, src->base) && !accessor_is_more(c, src)) {
            put_plain(base, src, index, add_data, add_bytes);
            return;
        }
    }
    struct access a;
    accessor_set(&a, "put", c, image, dst, dst_length, index, add_data, add_bytes);
    if (base && !src && !dst) {
        a.pe = accessor_plain_pe(image);
        put_component(base, &a, src_data);
    } else {
        put(&a, src_size, src_data, src_length, src, stat, team, team_number);
    }
}

GFORTRAN_API int32_t _gfortran_caf_is_present_on_remote(caf_token token, int image, int index, void *add_data,
                                                        size_t add_bytes)
{
    struct access a = {.name = "allocated", .image = image, .coarray = token, .index = index, .add_data = add_data,
                       .add_bytes = add_bytes};
    if (!token || !accessor_begin(&a, NULL, NULL, NULL))
        return 0;
    if (a.pe == caf_my_pe)
        gfortran_note_end_with_team(a.coarray);
    char *base = accessor_memory(a.pe, a.coarray->base);
    return base ? near_present(&a, base) : far_present(&a);
}
