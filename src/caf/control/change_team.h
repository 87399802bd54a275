#pragma once

/* Creates the initial team. Called once, by caf_init, after shcoll_init. */
void caf_teams_begin(void);
