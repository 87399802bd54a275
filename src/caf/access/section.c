#include "../caf.h"
#include "move.h"
#include "far.h"

#include <stdlib.h>

/* *bytes: the section's bytes, if it is contiguous. */
static bool is_contiguous(const struct caf_section *s, size_t *bytes)
{
    *bytes = s->size;
    for (int i = 0; i < s->rank; i++) {
        const struct caf_dim *d = &s->dim[i];
        if (d->vector || (d->count != 1 && d->step != (ptrdiff_t)*bytes))
            return false;
        *bytes *= d->count;
    }
    return true;
}

/* Whether the assignment copies contiguous bytes to contiguous bytes, and how many: the most common case. */
static bool is_plain(const struct caf_section *to, const struct caf_section *from, size_t *bytes)
{
    size_t from_bytes;
    return to->type == from->type && to->size == from->size && to->kind == from->kind && is_contiguous(to, bytes) &&
           is_contiguous(from, &from_bytes) && *bytes == from_bytes && !to->foreign && !from->foreign;
}

/* --- in this image's address space -------------------------------------------------------------------------------- */

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Whether storing an element may change one that is yet to be loaded. It cannot if the ranges are disjoint, or if the
 * sections interleave (odd and even columns): all steps are multiples of a period, at different offsets in it. */
static bool overlaps(const struct caf_nest *n)
{
    const char *to, *to_end, *from, *from_end;
    caf_nest_range(n, CAF_TO_SIDE, &to, &to_end);
    caf_nest_range(n, CAF_FROM_SIDE, &from, &from_end);
    if (to_end <= from || from_end <= to)
        return false;
    size_t period = 0;
    for (int i = 0; i < n->rank; i++) {
        const ptrdiff_t t = n->loop[i].to_step, f = n->loop[i].from_step;
        period = common_divisor(common_divisor(period, (size_t)(t < 0 ? -t : t)), (size_t)(f < 0 ? -f : f));
    }
    if (period == 0)
        return true;
    const ptrdiff_t apart = (n->to - n->from) % (ptrdiff_t)period;
    const size_t offset = apart < 0 ? (size_t)apart + period : (size_t)apart; /* to's; from's is 0 */
    const size_t from_size = n->conversion.run ? n->conversion.from_size : n->size;
    return offset < from_size || offset + n->size > period;
}

/* may_overlap: both sections are on the same image. */
static void move_near(struct caf_nest *n, bool may_overlap)
{
    caf_nest_tidy(n, CAF_BOTH_SIDES);
    if (!may_overlap || !overlaps(n)) {
        caf_move(n);
        return;
    }
    struct caf_nest in, out;
    char *copy = caf_nest_buffer(caf_nest_bytes(n, CAF_FROM_SIDE));
    caf_nest_through(n, copy, CAF_FROM_SIDE, &in, &out);
    caf_nest_tidy(&in, CAF_BOTH_SIDES);
    caf_move(&in);
    caf_nest_tidy(&out, CAF_BOTH_SIDES);
    caf_move(&out);
    free(copy);
}

/* The data's address in this address space, or NULL. */
static char *find(int pe, const struct caf_section *s)
{
    if (pe == caf_my_pe)
        return s->base;
    return s->foreign ? NULL : caf_near(pe, s->base);
}

/* Whether loads and stores made the assignment, or it is empty. CAF_STRIDED may force another method, locally too. */
static bool move_if_near(struct caf_nest *n, int to_pe, const struct caf_section *to, int from_pe,
                         const struct caf_section *from)
{
    if (!caf_nest_make(n, to, from))
        return true;
    if (caf_strided > CAF_STRIDED_DIRECT && (to_pe != caf_my_pe || from_pe != caf_my_pe))
        return false;
    char *to_near = find(to_pe, to), *from_near = find(from_pe, from);
    if (!to_near || !from_near)
        return false;
    n->to = to_near + (n->to - to->base);
    n->from = from_near + (n->from - from->base);
    move_near(n, to_pe == from_pe);
    return true;
}

/* --- other images ------------------------------------------------------------------------------------------------- */

void caf_put(int pe, const struct caf_section *to, const struct caf_section *from)
{
    struct caf_nest n;
    size_t bytes;
    if (CAF_LIKELY(is_plain(to, from, &bytes)))
        caf_put_bytes(pe, to->base, from->base, bytes);
    else if (!move_if_near(&n, pe, to, caf_my_pe, from))
        caf_move_far(&(struct caf_far){pe, CAF_TO_SIDE, to->foreign}, &n);
}

bool caf_get(int pe, const struct caf_section *to, const struct caf_section *from)
{
    struct caf_nest n;
    size_t bytes;
    if (CAF_LIKELY(is_plain(to, from, &bytes)))
        return caf_get_bytes(pe, to->base, from->base, bytes);
    if (move_if_near(&n, caf_my_pe, to, pe, from))
        return false;
    caf_move_far(&(struct caf_far){pe, CAF_FROM_SIDE, from->foreign}, &n);
    return true;
}

void caf_put_get(int to_pe, const struct caf_section *to, int from_pe, const struct caf_section *from)
{
    struct caf_nest n;
    if (move_if_near(&n, to_pe, to, from_pe, from))
        return;
    struct caf_section copy = *from;
    size_t bytes = from->size;
    for (int i = 0; i < from->rank; i++) {
        copy.dim[i] = (struct caf_dim){.count = from->dim[i].count, .step = (ptrdiff_t)bytes};
        bytes *= from->dim[i].count;
    }
    copy.base = caf_nest_buffer(bytes);
    copy.foreign = false;
    caf_get(from_pe, &copy, from);
    caf_put(to_pe, to, &copy);
    free(copy.base);
}
