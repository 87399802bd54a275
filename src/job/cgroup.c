#include "job/cgroup.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A line of version 1 ("4:memory:/batch/job") has priority over the line of version 2 ("0::/batch/job"), which then
 * does not have this controller. */
static int version_of(const char *controllers, const char *wanted)
{
    const size_t length = strlen(wanted);
    if (*controllers == '\0')
        return 2;
    for (const char *at = controllers; at; at = strchr(at, ','))
        if (strncmp(at += *at == ',', wanted, length) == 0 && (!at[length] || at[length] == ','))
            return 1;
    return 0;
}

struct cgroup cgroup_find(const char *list, const char *mount, const char *controller)
{
    struct cgroup group = {.limit = "memory.max", .events = "memory.events"};
    int found = 3;
    char line[PATH_MAX + 100];
    FILE *f = fopen(list, "re");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        *path++ = '\0';
        const int version = version_of(controllers + 1, controller);
        if (version == 0 || version > found)
            continue;
        found = version;
        group.root = (size_t)snprintf(group.folder, sizeof group.folder, "%s%s%s", mount, version == 1 ? "/" : "",
                                      version == 1 ? controller : "");
        snprintf(group.folder + group.root, sizeof group.folder - group.root, "%s", strcmp(path, "/") ? path : "");
    }
    if (f)
        fclose(f);
    if (found == 1) {
        group.limit = "memory.limit_in_bytes";
        group.events = "memory.oom_control";
    }
    return group;
}

/* The number after this word in the file, or its first number if the word is empty; -1 if there is none ("max"). */
static long long number_in(const char *folder, int length, const char *name, const char *word)
{
    char path[PATH_MAX + 100], line[200];
    long long number = -1;
    snprintf(path, sizeof path, "%.*s/%s", length, folder, name);
    FILE *f = fopen(path, "re");
    while (f && number < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, word, strlen(word)) == 0 && sscanf(line + strlen(word), "%lld", &number) != 1)
            number = -1;
    if (f)
        fclose(f);
    return number;
}

/* length: that of a group's folder name. Returns the length for the group that contains this group, or 0 if this group
 * is the outermost one. In a container the path may be the host's: then only the outermost folder exists. */
static size_t outwards(const struct cgroup *group, size_t length)
{
    if (length <= group->root)
        return 0;
    while (length > group->root && group->folder[--length] != '/')
        ;
    return length;
}

size_t cgroup_limit(const struct cgroup *group)
{
    size_t least = SIZE_MAX;
    for (size_t length = strlen(group->folder); length; length = outwards(group, length)) {
        const long long limit = number_in(group->folder, (int)length, group->limit, "");
        if (limit >= 0 && limit < LLONG_MAX / 2 && (size_t)limit < least) /* version 1: huge means no limit */
            least = (size_t)limit;
    }
    return least;
}

long cgroup_processes_left(const struct cgroup *group)
{
    long long least = LONG_MAX;
    for (size_t length = strlen(group->folder); length; length = outwards(group, length)) {
        const long long limit = number_in(group->folder, (int)length, "pids.max", "");
        const long long used = number_in(group->folder, (int)length, "pids.current", "");
        if (limit >= 0 && used >= 0 && limit - used < least)
            least = limit > used ? limit - used : 0;
    }
    return (long)least;
}

/* Version 2 has quota and period in one file: "200000 100000", or "max 100000". */
static int quota_in(const char *folder, int length)
{
    char path[PATH_MAX + 100];
    long long quota = number_in(folder, length, "cpu.cfs_quota_us", "");
    long long period = quota > 0 ? number_in(folder, length, "cpu.cfs_period_us", "") : -1;
    snprintf(path, sizeof path, "%.*s/cpu.max", length, folder);
    FILE *f = fopen(path, "re");
    if (f && fscanf(f, "%lld %lld", &quota, &period) != 2)
        quota = -1;
    if (f)
        fclose(f);
    return quota > 0 && period > 0 && quota / period < INT_MAX ? (int)((quota + period - 1) / period) : INT_MAX;
}

int cgroup_quota(const struct cgroup *group)
{
    int least = INT_MAX;
    for (size_t length = strlen(group->folder); length; length = outwards(group, length)) {
        const int quota = quota_in(group->folder, (int)length);
        least = quota < least ? quota : least;
    }
    return least;
}

int cgroup_processors(int wanted)
{
    if (wanted <= 1)
        return wanted;
    const struct cgroup group = cgroup_find(CGROUP_LIST, CGROUP_MOUNT, "cpu");
    const int quota = cgroup_quota(&group);
    return quota < wanted ? quota : wanted;
}

uint64_t cgroup_scheduling(const struct cgroup *group, const char *auto_switch, const char *autogroup)
{
    struct stat folder;
    for (size_t length = strlen(group->folder); length; length = outwards(group, length)) {
        char path[PATH_MAX], root[PATH_MAX + 20];
        snprintf(path, sizeof path, "%.*s", (int)length, group->folder);
        snprintf(root, sizeof root, "%s/release_agent", path); /* version 1's outermost group does not count */
        const bool shares = number_in(path, (int)length, "cpu.weight", "") >= 0 ||
                            number_in(path, (int)length, "cpu.shares", "") >= 0;
        if (shares && access(root, F_OK) != 0 && stat(path, &folder) == 0)
            return (uint64_t)folder.st_ino;
    }
    int is_on = 0;
    unsigned long long number = 0;
    FILE *f = fopen(auto_switch, "re");
    if (f && fscanf(f, "%d", &is_on) != 1)
        is_on = 0;
    if (f)
        fclose(f);
    if (is_on && (f = fopen(autogroup, "re"))) {
        if (fscanf(f, "/autogroup-%llu", &number) != 1)
            number = 0;
        fclose(f);
    }
    return number;
}

long cgroup_oom_kills(const struct cgroup *group)
{
    const long long ended = number_in(group->folder, (int)strlen(group->folder), group->events, "oom_kill ");
    return (long)(ended >= 0 ? ended : number_in("/proc", 5, "vmstat", "oom_kill "));
}
