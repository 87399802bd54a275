#include "../allocation.h"
#include "../components.h"
#include "direct.h"

void direct_check_characters(int type, const struct gfortran_descriptor *src)
{
    if (CAF_UNLIKELY(type == CAF_CHARACTER && src->dtype.type != CAF_CHARACTER))
        caf_fatal("put: a character expression whose length gfortran does not pass, such as trim, char or merge: "
                  "assign the expression to a variable first, and put that");
}

/* The element size of a substring, of which gfortran 12 passes the address but the whole variable's length. The access
 * must not pad the substring, and must not exceed the variable. 0: no substring; also for a dummy argument of another
 * length than the coarray's. d: the coarray's side; value: the other side. */
static inline size_t substring_bytes(const struct caf_coarray *c, size_t offset, const struct gfortran_descriptor *d,
                                     const struct gfortran_descriptor *value)
{
    const size_t whole = c ? c->character_bytes : 0, before = whole ? offset % whole : 0;
    if (!before || d->dtype.elem_len != whole)
        return 0;
    return value->dtype.elem_len < whole - before ? value->dtype.elem_len : whole - before;
}

static bool same_type(const struct gfortran_descriptor *a, int a_kind, const struct gfortran_descriptor *b, int b_kind)
{
    return a->dtype.type == b->dtype.type && a_kind == b_kind && a->dtype.elem_len == b->dtype.elem_len;
}

/* The bytes that d describes if they are contiguous; otherwise, or if there are none, 0. */
static inline size_t contiguous_bytes(const struct gfortran_descriptor *d)
{
    size_t bytes = d->dtype.elem_len;
    for (int i = 0; i < d->dtype.rank; i++) {
        if ((size_t)(d->dim[i].stride * d->span) != bytes)
            return 0;
        bytes *= gfortran_extent(&d->dim[i]);
    }
    return bytes;
}

/* The bytes of a transfer if it is one copy; otherwise 0. */
static inline size_t plain_copy(const struct gfortran_descriptor *to, int to_kind,
                                const struct gfortran_descriptor *from, int from_kind)
{
    if (!same_type(to, to_kind, from, from_kind) || to->dtype.rank != from->dtype.rank)
        return 0;
    const size_t bytes = contiguous_bytes(to);
    return bytes && bytes == contiguous_bytes(from) ? bytes : 0;
}

/* A get into a vector subscript goes to gfortran's temporary. If the vector's length is not a constant, gfortran
 * computes it only later, and frees the temporary before use: the get must fail. */
static void check_shapes(const struct caf_section *to, const struct caf_section *from)
{
    for (int i = 0; i < to->rank && to->rank == from->rank; i++)
        if (to->dim[i].count != from->dim[i].count)
            caf_fatal("get: dimension %d has %zu elements on the left-hand side, and %zu on the other: they must "
                      "agree; where a vector subscript is on the left-hand side gfortran may pass a wrong length: get "
                      "into an array without one, then assign that", i + 1, to->dim[i].count, from->dim[i].count);
}

/* A section of a coarray at `offset`. value: the other side. */
static inline void coarray_section(struct caf_section *s, struct index_vectors *held, const char *statement,
                                   caf_token token, size_t offset, const struct gfortran_descriptor *d, int kind,
                                   const struct vector_subscript *vectors, const struct gfortran_descriptor *value)
{
    const struct caf_coarray *c = token;
    direct_section(s, held, d, kind, gfortran_address(statement, token, offset, 0), vectors);
    const size_t part = substring_bytes(c, offset, d, value);
    s->size = part ? part : s->size;
    direct_check_section(statement, s, c->base, c->bytes);
}

/* Sections have separate functions, because their stack space and registers would slow down a single copy. */
__attribute__((noinline)) static void get_section(int pe, caf_token token, size_t offset,
                                                  const struct gfortran_descriptor *src,
                                                  const struct vector_subscript *src_vector,
                                                  const struct gfortran_descriptor *dest, int src_kind, int dst_kind,
                                                  int *stat)
{
    if (gfortran_count(dest) == 0 && (src_vector || gfortran_count(src) == 0))
        return;
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    direct_section(&to, &of_to, dest, dst_kind, dest->base, NULL);
    coarray_section(&from, &of_from, "get", token, offset, src, src_kind, src_vector, dest);
    check_shapes(&to, &from);
    if (caf_get(pe, &to, &from))
        gfortran_say_if_failed("get", pe, stat);
    direct_section_end(&of_from);
}

