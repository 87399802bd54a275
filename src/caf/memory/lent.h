#ifndef COPAL_CAF_LENT_H
#define COPAL_CAF_LENT_H

#include "../caf.h"

/* Called once, by caf_init; a barrier follows before other images use it. */
void caf_lent_begin(void);

#endif
