/* The operations of co_sum, co_min and co_max. */
#ifndef COPAL_CAF_REDUCTION_H
#define COPAL_CAF_REDUCTION_H

#include "../caf.h"

#include <shcoll.h>

/* The operation on a's elements, or on the parts of complex ones; it may refer to a.  False: there is none. */
bool caf_reduction_find(struct shcoll_op *op, enum caf_reduction reduction, const struct caf_section *a);

#endif
