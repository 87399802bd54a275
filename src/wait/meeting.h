/* What meets before there are collectives is a count in each PE's part of the job file, which passes over the dead. */
#ifndef COPAL_MEETING_H
#define COPAL_MEETING_H

/* The PEs in the job file that are not dead meet; used at start-up and at the end, never on a fast path. */
void meeting_here(const char *routine);

#endif
