/* A nest by puts and gets: the plans of the thesis. */
#ifndef COPAL_CAF_PLAN_H
#define COPAL_CAF_PLAN_H

#include "nest.h"

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
