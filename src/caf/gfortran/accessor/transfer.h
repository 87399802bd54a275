/* A coindexed object assigned to another. */
#pragma once

#include "accessor.h"

/* size: bytes of a scalar, right only if its coarray is a scalar. stat is that of the source. */
void accessor_transfer(const struct access *to, const struct access *from, size_t size, bool is_scalar, int *stat);
