/* Blocks of memory that change hands. */
#ifndef COPAL_CAF_LENT_H
#define COPAL_CAF_LENT_H

#include "../caf.h"

/* Called once, by caf_init; other images use it after a barrier. */
void caf_lent_begin(void);

#endif
