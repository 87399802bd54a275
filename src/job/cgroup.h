/* The control group of this process, which a container or a batch system sets up: its limits of memory, processes and
 * processor time, and the number of processes that the kernel has ended because memory ran out. Also part of oshrun. */
#pragma once

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

/* A group is a folder, inside the folders of the groups that contain it. */
struct cgroup {
    char folder[PATH_MAX];
    size_t root;          /* bytes of folder that name the outermost group */
    const char *limit;    /* the file that holds the limit */
    const char *events;   /* the file that counts processes ended for lack of memory */
};

/* list: the kernel's list of this process's groups; mount: the folder of the groups; controller: "memory", "pids" or
 * "cpu". */
#define CGROUP_LIST "/proc/self/cgroup"
#define CGROUP_MOUNT "/sys/fs/cgroup"
struct cgroup cgroup_find(const char *list, const char *mount, const char *controller);

/* Bytes: the least limit of the group and of the groups that contain it. SIZE_MAX if there is none. */
size_t cgroup_limit(const struct cgroup *group);

/* The number of further processes and threads that a group of "pids", and the groups that contain it, allow; LONG_MAX
 * if there is no limit. */
long cgroup_processes_left(const struct cgroup *group);

/* The least quota of a group of "cpu" and of the groups that contain it, in processors, rounded up; INT_MAX if none. */
int cgroup_quota(const struct cgroup *group);

/* The smaller of `wanted` and the quota of this process's group. */
int cgroup_processors(int wanted);

/* The scheduling group: the kernel divides processors among these groups first, then among the processes of a group. It
 * is the group of "cpu". If there is none, it is the session's autogroup, if /proc/sys/kernel enables autogroups. 0:
 * neither. A yield may not pass the processor to a process of another scheduling group. */
#define CGROUP_AUTO_SWITCH "/proc/sys/kernel/sched_autogroup_enabled"
#define CGROUP_AUTO "/proc/self/autogroup"
uint64_t cgroup_scheduling(const struct cgroup *group, const char *auto_switch, const char *autogroup);

/* Processes ended for lack of memory; -1 if unknown. */
long cgroup_oom_kills(const struct cgroup *group);
