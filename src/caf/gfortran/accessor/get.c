#include "far.h"
#include "fault.h"
#include "learned.h"
#include "near.h"
#include "nested.h"
#include "temporary.h"

#include <stdlib.h>
#include <string.h>

/* After a failed get the caller has no memory to free. */
static void give_nothing(struct gfortran_descriptor *d)
{
    d->base = NULL;
    for (int i = 0; i < d->dtype.rank; i++)
        d->dim[i] = (struct gfortran_dim){.stride = 1, .lower = 1, .upper = 0};
}

/* Not inlined, because the stack space for sections would slow down the other cases. */
__attribute__((noinline)) static bool get_both(const struct access *a, const struct learned *section,
                                               const struct gfortran_descriptor *dst)
{
    struct caf_section to, from;
    learned_both(section, a, dst, &from, &to);
    return caf_get(a->pe, &to, &from);
}

static inline void get_into(const struct access *a, const struct learned *section,
                            const struct gfortran_descriptor *dst, size_t piece, int *stat)
{
    const bool by_message = piece ? caf_get_bytes(a->pe, dst->base, a->coarray->base + section->first, piece)
                                  : get_both(a, section, dst);
    if (CAF_UNLIKELY(by_message))
        gfortran_say_if_failed(a->name, a->pe, stat);
}

static inline bool get_section(const struct access *a, const struct gfortran_descriptor *dst, int *stat)
{
    size_t piece;
    const struct learned *section = learned_section(a, LEARNED_GET, dst, &piece);
    if (!section)
        return false;
    get_into(a, section, dst, piece, stat);
    return true;
}

/* Gets into memory allocated here instead of by the getter; the program frees it. */
static bool get_new_section(const struct access *a, struct gfortran_descriptor *dst, int *stat)
{
    size_t piece;
    if (learned_gets_little(accessor_at(a->index)))
        return false;
    const struct learned *section = learned_section(a, LEARNED_NEW, dst, &piece);
    if (!section)
        return false;
    memcpy(dst, section->room.bytes, sizeof *dst + (size_t)dst->dtype.rank * sizeof *dst->dim);
    dst->base = malloc(section->bytes);
    if (!dst->base)
        caf_fatal("get: no memory for %zu bytes", section->bytes);
    get_into(a, section, dst, piece, stat);
    return true;
}

/* Ends the job, for the coarray memory at base. */
__attribute__((noinline, cold)) static _Noreturn void outside(const char *base, struct caf_coarray *c)
{
    fault_outside(&(struct access){.name = "get", .pe = caf_heap_owner(base), .coarray = c});
}

static inline void copy_scalar(char *base, struct caf_coarray *c, size_t offset, void *to, size_t bytes)
{
    if (CAF_LIKELY(offset < c->bytes && bytes <= c->bytes - offset))
        near_copy(to, base + offset, bytes);
    else if (bytes)
        outside(base, c);
}

/* Gets a scalar of the coarray c, whose memory is at base. A getter without arguments always finds the same offset. */
__attribute__((noinline)) static void get_plain(char *base, struct caf_coarray *c, void *to, size_t bytes,
                                                struct accessor *accessor, struct caf_coarray *frame)
{
    int32_t free_buffer = 0;
    char *at = NULL;
    learned_nested = true;
    accessor_getter *getter = (accessor_getter *)accessor->function;
    getter(frame->base, &caf_images.me, &at, &free_buffer, base, frame, 0, NULL, NULL);
    accessor->offset = (size_t)(at - base);
    accessor->is_fixed = !frame->bytes;
    copy_scalar(base, c, accessor->offset, to, bytes);
}

/* Gets a component of an object of the coarray, or data that a component points at. */
__attribute__((noinline)) static void get_component(char *base, const struct access *a, void *to, size_t bytes,
                                                    struct caf_coarray *frame)
{
    int32_t free_buffer = 0;
    char *at = NULL;
    learned_nested = true;
    accessor_getter *getter = (accessor_getter *)accessor_at(a->index)->function;
    const struct access *outer = fault_begin(a);
    getter(frame->base, &caf_images.me, &at, &free_buffer, base, frame, 0, NULL, NULL);
    const void *here = caf_reach_pointer_at_once(a->pe, at);
    int status = CAF_OK;
    if (CAF_LIKELY(here != NULL))
        near_copy(to, here, bytes);
    else
        status = near_get_found(a, base, at, to, bytes);
    fault_end(outer);
    caf_report(status, NULL, NULL, 0);
}

