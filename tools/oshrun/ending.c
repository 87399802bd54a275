/* The end of each process, its consequence for the job, and the end of the other processes. */
#include "oshrun.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS ((uint64_t)1000000)
#define GRACE (500u * MS)       /* from the request to end until SIGKILL */
#define WRITING (4000u * MS)    /* additional time for PEs that write their buffered output */
#define GIVE_UP (30000u * MS)   /* a system call on a dead file system may ignore even SIGKILL */
#define JOIN_CHECK (100u * MS)
_Static_assert(GIVE_UP / MS == 30000, "times in nanoseconds need 64 bits");

void end_job(struct run *r, int code, int signal)
{
    if (r->ending)
        return;
    r->ending = true;
    r->code = code;
    r->kill_at = clock_now() + GRACE;
    r->kill_late = r->kill_at + WRITING;
    if (code)
        mpir_aborting();
    if (!r->childless)
        signal_all_below(r, signal);
}

/* Whether a PE that has received the request to end still writes its output. */
static bool writes_out(const struct run *r)
{
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].running && atomic_load(&r->job->pe[i].flushed) == JOB_FLUSHING)
            return true;
    return false;
}

/* Kills all processes left, repeatedly and with growing intervals: a process may fork while this lists the others. */
void kill_left(struct run *r)
{
    uint64_t now = clock_now();
    if (r->n_running == 0 && debug_is_at_work(r)) { /* the user examines a PE in a debugger */
        r->kill_at = now + GRACE;
        return;
    }
    if (!r->killing_since && writes_out(r) && now < r->kill_late) {
        r->kill_at = now + 10 * MS;
        return;
    }
    if (!r->killing_since)
        r->killing_since = now;
    uint64_t spent = now - r->killing_since;
    if (r->childless || spent > GIVE_UP) {
        r->kill_at = 0;
        r->gave_up = r->ended_by_signal || !r->childless;
        if (!r->childless)
            say("processes of this job are left that even SIGKILL does not end");
        return;
    }
    signal_all_below(r, SIGKILL);
    r->kill_at = now + 10 * MS + spent / 2;
}

/* Adds the missing interpreter of an existing script. */
static void add_interpreter(const char *file, char *text, size_t size)
{
    char line[PATH_MAX] = "";
    FILE *f = fopen(file, "re");
    if (f && fgets(line, sizeof line, f) && strncmp(line, "#!", 2) == 0) {
        const char *name = line + 2 + strspn(line + 2, " \t");
        snprintf(text, size, "; its first line names %.*s as its interpreter", (int)strcspn(name, " \t\r\n"), name);
    }
    if (f)
        fclose(f);
}

static bool ends_with(const char *name, const char *end)
{
    const size_t length = strlen(name), most = strlen(end);
    return length > most && strcmp(name + length - most, end) == 0;
}

/* Adds the kind of file if it cannot be executed. */
static void add_what_it_is(const char *file, const struct stat *found, char *text, size_t size)
{
    static const struct {
        const char *ending, *is;
    } kinds[] = {{".c", "C source code: compile it by oshcc"}, {".cc", "C++ source code: compile it by oshc++"},
                 {".cpp", "C++ source code: compile it by oshc++"}, {".cxx", "C++ source code: compile it by oshc++"},
                 {".f90", "Fortran source code: compile it by oshfort or caf"},
                 {".F90", "Fortran source code: compile it by oshfort or caf"},
                 {".f", "Fortran source code: compile it by oshfort or caf"},
                 {".F", "Fortran source code: compile it by oshfort or caf"},
                 {".o", "an object file: link it by what has compiled it"},
                 {".py", "a script: write python3 before it, or chmod +x"},
                 {".sh", "a script: write sh before it, or chmod +x"}};
    if (S_ISDIR(found->st_mode))
        snprintf(text, size, "; it is a folder");
    else if (!S_ISREG(found->st_mode))
        snprintf(text, size, "; it is no regular file");
    else if (!(found->st_mode & 0111))
        snprintf(text, size, "; it is a file without the permission to be executed (chmod +x)");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && S_ISREG(found->st_mode); i++)
        if (ends_with(file, kinds[i].ending))
            snprintf(text, size, "; it is %s", kinds[i].is);
}

