#pragma once

#include "team.h"

/* Frees the team's staging memory; all members have synchronized. */
void caf_staging_end(struct caf_team *t);