/* Gets a few elements of the coarray c at base into the getter's memory. d: the program's descriptor, or NULL. */
__attribute__((noinline)) static void get_little(char *base, struct caf_coarray *c, const struct gfortran_descriptor *d,
                                                 struct gfortran_descriptor *dst, struct accessor *accessor,
                                                 struct caf_coarray *frame)
{
    struct access a;
    a.name = "get";
    a.coarray = c;
    a.descriptor = d;
    a.is_called = false; /* no other member is used */
    struct descriptor_room room;
    int32_t free_buffer = 0;
    learned_nested = true;
    accessor_getter *getter = (accessor_getter *)accessor->function;
    dst->base = NULL;
    const struct access *outer = fault_begin(&a);
    getter(frame->base, &caf_images.me, dst, &free_buffer, accessor_object(&a, base, &room), frame, 0, NULL, NULL);
    fault_end(outer);
    near_correct(dst);
    if (accessor_is_more(c, dst)) {
        accessor_set(&a, "get", c, 0, d, NULL, (int)(accessor - accessor_all), frame->base, frame->bytes);
        a.caller = caf_images.me;
        a.pe = caf_heap_owner(base);
        learned_try(&a, dst, NULL, true);
    }
    learned_count_little(accessor, dst);
}

__attribute__((noinline)) static void get(struct access *a, size_t dst_size, void **dst_data, size_t *dst_length,
                                          struct gfortran_descriptor *dst, bool may_realloc_dst, int *stat,
                                          const team_value *team, const int32_t *team_number)
{
    if (CAF_UNLIKELY(fault_access && fault_access->is_called)) {
        if (!dst || !may_realloc_dst)
            fault_leave(FAULT_VECTOR);
        nested_get(a->index, dst);
        return;
    }
    if (CAF_UNLIKELY(!accessor_begin(a, team, team_number, stat))) {
        if (may_realloc_dst)
            give_nothing(dst);
        return;
    }
    learned_nested = true;
    if (dst)
        temporary_note(dst, a->index);
    if (dst && (may_realloc_dst ? get_new_section(a, dst, stat) : get_section(a, dst, stat)))
        return;
    if (dst && !may_realloc_dst && accessor_is_more(a->coarray, dst))
        learned_try(a, dst, dst_length, false);
    char *base = accessor_memory(a->pe, a->coarray->base);
    if (CAF_UNLIKELY(!base)) {
        if (may_realloc_dst)
            give_nothing(dst); /* for the case that the image fails before its reply */
        if (dst)
            far_get_array(a, dst, dst_length, may_realloc_dst, stat);
        else
            far_get_scalar(a, dst_data, dst_size, dst_length, stat);
    } else if (!dst)
        near_get_scalar(a, base, dst_data, dst_size, dst_length, stat);
    else if (may_realloc_dst)
        near_get_new(a, base, dst, dst_length);
    else
        near_get_array(a, base, dst, dst_length);
    if (may_realloc_dst) {
        if (accessor_is_more(a->coarray, dst))
            learned_try(a, dst, dst_length, true);
        learned_count_new(a->index, dst);
    }
}

GFORTRAN_API void _gfortran_caf_get_from_remote(caf_token token, const struct gfortran_descriptor *src,
                                                const size_t *src_length, int image, size_t dst_size, void **dst_data,
                                                size_t *dst_length, struct gfortran_descriptor *dst,
                                                bool may_realloc_dst, int index, void *add_data, size_t add_bytes,
                                                int *stat, const team_value *team, const int32_t *team_number)
{
    struct caf_coarray *c = token, frame;
    const bool is_plain = !src_length && !dst_length && !stat && !team && !team_number && !fault_access;
    char *base = is_plain ? accessor_plain_memory(c, image) : NULL;
    if (CAF_LIKELY(base && !c->has_components)) {
        struct accessor *accessor = accessor_at(index);
        if (CAF_LIKELY(!dst && !src && accessor->is_fixed)) {
            copy_scalar(base, c, accessor->offset, *dst_data, dst_size);
            return;
        }
        if (!dst && !src) {
            get_plain(base, c, *dst_data, dst_size, accessor, near_frame(&frame, add_data, add_bytes));
            return;
        }
        if (dst && may_realloc_dst && learned_gets_little(accessor)) {
            get_little(base, c, src, dst, accessor, near_frame(&frame, add_data, add_bytes));
            return;
        }
    }
    struct access a;
    accessor_set(&a, "get", c, image, src, src_length, index, add_data, add_bytes);
    if (base && !src && !dst) {
        a.pe = accessor_plain_pe(image);
        get_component(base, &a, *dst_data, dst_size, near_frame(&frame, add_data, add_bytes));
    } else {
        get(&a, dst_size, dst_data, dst_length, dst, may_realloc_dst, stat, team, team_number);
    }
}
