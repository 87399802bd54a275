/* A nest by puts and gets: the methods of the thesis. */
#ifndef COPAL_CAF_FAR_H
#define COPAL_CAF_FAR_H

#include "nest.h"

/* As CAF_STRIDED names them. */
enum caf_strided {
    CAF_STRIDED_AUTO,
    CAF_STRIDED_DIRECT,
    CAF_STRIDED_NAIVE,
    CAF_STRIDED_IPUT,
    CAF_STRIDED_2DIM,
    CAF_STRIDED_MATRIX
};
extern enum caf_strided caf_strided;

/* Where the far side of an assignment is. */
struct caf_far {
    int pe;
    enum caf_side side; /* CAF_TO_SIDE: a put */
    bool foreign;       /* struct caf_section's */
};

/* The far side's addresses in the nest are symmetric ones, or foreign; the other side is this image's own. */
void caf_move_far(const struct caf_far *far, struct caf_nest *n);

#endif
