#pragma once

#include "team.h"

/* Frees the team's coarrays; all members have synchronized. */
void caf_coarrays_end(struct caf_team *t);
