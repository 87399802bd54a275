/* Nests: the loops of an assignment between sections, in the order and form that suit the memory best. A nest combines
 * the dimensions of both sections, so each change applies to both. */
#include "nest.h"

#include <stdlib.h>

/* --- construction ------------------------------------------------------------------------------------------------- */

/* Adds loops of one turn beyond the rank, so that code for pairs of loops needs no special case. */
static void close_loops(struct caf_nest *n, int from)
{
    for (int i = from; i < 2; i++)
        n->loop[i] = (struct caf_loop){.count = 1};
}

static ptrdiff_t first_offset(const struct caf_dim *d)
{
    return d->vector ? d->vector[0] * d->step : 0;
}

/* Converts an index vector with equidistant subscripts (any two are) to a triplet. */
static void straighten(const ptrdiff_t **vector, size_t count, ptrdiff_t *step, ptrdiff_t *offset)
{
    const ptrdiff_t *v = *vector, apart = v[1] - v[0];
    for (size_t i = 2; i < count; i++)
        if (v[i] - v[i - 1] != apart)
            return;
    *offset = v[0] * *step;
    *step *= apart;
    *vector = NULL;
}

static void straighten_both(struct caf_nest *n, struct caf_loop *l)
{
    ptrdiff_t offset = 0;
    if (l->to_vector)
        straighten(&l->to_vector, l->count, &l->to_step, &offset);
    n->to += offset;
    offset = 0;
    if (l->from_vector)
        straighten(&l->from_vector, l->count, &l->from_step, &offset);
    n->from += offset;
}

/* The next dimension of from with more than one element, or -1. */
static int next_dimension(struct caf_nest *n, const struct caf_section *from, int i)
{
    while (++i < from->rank) {
        if (from->dim[i].count != 1)
            return i;
        n->from += first_offset(&from->dim[i]);
    }
    return -1;
}

static _Noreturn void shapes_differ(int dimension, size_t count, size_t from_count)
{
    caf_fatal("coindexed assignment: dimension %d has %zu elements, but %zu on the right-hand side", dimension, count,
              from_count);
}

bool caf_nest_make(struct caf_nest *n, const struct caf_section *to, const struct caf_section *from)
{
    n->to = to->base;
    n->from = from->base;
    n->size = to->size;
    n->rank = 0;
    int j = next_dimension(n, from, -1);
    const bool scalar = j < 0;
    for (int i = 0; i < to->rank; i++) {
        const struct caf_dim *d = &to->dim[i];
        if (d->count == 0)
            return false;
        if (d->count == 1) {
            n->to += first_offset(d);
            continue;
        }
        struct caf_loop *l = &n->loop[n->rank++];
        *l = (struct caf_loop){.count = d->count, .to_step = d->step, .to_vector = d->vector};
        if (!scalar) {
            const size_t count = j < 0 ? 1 : from->dim[j].count;
            if (count == 0)
                return false;
            if (count != d->count)
                shapes_differ(i + 1, d->count, count);
            l->from_step = from->dim[j].step;
            l->from_vector = from->dim[j].vector;
            j = next_dimension(n, from, j);
        }
        straighten_both(n, l);
    }
    if (j >= 0 && from->dim[j].count == 0)
        return false;
    if (j >= 0)
        shapes_differ(to->rank + 1, 1, from->dim[j].count);
    close_loops(n, n->rank);
    n->conversion = caf_conversion_find(to, from);
    return to->size > 0;
}

/* --- improvement -------------------------------------------------------------------------------------------------- */

void caf_nest_face(struct caf_nest *n, enum caf_side side)
{
    for (int i = 0; i < n->rank; i++) {
        struct caf_loop *l = &n->loop[i];
        if ((side == CAF_FROM_SIDE ? l->from_step : l->to_step) >= 0 || caf_has_vector(l))
            continue;
        n->to += (ptrdiff_t)(l->count - 1) * l->to_step;
        n->from += (ptrdiff_t)(l->count - 1) * l->from_step;
        l->to_step = -l->to_step;
        l->from_step = -l->from_step;
    }
}

/* Sort key: smaller steps innermost touch fewer cache lines. */
static size_t reach_of(const struct caf_loop *l, enum caf_side side)
{
    const size_t to = side != CAF_FROM_SIDE ? caf_distance(l->to_step) : 0;
    return side != CAF_TO_SIDE ? to + caf_distance(l->from_step) : to;
}

static void sort_loops(struct caf_nest *n, enum caf_side side)
{
    for (int i = 1; i < n->rank; i++)
        for (int j = i; j > 0 && reach_of(&n->loop[j], side) < reach_of(&n->loop[j - 1], side); j--) {
            const struct caf_loop l = n->loop[j];
            n->loop[j] = n->loop[j - 1];
            n->loop[j - 1] = l;
        }
}

static bool is_one_loop(const struct caf_loop *in, const struct caf_loop *out)
{
    const ptrdiff_t count = (ptrdiff_t)in->count;
    return !caf_has_vector(in) && !caf_has_vector(out) && out->to_step == count * in->to_step &&
           out->from_step == count * in->from_step;
}

