/* Collective subroutines, as END TEAM sees them. */
#ifndef COPAL_CAF_COLLECTIVE_H
#define COPAL_CAF_COLLECTIVE_H

#include "team.h"

/* Frees what the team's collective subroutines have used; all members have met. */
void caf_staging_end(struct caf_team *t);

#endif
