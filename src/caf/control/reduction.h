/* The operations of co_sum, co_min and co_max. */
#pragma once

#include "../caf.h"

#include <shcoll.h>

/* The operation on a's elements, or on the parts of complex elements; *op may refer to a. False: none exists. */
bool caf_reduction_find(struct shcoll_op *op, enum caf_reduction reduction, const struct caf_section *a);
