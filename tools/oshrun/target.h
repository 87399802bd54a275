/* Other programs: launchers, which launcher.c chooses, and debuggers; their command lines. */
#pragma once

#include "oshrun.h"

struct host {
    char *name;
    int n_pes;
};

struct hosts {
    struct host *host;
    int n;
    bool counted, repeated; /* the list gives the PEs of hosts, by counts or by repeated hosts */
    char *text;             /* memory of the names */
};

struct target {
    enum launcher kind;
    const char *program;
    char version[64]; /* "Open MPI 4.1.4", or empty */
    bool prrte;       /* it accepts prterun's options: prterun, and Open MPI's mpirun from version 5 on */
    struct hosts hosts;
    int n_nodes, most; /* nodes; PEs on each node, perhaps fewer on the last; 0: the launcher chooses */
};

struct command {
    char **words; /* NULL-terminated; NULL: none yet */
    int n;
};

/* command.c */
__attribute__((format(printf, 2, 3))) void command_add(struct command *c, const char *fmt, ...); /* one word */
__attribute__((sentinel)) void command_add_words(struct command *c, ...);
void command_free(struct command *c);

/* hosts.c */
void hosts_read(struct hosts *h, const char *text);
/* Keeps the hosts that get PEs; n_hosts: the maximum, 0: all. */
void hosts_share(struct hosts *h, int n_pes, int n_hosts);

/* launcher.c */
bool launcher_wanted(const struct options *opt);
void launcher_find(const struct options *opt, struct target *t); /* ends oshrun with a message if it finds none */
bool launcher_on_path(const char *name);
int slurm_nodes(void); /* of the allocation, 0 outside of one */
