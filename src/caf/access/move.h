#pragma once

#include "nest.h"

/* to and from do not overlap, and the nest is tidied. */
void caf_move(struct caf_nest *n);
