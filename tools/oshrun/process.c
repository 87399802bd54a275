/* The processes below oshrun, as /proc shows them.
 *
 * oshrun is a subreaper: if a PE or a wrapper script ends before its children, these become children of oshrun instead
 * of init. All processes of the job are therefore below oshrun, and no signal goes to another process, even if a number
 * in the job file is stale or comes from another PID namespace. */
#include "oshrun.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    pid_t pid, parent;
    bool below;
};

void read_text(int folder, const char *name, char *text, size_t room)
{
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = '\0';
}

/* Reads state and parent from /proc/PID/stat. They follow the command, which may contain any characters. */
static bool read_stat(pid_t pid, char *state, pid_t *parent)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    read_text(AT_FDCWD, path, text, sizeof text);
    const char *end = strrchr(text, ')');
    int p;
    if (!end || sscanf(end + 1, " %c %d", state, &p) != 2)
        return false;
    *parent = p;
    return true;
}

char process_state(pid_t pid)
{
    char state;
    pid_t parent;
    return read_stat(pid, &state, &parent) ? state : 0;
}

pid_t process_tracer(pid_t pid)
{
    char path[40], text[4096];
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    read_text(AT_FDCWD, path, text, sizeof text);
    const char *line = strstr(text, "\nTracerPid:");
    return line ? atoi(line + strlen("\nTracerPid:")) : 0;
}

/* Whether it is a descendant of oshrun. */
static bool is_below(pid_t pid)
{
    char state;
    pid_t self = getpid();
    for (int depth = 0; depth < 1000 && pid > 1; depth++) {
        pid_t parent;
        if (!read_stat(pid, &state, &parent))
            return false;
        if (parent == self)
            return true;
        pid = parent;
    }
    return false;
}

static int by_pid(const void *a, const void *b)
{
    pid_t x = ((const struct process *)a)->pid, y = ((const struct process *)b)->pid;
    return (x > y) - (x < y);
}

static struct process *list_processes(size_t *count)
{
    struct process *list = NULL;
    size_t n = 0, capacity = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        pid_t pid = atoi(entry->d_name);
        struct process p = {.pid = pid};
        char state;
        if (pid <= 0 || !read_stat(pid, &state, &p.parent))
            continue;
        if (n == capacity) {
            capacity = capacity ? 2 * capacity : 256;
            list = enlarge(list, capacity * sizeof *list);
        }
        list[n++] = p;
    }
    if (proc)
        closedir(proc);
    *count = n;
    return list;
}

/* Marks the processes below oshrun. PIDs wrap around, so a parent may follow its child in the list. Therefore the loop
 * repeats until nothing changes, usually twice. */
static void mark_below(const struct run *r, struct process *list, size_t n)
{
    if (n == 0)
        return;
    pid_t self = getpid();
    qsort(list, n, sizeof *list, by_pid);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < n; i++) {
            if (list[i].below)
                continue;
            struct process key = {.pid = list[i].parent};
            const struct process *parent = bsearch(&key, list, n, sizeof *list, by_pid);
            const bool is_child = list[i].parent == self && !debugger_is(r, list[i].pid);
            list[i].below = is_child || (parent && parent->below);
            changed |= list[i].below;
        }
    }
}

/* A stopped process handles only SIGKILL and SIGCONT, so it gets SIGCONT too. */
void signal_all_below(const struct run *r, int signal)
{
    size_t n;
    struct process *list = list_processes(&n);
    mark_below(r, list, n);
    for (size_t i = 0; i < n; i++) {
        if (!list[i].below)
            continue;
        kill(list[i].pid, signal);
        if (signal != SIGSTOP && signal != SIGKILL)
            kill(list[i].pid, SIGCONT);
    }
    free(list);
}

pid_t pe_process(struct run *r, int pe)
{
    pid_t inner = atomic_load(&r->job->pe[pe].pid);
    return inner > 0 && inner != r->pe[pe].pid && is_below(inner) ? inner : r->pe[pe].pid;
}
