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
#ifndef COPAL_PMIX_H /* not a pragma: tests/fuzz/door.c replaces what needs PMIx */
#define COPAL_PMIX_H

#include "boot/boot.h"

#include <pmix.h>
#include <stdatomic.h>
#include <stdbool.h>
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
};
extern struct launch pmix_launch; /* keys.c */

/* keys.c: values that PEs publish through the launcher. */

pmix_status_t pmix_put_value(pmix_scope_t scope, const char *name, const void *bytes, size_t n);

/* The value that a PE put before the fence; its size, or 0 and *why. pmix_await_value waits for a value that a PE of
 * this host puts without a fence. */
size_t pmix_get_value(int pe, const char *name, void *bytes, size_t room, const char **why);
size_t pmix_await_value(int pe, const char *name, void *bytes, size_t room, const char **why);

/* Copies all PEs' values, for use after this process has left the launcher. */
void pmix_keep_values(void);
void pmix_drop_values(void);

/* layout.c: the hosts of the PEs. */

/* Fills pmix_launch.run, pmix_launch.n_nodes and pmix_launch.own_node. NULL, or a sentence. */
const char *layout_find(void);
void layout_forget(void);

int layout_node_of(int pe); /* the PE's node, as an index of pmix_launch.run */

/* members.c: state that the PEs of a node share without the launcher, in memory that the first PE makes and all map. */

enum member_state { MEMBER_JOINED, MEMBER_ENDED, MEMBER_DEAD };
struct members {
    _Atomic int keeper; /* index of the node's watcher: the PE that watches the next node (lifeline.c) */
    struct member {
        _Atomic int pid;   /* 0: has not joined */
        _Atomic int state; /* enum member_state */
        _Atomic bool told; /* a PE has finished reporting its death */
    } of[];
};
extern struct members *pmix_members; /* NULL: not mapped */

int members_make(void);    /* in the node's first PE: a descriptor that members_leave closes, or -1 */
bool members_map(int fd);  /* maps the memory and joins; does not close fd */
void members_leave(void);
int members_index(void);   /* of this PE */

/* watch.c: the failure detector's thread. */

void watch_start(void (*died)(int pe, const char *why));
void watch_end(void);

#endif
