#ifndef COPAL_CAF_COARRAY_H
#define COPAL_CAF_COARRAY_H

#include "team.h"

/* Frees the team's coarrays; all members have synchronized. */
void caf_coarrays_end(struct caf_team *t);

#endif
