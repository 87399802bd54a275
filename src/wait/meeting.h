/* A barrier without collectives: each PE increments a counter in its record, and dead PEs are skipped. */
#pragma once

/* A barrier of the living PEs of the job file, at start-up and at the end. */
void meeting_here(const char *routine);
