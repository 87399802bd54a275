/* The boot module for jobs that srun, mpirun or prterun started: PMIx tells who and where this process is and carries
 * the cards.  Loaded only by such processes (boot.h), so that no other program needs libpmix.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   values      what PEs publish
 *   layout      which PEs are on which host
 *   members     what the PEs of a node know of each other without the launcher
 *   events      what the watching thread waits for, and whom it tells
 *   door        the end of a connection between nodes that is watched
 *   lifeline    the end that watches
 *   watch       the thread that notices deaths
 *   boot        joining, cards, the end */
#ifndef COPAL_PMIX_H
#define COPAL_PMIX_H

#include "boot/boot.h"

#include <pmix.h>
#include <stddef.h>

/* A run of consecutive PEs on one host: a node of the job. */
struct node_run {
    int first, n;
    char *host;
};

struct launch {
    pmix_proc_t me;   /* of this process; me.nspace names the job */
    int pe, n_pes;
    unsigned epoch;   /* how many times this process has begun: part of every key, since earlier ones are still there */
    bool left;        /* the launcher, to outlive deaths: what others have put is in copies */
    int own_node, n_nodes;
    struct node_run *run; /* n_nodes of them, in order of their PEs */
    char launcher[64];
};
extern struct launch pmix_launch; /* keys.c */

#endif
