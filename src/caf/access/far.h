/* Nests by puts and gets. */
#pragma once

#include "nest.h"

/* The values of the environment variable CAF_STRIDED. */
enum caf_strided {
    CAF_STRIDED_AUTO,
    CAF_STRIDED_DIRECT,
    CAF_STRIDED_NAIVE,
    CAF_STRIDED_IPUT,
    CAF_STRIDED_2DIM,
    CAF_STRIDED_MATRIX
};
extern enum caf_strided caf_strided;

/* The remote side of an assignment. */
struct caf_far {
    int pe;
    enum caf_side side; /* CAF_TO_SIDE: a put */
    bool foreign;       /* as in struct caf_section */
};

/* The nest has symmetric or foreign addresses on the remote side, and this image's own on the other. */
void caf_move_far(const struct caf_far *far, struct caf_nest *n);
