#ifndef COPAL_CAF_NEARBY_H
#define COPAL_CAF_NEARBY_H

#include "../caf.h"

/* Called once, by caf_init, when there is the heap; reads the settings. */
void caf_nearby_begin(void);

#endif
