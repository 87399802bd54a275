/* Transfers a nest (nest.h) by puts and gets, or as CAF_STRIDED says. */
#pragma once

#include "nest.h"

/* The methods, of which CAF_STRIDED selects one: see far.c. */
enum caf_strided {
    CAF_STRIDED_AUTO,
    CAF_STRIDED_DIRECT,
    CAF_STRIDED_NAIVE,
    CAF_STRIDED_IPUT,
    CAF_STRIDED_2DIM,
    CAF_STRIDED_MATRIX
};
extern enum caf_strided caf_strided;

/* The other image's side of an assignment. */
struct caf_far {
    int pe;
    enum caf_side side; /* which side is remote; CAF_TO_SIDE: a put, CAF_FROM_SIDE: a get */
    bool foreign;       /* the remote addresses are foreign (struct caf_section) */
};

/* Executes the assignment of the nest. On the remote side, the nest has symmetric addresses, or foreign ones if
 * far->foreign is set; on the other side, addresses of this image. */
void caf_move_far(const struct caf_far *far, struct caf_nest *n);
