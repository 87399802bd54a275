/* Nests of loops: how coindexed assignments move data.
 *
 *   section.c   caf_put, caf_get, caf_put_get: find the data and check for overlap
 *   nest.c      a nest: the loops of an assignment, in the order and with the steps that suit the memory
 *   move.c      a nest by loads and stores
 *   far.c       a nest by puts and gets, the methods of the thesis
 *   convert.c   conversion between types and kinds */
#pragma once

#include "convert.h"

enum { CAF_LOOPS = CAF_RANK + 1 }; /* one more for tiles */

struct caf_loop {
    size_t count;
    ptrdiff_t to_step, from_step;
    const ptrdiff_t *to_vector, *from_vector; /* subscripts instead of 0, 1, ...; or NULL */
};

/* Loops, innermost first, around the assignment of one element, or of a run of bytes if no conversion is needed. If the
 * rank is less than 2, the first two loops still exist, with one turn. */
struct caf_nest {
    char *to;
    const char *from;
    size_t size; /* bytes of the innermost run; of an element of to, if there is a conversion */
    struct caf_conversion conversion;
    int rank;
    struct caf_loop loop[CAF_LOOPS];
};

/* The side whose memory the order of the loops should suit. */
enum caf_side { CAF_BOTH_SIDES, CAF_TO_SIDE, CAF_FROM_SIDE };

/* The assignment in its original order, without loops of one turn; false if it moves no data. */
bool caf_nest_make(struct caf_nest *n, const struct caf_section *to, const struct caf_section *from);

/* Makes the steps of that side positive (CAF_BOTH_SIDES: the steps of `to`). */
void caf_nest_face(struct caf_nest *n, enum caf_side side);

/* The same; also moves the smallest steps innermost, merges loops, and joins contiguous elements into one run. */
void caf_nest_tidy(struct caf_nest *n, enum caf_side side);

/* The bytes of that side, and their range. */
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

/* Runs row for each turn of the loops from `first` outwards; row itself handles the inner loops. */
typedef void caf_row(const struct caf_nest *n, void *context, char *to, const char *from);
void caf_nest_walk(const struct caf_nest *n, int first, caf_row *row, void *context);

/* *part: the turns [begin, begin + count) of one loop of n. */
void caf_nest_cut(struct caf_nest *part, const struct caf_nest *n, int loop, size_t begin, size_t count);

/* Splits the assignment: `in` fills a packed buffer and `out` reads it. The buffer's elements are as on side `as`. */
void caf_nest_through(const struct caf_nest *n, char *buffer, enum caf_side as, struct caf_nest *in,
                      struct caf_nest *out);

/* A buffer for caf_nest_through, of caf_nest_bytes(n, as) bytes; the caller frees it. */
char *caf_nest_buffer(size_t bytes);
