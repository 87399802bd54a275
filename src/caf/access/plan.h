/* How the data of coindexed assignments move.
 *
 *   section.c   caf_put, caf_get, caf_put_get: where the data are, and whether they overlap
 *   nest.c      a nest: the loops that an assignment is, in the order and with the steps that suit the memory
 *   move.c      a nest by loads and stores
 *   plan.c      a nest by puts and gets, the plans of the thesis
 *   convert.c   from one type and kind to another */
#ifndef COPAL_CAF_PLAN_H
#define COPAL_CAF_PLAN_H

#include "../core.h"

/* --- conversions (convert.c) -------------------------------------------------------------------------------------- */

struct caf_conversion;

/* n elements, to_step and from_step bytes apart. */
typedef void caf_convert_run(const struct caf_conversion *c, char *to, ptrdiff_t to_step, const char *from,
                             ptrdiff_t from_step, size_t n);
typedef void caf_convert_numbers(char *to, ptrdiff_t to_step, const char *from, ptrdiff_t from_step, size_t n);

struct caf_conversion {
    caf_convert_run *run;         /* NULL: the bytes are copied as they are */
    caf_convert_numbers *numbers; /* what run is made of, unless of characters */
    size_t to_size, from_size;    /* bytes of an element */
    size_t to_imaginary, from_imaginary; /* offset of the imaginary part; 0: none */
};

/* The conversion of an intrinsic assignment; ends the job if there is no such assignment. */
struct caf_conversion caf_conversion_find(const struct caf_section *to, const struct caf_section *from);

/* --- nests (nest.c) ----------------------------------------------------------------------------------------------- */

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

/* --- by loads and stores (move.c) --------------------------------------------------------------------------------- */

/* to and from do not overlap.  The nest is tidied. */
void caf_move(struct caf_nest *n);

/* --- by puts and gets (plan.c) ------------------------------------------------------------------------------------ */

/* As CAF_STRIDED names them. */
enum caf_plan { CAF_PLAN_AUTO, CAF_PLAN_DIRECT, CAF_PLAN_NAIVE, CAF_PLAN_IPUT, CAF_PLAN_2DIM, CAF_PLAN_MATRIX };
extern enum caf_plan caf_plan;

/* Where the far side of an assignment is. */
struct caf_far {
    int pe;
    enum caf_side side; /* CAF_TO_SIDE: a put */
    bool foreign;       /* struct caf_section's */
};

/* The far side's addresses in the nest are symmetric ones, or foreign; the other side is this image's own. */
void caf_move_far(const struct caf_far *far, struct caf_nest *n);

#endif