static void merge_loops(struct caf_nest *n)
{
    int rank = 0;
    for (int i = 0; i < n->rank; i++) {
        const struct caf_loop *l = &n->loop[i];
        const ptrdiff_t size = (ptrdiff_t)n->size;
        if (l->count == 1) {
            n->to += caf_to_offset(l, 0);
            n->from += caf_from_offset(l, 0);
        } else if (rank == 0 && !n->conversion.run && !caf_has_vector(l) && l->to_step == size &&
                   l->from_step == size) {
            n->size *= l->count;
        } else if (rank > 0 && is_one_loop(&n->loop[rank - 1], l)) {
            n->loop[rank - 1].count *= l->count;
        } else {
            n->loop[rank++] = *l;
        }
    }
    close_loops(n, rank);
    n->rank = rank;
}

void caf_nest_tidy(struct caf_nest *n, enum caf_side side)
{
    caf_nest_face(n, side);
    sort_loops(n, side);
    merge_loops(n);
}

/* --- properties --------------------------------------------------------------------------------------------------- */

static size_t element_size(const struct caf_nest *n, enum caf_side side)
{
    return n->conversion.run && side == CAF_FROM_SIDE ? n->conversion.from_size : n->size;
}

size_t caf_nest_bytes(const struct caf_nest *n, enum caf_side side)
{
    size_t bytes = element_size(n, side);
    for (int i = 0; i < n->rank; i++)
        bytes *= n->loop[i].count;
    return bytes;
}

void caf_nest_range(const struct caf_nest *n, enum caf_side side, const char **low, const char **high)
{
    *low = side == CAF_FROM_SIDE ? n->from : n->to;
    *high = *low + element_size(n, side);
    for (int i = 0; i < n->rank; i++) {
        const struct caf_loop *l = &n->loop[i];
        const ptrdiff_t *v = side == CAF_FROM_SIDE ? l->from_vector : l->to_vector;
        const ptrdiff_t step = side == CAF_FROM_SIDE ? l->from_step : l->to_step;
        ptrdiff_t least = v ? v[0] : 0, most = v ? v[0] : (ptrdiff_t)l->count - 1;
        for (size_t k = 1; v && k < l->count; k++) {
            least = v[k] < least ? v[k] : least;
            most = v[k] > most ? v[k] : most;
        }
        *low += step < 0 ? most * step : least * step;
        *high += step < 0 ? least * step : most * step;
    }
}

/* --- traversal ---------------------------------------------------------------------------------------------------- */

void caf_nest_walk(const struct caf_nest *n, int first, caf_row *row, void *context)
{
    size_t at[CAF_LOOPS];
    char *to = n->to;
    const char *from = n->from;
    for (int i = first; i < n->rank; i++) {
        at[i] = 0;
        to += caf_to_offset(&n->loop[i], 0);
        from += caf_from_offset(&n->loop[i], 0);
    }
    for (;;) {
        row(n, context, to, from);
        int i = first;
        for (; i < n->rank; i++) {
            const struct caf_loop *l = &n->loop[i];
            const size_t old = at[i];
            at[i] = old + 1 < l->count ? old + 1 : 0;
            to += caf_to_offset(l, at[i]) - caf_to_offset(l, old);
            from += caf_from_offset(l, at[i]) - caf_from_offset(l, old);
            if (at[i] > 0)
                break;
        }
        if (i >= n->rank)
            return;
    }
}

void caf_nest_cut(struct caf_nest *part, const struct caf_nest *n, int loop, size_t begin, size_t count)
{
    if (part != n)
        *part = *n;
    struct caf_loop *l = &part->loop[loop];
    l->count = count;
    if (l->to_vector)
        l->to_vector += begin;
    else
        part->to += (ptrdiff_t)begin * l->to_step;
    if (l->from_vector)
        l->from_vector += begin;
    else
        part->from += (ptrdiff_t)begin * l->from_step;
}

char *caf_nest_buffer(size_t bytes)
{
    char *buffer = malloc(bytes ? bytes : 1);
    if (!buffer)
        caf_fatal("coindexed assignment: no memory for a temporary copy of %zu bytes", bytes);
    return buffer;
}

void caf_nest_through(const struct caf_nest *n, char *buffer, enum caf_side as, struct caf_nest *in,
                      struct caf_nest *out)
{
    const size_t size = element_size(n, as);
    const struct caf_conversion none = {.run = NULL};
    *in = *out = *n;
    in->to = buffer;
    out->from = buffer;
    in->size = size;
    if (as == CAF_TO_SIDE)
        out->conversion = none;
    else
        in->conversion = none;
    ptrdiff_t step = (ptrdiff_t)size;
    for (int i = 0; i < n->rank; i++) {
        in->loop[i].to_step = out->loop[i].from_step = step;
        in->loop[i].to_vector = out->loop[i].from_vector = NULL;
        step *= (ptrdiff_t)n->loop[i].count;
    }
}
