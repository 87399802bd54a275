/* The boot module for jobs that only a shell, or ssh, has started: SHMEM_BOOT=directory.  It needs no launcher and no
 * library, but a folder that all hosts see.
 *
 * All that PEs tell each other is in files there, which are complete when they appear (rename).  Files of earlier jobs
 * may be there too, left by processes that were killed, and a job is to take none of them for its own.  So each process
 * takes a random number, its ticket, and PE 0's is the job's:
 *
 *   copal.K    what PE K tells: its ticket, where it is, how often it has met the others, its card
 *   copal.all  what PE 0 tells: the tickets of all PEs, how often all have met
 *   copal.end  what who ends the job tells: the exit code
 *
 * A PE believes a copal.all that has its own ticket, which nobody of an earlier job can know, and answers with the
 * job's ticket in its own file; PE 0 believes a copal.K with the job's ticket, for the same reason.  When all have
 * answered, the job has begun.
 *
 * Nobody else watches over these processes.  So a thread in each PE looks for copal.end; it has the kernel tell of the
 * end of the next PE of its node, in a ring; and between nodes it looks for signs of life, which the first PE of each
 * node gives in its file, in a ring as well.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   files       files that appear at once, and are seen on all hosts
 *   members     who is in the job, and how they meet
 *   watch       the thread
 *   boot        joining, cards, the end */
#ifndef COPAL_DIRECTORY_H
#define COPAL_DIRECTORY_H

#include "job/boot.h"

#include <stddef.h>
#include <stdint.h>

#endif
