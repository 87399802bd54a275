/* Nests by loads and stores. For each element size the compiler inlines the two inner loops; each turn of the outer
 * loops is a call. Longer runs of bytes use memcpy. */
#include "move.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { LINE = 64, L1 = 32 << 10 };

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* Inlined with a constant size, an element is one load and one store. */
INLINE void copy_steps(char *restrict to, ptrdiff_t to_step, const char *restrict from, ptrdiff_t from_step,
                       size_t count, size_t size)
{
    for (; count >= 4; count -= 4, to += 4 * to_step, from += 4 * from_step) {
        memcpy(to, from, size);
        memcpy(to + to_step, from + from_step, size);
        memcpy(to + 2 * to_step, from + 2 * from_step, size);
        memcpy(to + 3 * to_step, from + 3 * from_step, size);
    }
    for (; count > 0; count--, to += to_step, from += from_step)
        memcpy(to, from, size);
}

/* Copies one element to many; loads it once. */
INLINE void fill_steps(char *to, ptrdiff_t to_step, const char *from, size_t count, size_t size)
{
    char element[16];
    memcpy(element, from, size);
    if (to_step == (ptrdiff_t)size)
        for (size_t i = 0; i < count; i++)
            memcpy(to + i * size, element, size);
    else
        for (; count > 0; count--, to += to_step)
            memcpy(to, element, size);
}

INLINE void copy_row(const struct caf_loop *l, char *to, const char *from, size_t size)
{
    const ptrdiff_t unit = (ptrdiff_t)size;
    if (CAF_UNLIKELY(caf_has_vector(l)))
        for (size_t i = 0; i < l->count; i++)
            memcpy(to + caf_to_offset(l, i), from + caf_from_offset(l, i), size);
    else if (l->from_step == 0 && size <= 16)
        fill_steps(to, l->to_step, from, l->count, size);
    else if (l->to_step == unit)
        copy_steps(to, unit, from, l->from_step, l->count, size);
    else if (l->from_step == unit)
        copy_steps(to, l->to_step, from, unit, l->count, size);
    else
        copy_steps(to, l->to_step, from, l->from_step, l->count, size);
}

INLINE void copy_plane(const struct caf_nest *n, char *to, const char *from, size_t size)
{
    const struct caf_loop *outer = &n->loop[1];
    for (size_t i = 0; i < outer->count; i++)
        copy_row(&n->loop[0], to + caf_to_offset(outer, i), from + caf_from_offset(outer, i), size);
}

#define COPY(BYTES) static void copy_##BYTES(const struct caf_nest *n, void *context, char *to, const char *from) \
    { (void)context; copy_plane(n, to, from, BYTES); }
COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(16)

static void copy_runs(const struct caf_nest *n, void *context, char *to, const char *from)
{
    (void)context;
    copy_plane(n, to, from, n->size);
}

static caf_row *copy_of(size_t size)
{
    switch (size) {
    case 1: return copy_1;
    case 2: return copy_2;
    case 4: return copy_4;
    case 8: return copy_8;
    case 16: return copy_16;
    default: return copy_runs;
    }
}

/* --- transposing copies ------------------------------------------------------------------------------------------- */

/* The loop with the smallest step on this side. */
static int nearest(const struct caf_nest *n, enum caf_side side)
{
    int best = 0;
    size_t least = SIZE_MAX;
    for (int i = 0; i < n->rank; i++) {
        const size_t step = caf_distance(side == CAF_TO_SIDE ? n->loop[i].to_step : n->loop[i].from_step);
        if (step < least) {
            least = step;
            best = i;
        }
    }
    return best;
}

static void move_loop(struct caf_nest *n, int from, int to)
{
    const struct caf_loop l = n->loop[from];
    for (; from > to; from--)
        n->loop[from] = n->loop[from - 1];
    n->loop[to] = l;
}

/* If to and from traverse memory in different orders, one of them touches a cache line per element and returns to the
 * line after it has left the cache. Tiles of a line's elements use each line while it is cached: the loop with the
 * small step in from becomes the innermost and is split; the loop over its parts becomes the third. */
static bool copy_tiles(struct caf_nest *n, caf_row *copy)
{
    const int in_to = nearest(n, CAF_TO_SIDE), in_from = nearest(n, CAF_FROM_SIDE);
    const size_t tile = n->size >= LINE / 4 ? 4 : n->size <= 4 ? 16 : LINE / n->size;
    const struct caf_loop *t = &n->loop[in_to], *f = &n->loop[in_from];
    if (in_to == in_from || f->from_step == 0 || caf_has_vector(t) || caf_has_vector(f) || f->count < 2 * tile ||
        n->size > LINE || caf_nest_bytes(n, CAF_TO_SIDE) < L1)
        return false;
    move_loop(n, in_from, 0);
    move_loop(n, in_from > in_to ? in_to + 1 : in_to, 1);
    const struct caf_loop whole = n->loop[0];
    const size_t tiles = whole.count / tile, rest = whole.count % tile;
    if (rest) {
        struct caf_nest part;
        caf_nest_cut(&part, n, 0, tiles * tile, rest);
        caf_nest_walk(&part, 2, copy, NULL);
    }
    move_loop(n, n->rank++, 2);
    n->loop[0].count = tile;
    n->loop[2] = (struct caf_loop){.count = tiles, .to_step = whole.to_step * (ptrdiff_t)tile,
                                   .from_step = whole.from_step * (ptrdiff_t)tile};
    caf_nest_walk(n, 2, copy, NULL);
    return true;
}

/* --- conversions -------------------------------------------------------------------------------------------------- */

static void convert_row(const struct caf_nest *n, void *context, char *to, const char *from)
{
    const struct caf_conversion *c = &n->conversion;
    const struct caf_loop *l = &n->loop[0];
    (void)context;
    if (caf_has_vector(l))
        for (size_t i = 0; i < l->count; i++)
            c->run(c, to + caf_to_offset(l, i), 0, from + caf_from_offset(l, i), 0, 1);
    else
        c->run(c, to, l->to_step, from, l->from_step, l->count);
}

void caf_move(struct caf_nest *n)
{
    if (n->conversion.run) {
        caf_nest_walk(n, 1, convert_row, NULL);
        return;
    }
    caf_row *copy = copy_of(n->size);
    if (n->rank == 0)
        memcpy(n->to, n->from, n->size);
    else if (n->rank == 1 || !copy_tiles(n, copy))
        caf_nest_walk(n, 2, copy, NULL);
}