GFORTRAN_API void _gfortran_caf_get(caf_token token, size_t offset, int image, struct gfortran_descriptor *src,
                                    struct vector_subscript *src_vector, struct gfortran_descriptor *dest, int src_kind,
                                    int dst_kind, bool may_require_tmp, int *stat)
{
    (void)may_require_tmp;
    gfortran_note_got(dest->base);
    const int pe = gfortran_accessed_pe("get", token, image, NULL, stat);
    if (pe < 0)
        return;
    const size_t bytes = src_vector ? 0 : plain_copy(dest, dst_kind, src, src_kind);
    if (!bytes)
        get_section(pe, token, offset, src, src_vector, dest, src_kind, dst_kind, stat);
    else if (caf_get_bytes(pe, dest->base, gfortran_address("get", token, offset, bytes), bytes))
        gfortran_say_if_failed("get", pe, stat);
    if (CAF_UNLIKELY(gfortran_has_components(dest->dtype.type)) && pe != caf_my_pe)
        gfortran_hide_components_of(dest, image);
}

__attribute__((noinline)) static void put_section(int pe, caf_token token, size_t offset,
                                                  const struct gfortran_descriptor *dest,
                                                  const struct vector_subscript *dst_vector,
                                                  const struct gfortran_descriptor *src, int dst_kind, int src_kind)
{
    direct_check_characters(dest->dtype.type, src);
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    coarray_section(&to, &of_to, "put", token, offset, dest, dst_kind, dst_vector, src);
    direct_section(&from, &of_from, src, src_kind, src->base, NULL);
    caf_put(pe, &to, &from);
    direct_section_end(&of_to);
}

GFORTRAN_API void _gfortran_caf_send(caf_token token, size_t offset, int image, struct gfortran_descriptor *dest,
                                     struct vector_subscript *dst_vector, struct gfortran_descriptor *src, int dst_kind,
                                     int src_kind, bool may_require_tmp, int *stat, const team_value *team)
{
    (void)may_require_tmp;
    const int pe = gfortran_accessed_pe("put", token, image, team, stat);
    if (pe < 0)
        return;
    const size_t bytes = dst_vector ? 0 : plain_copy(dest, dst_kind, src, src_kind);
    if (!bytes && (gfortran_count(src) == 0 || (!dst_vector && gfortran_count(dest) == 0)))
        return;
    gfortran_note_put_of(dest->dtype.type);
    if (CAF_LIKELY(bytes && !substring_bytes(token, offset, dest, src)))
        caf_put_bytes(pe, gfortran_address("put", token, offset, bytes), src->base, bytes);
    else
        put_section(pe, token, offset, dest, dst_vector, src, dst_kind, src_kind);
}

GFORTRAN_API void _gfortran_caf_sendget(caf_token dst_token, size_t dst_offset, int dst_image,
                                        struct gfortran_descriptor *dest, struct vector_subscript *dst_vector,
                                        caf_token src_token, size_t src_offset, int src_image,
                                        struct gfortran_descriptor *src, struct vector_subscript *src_vector,
                                        int dst_kind, int src_kind, bool may_require_tmp, int *stat)
{
    (void)may_require_tmp;
    const int to_pe = gfortran_accessed_pe("put", dst_token, dst_image, NULL, stat);
    const int from_pe = to_pe < 0 ? -1 : gfortran_accessed_pe("get", src_token, src_image, NULL, stat);
    if (from_pe < 0 || (!src_vector && gfortran_count(src) == 0) || (!dst_vector && gfortran_count(dest) == 0))
        return;
    gfortran_note_put_of(dest->dtype.type);
    struct caf_section to, from;
    struct index_vectors of_to, of_from;
    coarray_section(&to, &of_to, "put", dst_token, dst_offset, dest, dst_kind, dst_vector, src);
    coarray_section(&from, &of_from, "get", src_token, src_offset, src, src_kind, src_vector, dest);
    caf_put_get(to_pe, &to, from_pe, &from);
    gfortran_say_if_failed("get", from_pe, stat);
    direct_section_end(&of_to);
    direct_section_end(&of_from);
}
