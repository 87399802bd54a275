/* Nests of loops: how the data of coindexed assignments move.
 *
 *   section.c   caf_put, caf_get, caf_put_get: where the data are, and whether they overlap
 *   nest.c      a nest: the loops that an assignment is, in the order and with the steps that suit the memory
 *   move.c      a nest by loads and stores
 *   far.c       a nest by puts and gets, the methods of the thesis
 *   convert.c   from one type and kind to another */
#ifndef COPAL_CAF_NEST_H
#define COPAL_CAF_NEST_H

#include "convert.h"

enum { CAF_LOOPS = CAF_RANK + 1 }; /* one more, of tiles */

struct caf_loop {
    size_t count;
    ptrdiff_t to_step, from_step;
    const ptrdiff_t *to_vector, *from_vector; /* subscripts instead of 0, 1, ...; or NULL */
};

/* Loops, innermost first, around the assignment of one element, or of a run of bytes where no conversion is needed.
 * The first two loops have one turn where the rank is less. */
struct caf_nest {
    char *to;
    const char *from;
    size_t size; /* bytes of the innermost run; of an element of to if it is converted */
    struct caf_conversion conversion;
    int rank;
    struct caf_loop loop[CAF_LOOPS];
};

/* Which side's memory the order of the loops should suit. */
enum caf_side { CAF_BOTH_SIDES, CAF_TO_SIDE, CAF_FROM_SIDE };

/* The assignment as it is written; false if there is nothing to move.  Loops of one turn are gone. */
bool caf_nest_make(struct caf_nest *n, const struct caf_section *to, const struct caf_section *from);

/* Steps of that side (CAF_BOTH_SIDES: of to) made positive. */
void caf_nest_face(struct caf_nest *n, enum caf_side side);

/* The same, and smallest steps innermost, loops that are one loop made one, contiguous elements made one run. */
void caf_nest_tidy(struct caf_nest *n, enum caf_side side);

/* How many bytes that side has, and the range they lie in. */
size_t caf_nest_bytes(const struct caf_nest *n, enum caf_side side);
void caf_nest_range(const struct caf_nest *n, enum caf_side side, const char **low, const char **high);

static inline ptrdiff_t caf_to_offset(const struct caf_loop *l, size_t i)
{
    return (l->to_vector ? l->to_vector[i] : (ptrdiff_t)i) * l->to_step;
}
static inline ptrdiff_t caf_from_offset(const struct caf_loop *l, size_t i)
{
    return (l->from_vector ? l->from_vector[i] : (ptrdiff_t)i) * l->from_step;
}

static inline bool caf_has_vector(const struct caf_loop *l)
{
    return l->to_vector || l->from_vector;
}
static inline size_t caf_distance(ptrdiff_t step)
{
    return step < 0 ? (size_t)-step : (size_t)step;
}

/* Runs row for each turn of the loops from number `first` on; the loops within are row's. */
typedef void caf_row(const struct caf_nest *n, void *context, char *to, const char *from);
void caf_nest_walk(const struct caf_nest *n, int first, caf_row *row, void *context);

/* The turns [begin, begin + count) of one loop. */
void caf_nest_cut(struct caf_nest *part, const struct caf_nest *n, int loop, size_t begin, size_t count);

/* The same assignment by way of a packed buffer, whose elements are of the size that side `as` has: the conversion, if
 * any, is in the part that touches the other. */
void caf_nest_through(const struct caf_nest *n, char *buffer, enum caf_side as, struct caf_nest *in,
                      struct caf_nest *out);

/* caf_nest_bytes(n, as) bytes for that, to be freed. */
char *caf_nest_buffer(size_t bytes);

#endif
