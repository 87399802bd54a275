/* The data that launcher.c (the choice of a launcher) passes to handover.c (its command line). */
#ifndef COPAL_TARGET_H
#define COPAL_TARGET_H

#include "oshrun.h"

struct host {
    char *name;
    int n_pes;
};

struct hosts {
    struct host *host;
    int n;
    bool counted, repeated; /* their PEs were given, by counts or by repeated hosts */
    char *text;             /* contains the names */
};

struct target {
    enum launcher kind;
    const char *program;
    char version[64]; /* "Open MPI 4.1.4", or empty */
    bool prrte;       /* it takes prterun's options: prterun, and Open MPI's mpirun from version 5 on */
    struct hosts hosts;
    int n_nodes, most; /* number of nodes; PEs on each but perhaps the last; 0: the launcher's choice */
};

/* hosts.c */
void hosts_read(struct hosts *h, const char *text);
/* Keeps the hosts that get PEs; n_hosts: the maximum, 0: all. */
void hosts_share(struct hosts *h, int n_pes, int n_hosts);

/* launcher.c */
bool launcher_wanted(const struct options *opt);
void launcher_find(const struct options *opt, struct target *t); /* or ends with a message */
bool launcher_on_path(const char *name);
int slurm_nodes(void); /* of the allocation, 0 outside of one */

#endif
