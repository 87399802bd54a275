/* The control group in which this process runs, as a container or a batch system sets it up: how much memory it may
 * use, whether the kernel has ended processes of it for want of memory, how many processes it may have, and how much
 * time of processors. oshrun shares it. */
#ifndef COPAL_CGROUP_H
#define COPAL_CGROUP_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* A folder for each group, within those of the groups that hold it. */
struct cgroup {
    char folder[PATH_MAX];
    size_t root;          /* bytes of folder that name the outermost group */
    const char *limit;    /* the file that holds the limit */
    const char *events;   /* the file that counts the processes ended */
};

/* By the kernel's list of this process's groups, the folder where groups are mounted, and what is asked of it:
 * "memory", "pids" or "cpu". */
#define CGROUP_LIST "/proc/self/cgroup"
#define CGROUP_MOUNT "/sys/fs/cgroup"
struct cgroup cgroup_find(const char *list, const char *mount, const char *controller);

/* Bytes: the least that a group on the way to the outermost allows. SIZE_MAX if none says. */
size_t cgroup_limit(const struct cgroup *group);

/* How many more processes and threads a group of "pids" may have, or one that holds it; LONG_MAX if none says. */
long cgroup_processes_left(const struct cgroup *group);

/* How many processors' time a group of "cpu" gets, or one that holds it, rounded up; INT_MAX if none says. */
int cgroup_quota(const struct cgroup *group);

/* So many, or what this process's group gets, if it is less. */
int cgroup_processors(int wanted);

/* What tells groups apart among which the kernel divides processors before it does so among their processes: a group of
 * "cpu", or where this process is in none its autogroup, which each session is if /proc/sys/kernel says so. 0: neither.
 * To yield gives nothing to a process of another such group. */
#define CGROUP_AUTO_SWITCH "/proc/sys/kernel/sched_autogroup_enabled"
#define CGROUP_AUTO "/proc/self/autogroup"
uint64_t cgroup_scheduling(const struct cgroup *group, const char *auto_switch, const char *autogroup);

/* -1 if the kernel does not say. */
long cgroup_oom_kills(const struct cgroup *group);

#endif
