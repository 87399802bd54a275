/* Coarrays, as END TEAM sees them. */
#ifndef COPAL_CAF_COARRAY_H
#define COPAL_CAF_COARRAY_H

#include "team.h"

/* Frees those established in the team; all members have met. */
void caf_coarrays_end(struct caf_team *t);

#endif
