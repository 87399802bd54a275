/* The limit of processes. Without this check, a job that is too large would fail only after some of its PEs have
 * started and wait for the others. */
#include "oshrun.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The lowest limit. */
struct room {
    long left, most; /* most: 0 if the limit is per group */
    const char *name;
};

static void narrow(struct room *room, const char *name, long most, long left)
{
    if (left < room->left)
        *room = (struct room){.name = name, .most = most, .left = left > 0 ? left : 0};
}

/* The number that follows a word at the beginning of a line, or -1; base 16 for masks. */
static long long number_in(const char *path, const char *word, int base)
{
    char line[256];
    long long number = -1;
    FILE *f = fopen(path, "re");
    while (f && number < 0 && fgets(line, sizeof line, f))
        if (strncmp(line, word, strlen(word)) == 0)
            number = (long long)strtoull(line + strlen(word), NULL, base);
    if (f)
        fclose(f);
    return number;
}

static long threads_of_user(void)
{
    long n = 0;
    DIR *proc = opendir("/proc");
    for (const struct dirent *entry; proc && (entry = readdir(proc));) {
        char path[sizeof entry->d_name + 16];
        snprintf(path, sizeof path, "/proc/%s/status", entry->d_name);
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9' || number_in(path, "Uid:", 10) != (long long)getuid())
            continue;
        const long long threads = number_in(path, "Threads:", 10);
        n += threads > 0 ? (long)threads : 0;
    }
    if (proc)
        closedir(proc);
    return n;
}

/* The kernel lets root and privileged processes exceed a user's limit. */
static bool is_bound_by_user_limit(void)
{
    enum { SYS_ADMIN = 21, SYS_RESOURCE = 24 };
    const long long allowed = number_in("/proc/self/status", "CapEff:", 16);
    return getuid() != 0 && allowed >= 0 && !(allowed & (1ll << SYS_ADMIN | 1ll << SYS_RESOURCE));
}

/* The number of all threads on the machine: in "0.20 0.18 0.12 1/80 11206" it is 80. */
static long threads_of_all(void)
{
    long n = 0;
    FILE *f = fopen("/proc/loadavg", "re");
    if (f && fscanf(f, "%*s %*s %*s %*d/%ld", &n) != 1)
        n = 0;
    if (f)
        fclose(f);
    return n;
}

/* The number of processes that can still be started. The user's threads are counted only near the limit, because this
 * takes milliseconds. */
static struct room find_room(rlim_t wanted)
{
    enum { FAR = 4 };
    struct room room = {.left = LONG_MAX};
    struct rlimit user;
    if (getrlimit(RLIMIT_NPROC, &user) == 0 && user.rlim_cur / FAR < wanted && user.rlim_cur < LONG_MAX &&
        is_bound_by_user_limit())
        narrow(&room, "the limit on a user's processes and threads (ulimit -u)", (long)user.rlim_cur,
               (long)user.rlim_cur - threads_of_user());
    static const char *const all[][2] = {{"/proc/sys/kernel/pid_max", "kernel.pid_max (see sysctl)"},
                                         {"/proc/sys/kernel/threads-max", "kernel.threads-max (see sysctl)"}};
    for (int i = 0; i < 2; i++) {
        const long long most = number_in(all[i][0], "", 10);
        if (most > 0)
            narrow(&room, all[i][1], (long)most, (long)most - threads_of_all());
    }
    const struct cgroup group = cgroup_find(CGROUP_LIST, CGROUP_MOUNT, "pids");
    narrow(&room, "pids.max of the control group", 0, cgroup_processes_left(&group));
    return room;
}

static const char *amount(const struct room *room, char *text, size_t size)
{
    *text = '\0';
    if (room->most)
        snprintf(text, size, " is %ld", room->most);
    return text;
}

void check_room(int n_pes)
{
    enum { SMALL = 50 }; /* jobs up to this size are not checked */
    char text[32];
    if (n_pes <= SMALL)
        return;
    const struct room room = find_room((rlim_t)n_pes);
    if (room.left < n_pes)
        die(EXIT_JOB, "%d %ss cannot be started: %s%s, which allows %ld more; start at most %ld %ss, or raise "
            "the limit", n_pes, words.unit, room.name, amount(&room, text, sizeof text), room.left, room.left,
            words.unit);
}

void say_no_room(int pe, int n_pes)
{
    enum { NEAR = 16 }; /* tolerance, because other processes start and end */
    const int error = errno;
    const struct room room = find_room(RLIM_INFINITY);
    char text[32];
    if (error == EAGAIN && room.left < NEAR)
        say("%s %d of %d cannot be started: %s; %s%s: start fewer, or raise the limit", words.unit, words.first + pe,
            n_pes, strerror(error), room.name, amount(&room, text, sizeof text));
    else
        say("%s %d of %d cannot be started: %s; start fewer", words.unit, words.first + pe, n_pes, strerror(error));
}
