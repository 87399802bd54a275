/* A barrier of the living PEs of the job file, for start-up and the end, when collectives are not available: each PE
 * increments a counter in its record, and dead PEs are skipped. */
#pragma once

void meeting_here(const char *routine);
