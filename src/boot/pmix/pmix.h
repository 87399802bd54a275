/* The bootstrap module for jobs that srun, mpirun or prterun started: PMIx knows the process's rank and host, and
 * distributes the endpoint addresses. Only such processes load it (boot.h), so no other program needs libpmix.
 *
 * The files of this folder, each of which uses only those before it (scripts/check-layers):
 *
 *   keys        values that PEs publish
 *   layout      the hosts of the PEs
 *   members     state that the PEs of a node share without the launcher
 *   events      events of the watching thread, and reports of deaths
 *   door        the watched end of a connection between nodes: a listening socket
 *   lifeline    the watching end of the connection
 *   watch       the failure detector's thread
 *   by_pmix     joining, endpoint addresses, the end */
#pragma once

#include "boot/boot.h"

#include <pmix.h>
#include <stddef.h>

/* A run of consecutive PEs on one host: a node of the job. */
struct node_run {
    int first, n;
    char *host;
};

struct launch {
    pmix_proc_t me;   /* this process; me.nspace names the job */
    int pe, n_pes;
    unsigned epoch;   /* number of calls of begin: part of every key, because the launcher keeps earlier keys */
    bool left;        /* has left the launcher, to outlive deaths: uses copies of other PEs' values */
    int own_node, n_nodes;
    struct node_run *run; /* n_nodes of them, in order of their PEs */
    char launcher[64];
};
extern struct launch pmix_launch; /* keys.c */
