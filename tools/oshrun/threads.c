/* What the threads of a PE wait for. A thread that sleeps without a time limit on a futex of its process waits for
 * another thread of the process: for example OpenMP's idle threads, OpenMP barriers and pthread_join. Waits of the
 * library have a time limit. */
#include "oshrun.h"

#include <dirent.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

/* The kernel's file (proc(5)) has the number of the system call and its arguments, or "running". */
static bool waits_for_a_thread(int folder, const char *thread)
{
    char path[300], text[300];
    long number;
    unsigned long address, operation, value, limit;
    snprintf(path, sizeof path, "%s/syscall", thread);
    read_text(folder, path, text, sizeof text);
    if (sscanf(text, "%ld %lx %lx %lx %lx", &number, &address, &operation, &value, &limit) != 5 ||
        number != SYS_futex || limit != 0)
        return false;
    const unsigned long command = operation & FUTEX_CMD_MASK;
    return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET || command == FUTEX_LOCK_PI;
}

static bool has_ended(int folder, const char *thread)
{
    char path[300], text[512];
    snprintf(path, sizeof path, "%s/stat", thread);
    read_text(folder, path, text, sizeof text);
    const char *end = strrchr(text, ')');
    return !end || strchr("ZX", end[2]);
}

static bool is_own(const struct job_pe *pe, int thread)
{
    for (int i = 0; i < JOB_OWN_THREADS; i++)
        if (pe->own_threads[i] == thread)
            return true;
    return false;
}

const char *process_may_go_on(pid_t pid, const struct job_pe *pe, int waiting)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    int others = -waiting;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int thread = atoi(entry->d_name);
        others += thread > 0 && !is_own(pe, thread) && !waits_for_a_thread(dirfd(folder), entry->d_name) &&
                  !has_ended(dirfd(folder), entry->d_name);
    }
    if (!folder)
        return "its threads are not known";
    closedir(folder);
    if (others > 0)
        return "another of its threads may continue";
    return waiting > 1 ? "another of its threads waits too" : NULL;
}