static void say_launch_failure(const struct pe *pe)
{
    const char *name = pe->app->argv[0], *folder = pe->app->wdir ? pe->app->wdir : ".";
    char more[PATH_MAX + 50] = "", file[PATH_MAX];
    if (pe->launch_chdir) {
        say("--wdir %s: %s", pe->app->wdir, strerror(pe->launch_error));
        return;
    }
    const bool is_found = find_program(pe->app, file);
    if (!is_found)
        snprintf(file, sizeof file, "%s/%s", folder, name);
    struct stat found;
    if (!is_found && stat(file, &found) == 0 && S_ISREG(found.st_mode) && access(file, X_OK) == 0)
        snprintf(more, sizeof more, " on PATH; write ./%s for the one in %s", name,
                 pe->app->wdir ? folder : "this folder");
    else if (pe->launch_error == ENOENT)
        add_interpreter(file, more, sizeof more);
    else if (stat(file, &found) == 0)
        add_what_it_is(file, &found, more, sizeof more);
    say("%s cannot be run: %s%s", name, strerror(pe->launch_error), more);
}

/* Whether the PE is between the call of shmem_init and the return of shmem_finalize. */
static bool in_midst(int state)
{
    return state >= JOB_PE_JOINED && state < JOB_PE_FINALIZED;
}

/* Adds the kernel's reason for a SIGKILL that oshrun did not send. */
static void add_reason(const struct run *r, char *text, size_t size)
{
    const long kills = cgroup_oom_kills(&r->group);
    const size_t limit = cgroup_limit(&r->group);
    if (kills < 0)
        snprintf(text, size, "; out of memory?");
    else if (kills > r->oom_kills && limit < SIZE_MAX)
        snprintf(text, size,
                 "; out of memory? since the job began, the kernel has killed %ld for that; the limit here is %zu MiB",
                 kills - r->oom_kills, limit >> 20);
    else if (kills > r->oom_kills)
        snprintf(text, size, "; out of memory? since the job began, the kernel has killed %ld for that",
                 kills - r->oom_kills);
}

static void say_end(const struct run *r, int pe, int status, int state, const char *more)
{
    char why[200] = "";
    struct rlimit files;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        add_reason(r, why, sizeof why);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ && getrlimit(RLIMIT_FSIZE, &files) == 0)
        snprintf(why, sizeof why, files.rlim_cur == RLIM_INFINITY ? "; it had its own limit on the size of files" :
                 "; the limit on the size of files is %llu KiB (ulimit -f)", (unsigned long long)files.rlim_cur >> 10);
    if (WIFSIGNALED(status))
        say("%s %d was killed by signal %d (%s%s)%s%s", words.unit, words.first + pe, WTERMSIG(status),
            strsignal(WTERMSIG(status)), WCOREDUMP(status) ? ", core dumped" : "", why, more);
    else
        say("%s %d exited with code %d%s%s", words.unit, words.first + pe, WEXITSTATUS(status),
            in_midst(state) ? words.unfinalized : "", more);
}

/* Continues the job without this PE. A PE that called shmemx_fail has notified the others itself. */
static void go_on(struct run *r, int pe, int status, int state, int code)
{
    if (!r->death_code)
        r->death_code = code ? code : EXIT_JOB;
    if (state == JOB_PE_DEAD) {
        r->silent = true;
        if (r->opt.verbose)
            say("%s %d has failed on request", words.unit, words.first + pe);
        return;
    }
    char more[64] = "";
    if (r->n_running)
        snprintf(more, sizeof more, "; the other %s%s", words.unit, r->n_running > 1 ? "s go on" : " goes on");
    say_end(r, pe, status, state, more); /* before the other PEs notice, and print their own messages */
    atomic_store(&r->job->pe[pe].asleep_to, 0); /* no process needs to wake it */
    atomic_store(&r->job->pe[pe].state, JOB_PE_DEAD);
    job_alert(r->job);
}

