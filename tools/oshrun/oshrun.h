/* oshrun, the launcher of one node, which hands over to another one for more.
 *
 *   options.c  the command line: which executables, how many PEs, how
 *   hosts.c    --hosts: which hosts, and how many PEs on each
 *   launcher.c which launcher starts a job that spans nodes
 *   handover.c and its command line
 *   fabric.c   --fabric: the emulated network's name and clock
 *   bind.c     which CPUs each PE may use
 *   launch.c   the job file and the processes
 *   output.c   --tag: the PEs' output, line by line
 *   ending.c   who ended how, what that means for the job, and how the rest is ended
 *   process.c  the processes below oshrun, as /proc shows them
 *   waits.c    for whom a PE waits, and whether that ever ends
 *   report.c   what oshrun says, and what the PEs do
 *   main.c     the loop that waits for all of this
 *
 * With the library oshrun shares the job file (src/job/job.h, with alert.c and nameless.c),
 * cgroup.c, and the table of settings.  Under
 * the name cafrun it speaks of images, which count from 1, and its jobs outlive their images. */
#ifndef COPAL_OSHRUN_H
#define COPAL_OSHRUN_H

#include "job/cgroup.h"
#include "job/job.h"
#include "job/settings.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>

/* Exit codes of oshrun's own making; all others are a PE's, or 128 + a signal. */
enum {
    EXIT_JOB = 1,     /* the job could not be run, or a PE left without shmem_finalize */
    EXIT_USAGE = 2,   /* the command line is wrong */
    EXIT_TIMEOUT = 124,
    EXIT_CANNOT_RUN = 126,
    EXIT_NOT_FOUND = 127,
};

enum { MAX_PES = 100000 };

enum bind { BIND_SHARE, BIND_CORE, BIND_NUMA, BIND_NONE };

/* Who starts the processes: LOCAL is oshrun itself, ANY what the environment suggests. */
enum launcher { LAUNCHER_ANY, LAUNCHER_LOCAL, LAUNCHER_SRUN, LAUNCHER_MPIRUN, LAUNCHER_PRTERUN };

/* What the program calls itself, and what it calls the processes: PE 0 is image 1. */
struct words {
    const char *tool, *unit, *job;
    int first;
    const char *waiting, *idle, *finalized, *unfinalized; /* what the processes do, or did not do before they ended */
};
extern struct words words;

/* One executable, between the colons of the command line. */
struct app {
    int n_pes;
    const char *wdir; /* or NULL */
    char **env;       /* NAME=VALUE, n_env of them */
    int n_env;
    char **argv; /* NULL-terminated */
};

struct options {
    struct app *apps;
    int n_apps;
    int n_pes; /* of all executables together */
    struct app all; /* its env is for all of them */
    enum bind bind;
    bool tag, verbose, outlive;
    enum launcher launcher;
    const char *hosts, *nodes; /* as given, or NULL */
    int per_node;              /* PEs on each node, or 0 */
    const char *fabric;        /* the network that is emulated, or NULL */
    bool dry_run;
    double watch, timeout; /* seconds; 0: not asked for */
};

struct pe {
    const struct app *app;
    pid_t pid;
    bool running;
    int launch_error; /* errno of the step between fork and exec that failed, or 0 */
    bool launch_chdir; /* that step was --wdir's */
};

/* What the processes inherit changed by oshrun for itself, to be put back before exec. */
struct inherited {
    sigset_t mask;
    struct sigaction on_pipe, on_file_size;
    struct rlimit files;
};

struct run {
    struct options opt;
    struct inherited inherited;
    pid_t self;
    struct job *job;
    int job_fd;
    int launch_errors, launch_error_writer; /* pipe on which a child says why it cannot become its PE */
    struct cgroup group; /* whose memory the PEs share */
    long oom_kills;      /* in it, before the job began */
    struct pe *pe;
    int n_running;  /* PEs whose process has not ended */
    bool childless; /* and no other process is left below oshrun */

    int code;               /* exit code of the job, 0 until something has failed */
    int death_code;         /* in a job that outlives its PEs: of the first that died */
    bool survived;          /* and whether any has ended otherwise */
    bool ending;            /* every process has been asked to end */
    bool ended_by_signal;   /* by a signal to oshrun: from then on output that nobody takes is dropped */
    bool gave_up;           /* what is left cannot be ended, or not be written */
    uint64_t kill_at;       /* when asking is over; this and the following are CLOCK_MONOTONIC ns, 0: never */
    uint64_t killing_since;
    uint64_t timeout_at, watch_at, report_at, join_check_at;
    bool deadlock_said;     /* by --watch, as soon as it was seen */
};

/* options.c */
void parse_options(int argc, char **argv, struct options *opt); /* and sets words */

/* handover.c */
void hand_over(const struct options *opt); /* becomes the launcher; returns if the job is oshrun's own */

/* fabric.c */
void set_fabric(const char *fabric); /* NULL: the environment may have set one */

/* bind.c */
void bind_plan(enum bind how, int n_pes);
void bind_self(int pe);                                 /* called by the child that becomes this PE */
const char *bind_text(int pe, char *text, size_t size); /* "CPUs 0-3" */

/* launch.c */
void create_job(struct run *r);
void launch_pes(struct run *r);
void read_launch_errors(struct run *r);

/* output.c */
void output_start(int n_pes);
bool output_pipes(int pe, int writer[2]); /* what PE pe's stdout and stderr are to be; false: no more files */
size_t output_max_polls(void);
size_t output_polls(struct pollfd *polls);
void output_move(void);                              /* pass on what is there, without waiting */
void output_close(void);                             /* nobody writes any more: what is in the pipes is the rest */
bool output_idle(void);                              /* nothing left to pass on */
bool output_message(const char *text, size_t bytes); /* to stderr, between two lines; false: not tagging */

/* ending.c */
void reap(struct run *r);
void check_joining(struct run *r);
void end_job(struct run *r, int code, int signal); /* signal: what to ask the processes to end with */
void kill_left(struct run *r);

/* process.c */
char process_state(pid_t pid); /* the letter of proc(5), or 0 */
bool is_below(pid_t pid);      /* a descendant of oshrun */
void signal_all_below(int signal);

/* waits.c */
double seconds_waited(const struct run *r, int pe); /* by a PE that waits in the library; else 0 */
void report_awaited(struct run *r, int pe, FILE *out);
bool is_deadlocked(struct run *r, double seconds); /* some PEs wait for each other, and have for so long */
void report_deadlock(struct run *r, FILE *out);

/* report.c */
__attribute__((format(printf, 1, 2))) void say(const char *fmt, ...);
__attribute__((format(printf, 2, 3), noreturn)) void die(int code, const char *fmt, ...);
__attribute__((noreturn)) void no_memory(void);
void *enlarge(void *list, size_t bytes); /* realloc and calloc that never fail: they end oshrun with a sentence */
void *zeroed(size_t n, size_t bytes);
void report(struct run *r);
double longest_wait(struct run *r); /* seconds */
uint64_t now_ns(void);
pid_t pe_process(struct run *r, int pe); /* the process that is the PE, perhaps behind a wrapper */

#endif
