/* Puts, and tests whether a component is allocated. */
#include "far.h"
#include "learned.h"
#include "near.h"

#include <stdlib.h>

/* Whether what is to be put lies in the coarray itself: a receiver that goes element by element could change some
 * before it gets there. */
static bool is_of_itself(const struct access *a, const struct gfortran_descriptor *src)
{
    return a->pe == caf_my_pe && (size_t)((char *)src->base - a->coarray->base) < a->coarray->bytes;
}

/* What a component that is allocated takes its lower bounds from.  gfortran's temporaries, which stand for arrays of no
 * constant size, begin at 0, and values of expressions at 1. */
static bool begins_at_zero(const struct access *a, const struct gfortran_descriptor *src)
{
    for (int i = 0; i < src->dtype.rank; i++)
        if (src->dim[i].lower != 0)
            return false;
    return a->coarray->has_components;
}

/* A function of its own: the memory that sections take costs time, which a scalar does not have. */
__attribute__((noinline)) static bool put_section(const struct access *a, const struct gfortran_descriptor *src)
{
    struct caf_section to, from;
    if (!learned_sections(a, LEARNED_PUT, src, &to, &from))
        return false;
    caf_put(a->pe, &to, &from);
    return true;
}

/* To an element of a coarray that is at base. */
__attribute__((noinline)) static void put_plain(char *base, const void *src, int index, void *add_data,
                                                size_t add_bytes)
{
    struct caf_coarray local;
    accessor_receiver *receiver = (accessor_receiver *)accessor_at(index)->function;
    receiver(add_data, &caf_images.me, base, src, near_frame(&local, add_data, add_bytes), 0, NULL, NULL);
}

GFORTRAN_API void _gfortran_caf_send_to_remote(caf_token token, const struct gfortran_descriptor *dst,
                                               const size_t *dst_length, int image, size_t src_size,
                                               const void *src_data, const size_t *src_length,
                                               const struct gfortran_descriptor *src, int index, void *add_data,
                                               size_t add_bytes, int *stat, const team_value *team,
                                               const int32_t *team_number)
{
    const bool is_plain = !src && !dst && !src_length && !dst_length && !stat && !team && !team_number;
    char *plain = is_plain ? accessor_plain_memory(token, image) : NULL;
    if (CAF_LIKELY(plain != NULL)) {
        put_plain(plain, src_data, index, add_data, add_bytes);
        return;
    }
    struct access a = {.name = "put", .image = image, .coarray = token, .descriptor = dst, .length = dst_length,
                       .index = index, .add_data = add_data, .add_bytes = add_bytes};
    if (CAF_UNLIKELY(!accessor_begin(&a, team, team_number, stat)))
        return;
    if (src && put_section(&a, src))
        return;
    char *base = accessor_memory(a.pe, a.coarray->base);
    struct descriptor_room from_one;
    if (src && begins_at_zero(&a, src))
        src = accessor_normalized(src, &from_one);
    if (CAF_UNLIKELY(!base)) {
        far_put(&a, src_data, src_length ? src_size * *src_length : src_size, src, src_length);
    } else if (CAF_UNLIKELY(src && is_of_itself(&a, src))) {
        struct descriptor_room room;
        struct gfortran_descriptor *copy = accessor_packed(src, &room);
        near_put(&a, base, copy, src_length);
        free(copy->base);
    } else {
        near_put(&a, base, src ? (const void *)src : src_data, src_length);
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
