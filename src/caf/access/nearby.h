#pragma once

#include "../caf.h"

/* Called once, by caf_init, after caf_heap_begin; reads the settings. */
void caf_nearby_begin(void);
