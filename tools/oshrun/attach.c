/* --attach: gdb on PEs of a running job.
 *
 * The process number of its oshrun identifies a job. The job file is among the open files of that oshrun, and its PE
 * records contain the process numbers of the PEs. */
#include "debugger.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_oshrun(pid_t pid)
{
    static const char *const names[] = {"oshrun", "cafrun", "copal-oshrun", "copal-cafrun"};
    char path[32], name[32];
    snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
    read_text(AT_FDCWD, path, name, sizeof name);
    name[strcspn(name, "\n")] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* The job, if the file is the job file of that launcher; otherwise NULL. */
static struct job *job_in(int folder, const char *name, pid_t launcher)
{
    struct job head, *job = NULL;
    struct stat what;
    if (fstatat(folder, name, &what, 0) != 0 || !S_ISREG(what.st_mode))
        return NULL;
    const int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && pread(fd, &head, sizeof head, 0) == sizeof head && head.magic == JOB_MAGIC &&
        head.version == JOB_VERSION && head.launcher == launcher && head.n_pes > 0 && head.n_pes <= MAX_PES)
        job = mmap(NULL, job_bytes(head.n_pes), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    return job == MAP_FAILED ? NULL : job;
}

static struct job *job_of(pid_t launcher)
{
    char path[32];
    struct job *job = NULL;
    snprintf(path, sizeof path, "/proc/%d/fd", (int)launcher);
    DIR *files = is_oshrun(launcher) ? opendir(path) : NULL;
    for (struct dirent *entry; files && !job && (entry = readdir(files));)
        job = job_in(dirfd(files), entry->d_name, launcher);
    if (files)
        closedir(files);
    return job;
}

static void print_job(pid_t launcher, const struct job *job)
{
    char link[32], program[PATH_MAX];
    ssize_t n = -1;
    for (int i = 0; i < job->n_pes && n < 0; i++) {
        snprintf(link, sizeof link, "/proc/%d/exe", (int)job->pe[i].pid);
        n = readlink(link, program, sizeof program);
    }
    printf("%d: %d %s%s of %.*s\n", (int)launcher, job->n_pes, words.unit, job->n_pes == 1 ? "" : "s",
           n < 0 ? 40 : (int)n, n < 0 ? "a program that has not called shmem_init" : program);
}

static void list_jobs(void)
{
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *entry; proc && (entry = readdir(proc));) {
        const pid_t pid = atoi(entry->d_name);
        const struct job *job = pid > 0 ? job_of(pid) : NULL;
        if (job)
            print_job(pid, job);
        n += job != NULL;
    }
    if (proc)
        closedir(proc);
    if (!n)
        printf("no job runs here\n");
}

void attach(const struct options *opt)
{
    if (!opt->attach_job) {
        list_jobs();
        exit(0);
    }
    char *end;
    const long number = strtol(opt->attach_job, &end, 10);
    const struct job *job = number > 0 && number <= INT_MAX && !*end ? job_of((pid_t)number) : NULL;
    if (!job)
        die(EXIT_USAGE, "--attach %s: you have no running job with this number; expected the process number of an "
            "oshrun; %s --attach lists your jobs", opt->attach_job, words.tool);
    bool *chosen = debug_parse(opt->debug_list, job->n_pes);
    int n = 0, last = 0;
    for (int i = 0; i < job->n_pes; i++) {
        if (chosen[i] && job->pe[i].pid <= 0)
            die(EXIT_JOB, "%s %d has not called shmem_init, so its process is not known", words.unit, words.first + i);
        n += chosen[i];
        last = chosen[i] ? i : last;
    }
    const enum place place = debugger_place(n);
    if (place == ON_TERMINAL)
        debugger_become(words.first + last, job->pe[last].pid);
    for (int i = 0; i < job->n_pes; i++)
        if (chosen[i])
            debugger_start(place, words.first + i, job->pe[i].pid, NULL);
    debugger_say_where(place);
    free(chosen);
    exit(0);
}
