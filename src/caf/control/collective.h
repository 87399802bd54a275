/* What the files of the collective subroutines share. */
#ifndef COPAL_CAF_COLLECTIVE_H
#define COPAL_CAF_COLLECTIVE_H

#include "../core.h"

/* The operation on a's elements, or on the parts of complex ones; it may refer to a.  False: there is none. */
bool caf_reduction_find(struct shcoll_op *op, enum caf_reduction reduction, const struct caf_section *a);

#endif