/* Decides whether the end of PE pe's process ends the job. */
static void judge(struct run *r, int pe, int status)
{
    if (r->ending)
        return;
    int code = r->pe[pe].launch_chdir ? EXIT_JOB : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    const uint64_t end = atomic_load(&r->job->end);
    if (end) { /* the PE has printed the reason, or no message is wanted */
        end_job(r, job_end_code(end), SIGTERM);
        return;
    }
    int state = atomic_load(&r->job->pe[pe].state);
    if (r->opt.outlive && (state == JOB_PE_RUNNING || state == JOB_PE_FINALIZING || state == JOB_PE_DEAD)) {
        go_on(r, pe, status, state, code);
        return;
    }
    r->survived = true;
    if (code == 0 && !in_midst(state)) {
        if (!r->join_check_at)
            r->join_check_at = clock_now() + JOIN_CHECK;
        return;
    }
    if (r->code == 0 && r->pe[pe].launch_error)
        say_launch_failure(&r->pe[pe]);
    else if (r->code == 0)
        say_end(r, pe, status, state, "");
    if (r->code == 0 || (r->opt.outlive && code > r->code))
        r->code = code ? code : EXIT_JOB;
    if (state != JOB_PE_FINALIZED) /* no PE waits for a finalized PE */
        end_job(r, r->code, SIGTERM);
}

/* A PE that ends without shmem_init, or after shmem_finalize, is an error only if other PEs wait for it in
 * shmem_init. */
void check_joining(struct run *r)
{
    int ended = -1, joined = -1;
    for (int i = r->opt.n_pes; i-- > 0;) {
        int state = atomic_load(&r->job->pe[i].state);
        if (!in_midst(state) && state != JOB_PE_DEAD && !r->pe[i].running)
            ended = i;
        if (state == JOB_PE_JOINED && r->pe[i].running)
            joined = i;
    }
    r->join_check_at = r->n_running ? clock_now() + JOIN_CHECK : 0;
    if (r->ending || ended < 0 || joined < 0)
        return;
    const bool finalized = atomic_load(&r->job->pe[ended].state) == JOB_PE_FINALIZED;
    say("%s %d ended %s, where %s %d waits for it", words.unit, words.first + ended,
        finalized ? "after shmem_finalize and did not call shmem_init again" : words.no_member, words.unit,
        words.first + joined);
    end_job(r, EXIT_JOB, SIGTERM);
}

static int find_pe(const struct run *r, pid_t pid)
{
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].running && r->pe[i].pid == pid)
            return i;
    return -1; /* a process that a PE has started */
}

/* Lists the PEs that have the same message as the PE that printed it: "0, 2-5". It names PEs (not images), like the
 * library's message. */
static void say_who_agrees(struct run *r)
{
    char list[400];
    bool *agree = zeroed((size_t)r->opt.n_pes, sizeof *agree);
    int count = 0;
    for (int i = 0; i < r->opt.n_pes; i++)
        count += agree[i] = atomic_exchange(&r->job->pe[i].agrees, 0) != 0;
    list_pes(list, sizeof list, agree, r->opt.n_pes, 0);
    free(agree);
    if (count)
        say("PE%s %s found the same error as PE %d", count > 1 ? "s" : "", list, (int)r->job->speaker - 1);
}

void reap(struct run *r)
{
    int status;
    pid_t pid;
    output_move(); /* print a PE's output before messages about the PE */
    read_launch_errors(r);
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        int pe = find_pe(r, pid);
        if (pe >= 0 && WIFSTOPPED(status))
            debug_stopped(r, pe, status);
        if (pe < 0 || WIFSTOPPED(status))
            continue;
        r->pe[pe].running = false;
        r->n_running--;
        judge(r, pe, status);
    }
    if (r->n_running == 0 && !r->ending && !r->survived) {
        if (!r->code && r->silent)
            say(r->opt.n_pes > 1 ? "all %d %ss have failed" : "%d %s has failed", r->opt.n_pes, words.unit);
        r->code = r->death_code;
    }
    if (r->n_running == 0)
        say_who_agrees(r);
    r->childless = pid < 0;
    debug_look(r);
    if (r->n_running == 0 && !r->childless && !debug_is_at_work(r))
        end_job(r, r->code, SIGTERM);
}
