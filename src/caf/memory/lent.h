#pragma once

#include "../caf.h"

/* Called once, by caf_init; a barrier follows before other images use it. */
void caf_lent_begin(void);
