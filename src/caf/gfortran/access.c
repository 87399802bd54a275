/* Coindexed access: get, put, get-to-put. */
#include "abi.h"

int accessed_pe_slowly(const char *access, int image, const struct caf_team *t, int *stat)
{
    const int pe = caf_pe(t, image);
    if (pe < 0) {
        caf_report(caf_say(CAF_STAT_ERROR, "%s: image index %d, allowed are 1 to %d", access, image,
                           caf_num_images(t)), stat, NULL, 0);
        return -1;
    }
    /* What has stopped can still be read and written: images end together. */
    if (caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE) {
        caf_report(caf_say_ended(access, image, CAF_STAT_FAILED_IMAGE), stat, NULL, 0);
        return -1;
    }
    if (stat)
        *stat = CAF_OK;
    return pe;
}

/* After a get: from an image of another node that has failed meanwhile nothing has come. */
static void say_if_failed(const char *access, int image, int pe, int *stat)
{
    if (CAF_UNLIKELY(*caf_alerts) && caf_pe_state(pe) == CAF_STAT_FAILED_IMAGE)
        caf_report(caf_say_ended(access, image, CAF_STAT_FAILED_IMAGE), stat, NULL, 0);
}

/* Bytes of the elements of a put into a substring: gfortran 12 passes its place, and the whole variable's length.
 * What lies behind the substring stays as it is, so nothing is padded.  0: it is no substring. */
static size_t substring_bytes(caf_token token, size_t offset, const struct gfortran_descriptor *src)
{
    const size_t whole = ((struct caf_coarray *)token)->character_bytes, before = whole ? offset % whole : 0;
    if (!before)
        return 0;
    return src->dtype.elem_len < whole - before ? src->dtype.elem_len : whole - before;
}

static bool same_type(const struct gfortran_descriptor *a, int a_kind, const struct gfortran_descriptor *b, int b_kind)
{
    return a->dtype.type == b->dtype.type && a_kind == b_kind && a->dtype.elem_len == b->dtype.elem_len;
}

/* The bytes of a transfer that is one copy, else 0. */
static size_t plain_copy(const struct gfortran_descriptor *to, int to_kind, const struct gfortran_descriptor *from,
                         int from_kind)
{
    if (!same_type(to, to_kind, from, from_kind) || to->dtype.rank != from->dtype.rank)
        return 0;
    const size_t bytes = contiguous_bytes(to);
    return bytes && bytes == contiguous_bytes(from) ? bytes : 0;
}

GFORTRAN_API void _gfortran_caf_get(caf_token token, size_t offset, int image, struct gfortran_descriptor *src,
                                    struct vector_subscript *src_vector, struct gfortran_descriptor *dest, int src_kind,
                                    int dst_kind, bool may_require_tmp, int *stat)
{
    (void)may_require_tmp;
    const int pe = accessed_pe("get", image, NULL, stat);
    if (pe < 0)
        return;
    char *there = coarray_address(token, offset);
    const size_t bytes = src_vector ? 0 : plain_copy(dest, dst_kind, src, src_kind);
    if (bytes) {
        caf_get_bytes(pe, dest->base, there, bytes);
        say_if_failed("get", image, pe, stat);
        return;
    }
    if (is_empty(dest))
        return;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    section_of(&to, &of_to, dest, dst_kind, dest->base, NULL);
    section_of(&from, &of_from, src, src_kind, there, src_vector);
    caf_get(pe, &to, &from);
    say_if_failed("get", image, pe, stat);
    index_vectors_free(&of_from);
}

GFORTRAN_API void _gfortran_caf_send(caf_token token, size_t offset, int image, struct gfortran_descriptor *dest,
                                     struct vector_subscript *dst_vector, struct gfortran_descriptor *src, int dst_kind,
                                     int src_kind, bool may_require_tmp, int *stat, const team_value *team)
{
    (void)may_require_tmp;
    const int pe = accessed_pe("put", image, team, stat);
    if (pe < 0)
        return;
    char *there = coarray_address(token, offset);
    const size_t part = substring_bytes(token, offset, src);
    const size_t bytes = dst_vector || part ? 0 : plain_copy(dest, dst_kind, src, src_kind);
    if (bytes) {
        caf_put_bytes(pe, there, src->base, bytes);
        return;
    }
    if (is_empty(src))
        return;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    section_of(&to, &of_to, dest, dst_kind, there, dst_vector);
    section_of(&from, &of_from, src, src_kind, src->base, NULL);
    if (part)
        to.size = part;
    caf_put(pe, &to, &from);
    index_vectors_free(&of_to);
}

GFORTRAN_API void _gfortran_caf_sendget(caf_token dst_token, size_t dst_offset, int dst_image,
                                        struct gfortran_descriptor *dest, struct vector_subscript *dst_vector,
                                        caf_token src_token, size_t src_offset, int src_image,
                                        struct gfortran_descriptor *src, struct vector_subscript *src_vector,
                                        int dst_kind, int src_kind, bool may_require_tmp, int *stat)
{
    (void)may_require_tmp;
    const int to_pe = accessed_pe("put", dst_image, NULL, stat);
    const int from_pe = to_pe < 0 ? -1 : accessed_pe("get", src_image, NULL, stat);
    if (from_pe < 0)
        return;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    section_of(&to, &of_to, dest, dst_kind, coarray_address(dst_token, dst_offset), dst_vector);
    section_of(&from, &of_from, src, src_kind, coarray_address(src_token, src_offset), src_vector);
    caf_put_get(to_pe, &to, from_pe, &from);
    index_vectors_free(&of_to);
    index_vectors_free(&of_from);
}
