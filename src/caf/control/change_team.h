#ifndef COPAL_CAF_CHANGE_TEAM_H
#define COPAL_CAF_CHANGE_TEAM_H

/* Creates the initial team. Called once, by caf_init, after shcoll_init. */
void caf_teams_begin(void);

#endif
