/* oshrun, the launcher of one node, which hands over to another one for more.
 *
 *   options.c  the command line: which executables, how many PEs, how
 *   allocation.c  how many PEs a batch system has room for, and on which hosts
 *   hosts.c    --hosts: which hosts, and how many PEs on each
 *   launcher.c which launcher starts a job that spans nodes
 *   handover.c and its command line
 *   preload.c  libraries that the PEs load before others
 *   fabric.c   --fabric: the emulated network's name and clock
 *   races.c    --races: the file that the PEs share for it, and the exit code
 *   profile.c  --profile and --trace
 *   foreign.c  programs of another runtime
 *   bind.c     which CPUs each PE may use
 *   network.c  a network of the job's own, where nodes are made of this machine
 *   launch.c   the job file and the processes
 *   process_limit.c how many processes there may be
 *   output.c   the PEs' output, line by line
 *   ending.c   who ended how, what that means for the job, and how the rest is ended
 *   process.c  the processes below oshrun, as /proc shows them
 *   debug.c    --debug: PEs that wait for their debuggers
 *   debugger.c gdb, on the terminal or in windows
 *   attach.c   --attach: jobs that run
 *   mpir.c     which processes there are, for parallel debuggers
 *   waits.c    for whom a PE waits
 *   deadlock.c whether PEs wait for each other for ever
 *   threads.c  what the threads of a PE wait for
 *   report.c   what the PEs do
 *   say.c      what oshrun says
 *   inherited.c what the PEs inherit, and oshrun changes for itself
 *   main.c     the loop that waits for all of this
 *
 * With the library oshrun shares the job file (src/job/job.h, with alert.c and nameless.c),
 * cgroup.c, and the table of settings.  Under
 * the name cafrun it speaks of images, which count from 1, and its jobs outlive their images. */
#ifndef COPAL_OSHRUN_H
#define COPAL_OSHRUN_H

#include "common/clock.h"
#include "common/path.h"
#include "job/cgroup.h"
#include "job/job.h"
#include "job/settings.h"

#include <limits.h>
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
    EXIT_DEADLOCK = 125, /* with --watch */
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
    const char *waiting, *idle, *finalized, *unfinalized, *no_member; /* what they do, or did not before they ended */
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
    const char *profile;       /* the folder of the profile; empty: named after the program; NULL: none */
    bool trace, dry_run;
    bool debug, attach;
    const char *debug_list, *attach_job; /* of those two, or NULL */
    bool races, races_log;  /* to be looked for; to be told of, and no more */
    const char *suppress;   /* a file of races that are known, or NULL */
    double watch, timeout; /* seconds; 0: not asked for */
};

/* A PE that does not begin before a debugger has it: it is to be stopped at its first instruction, is so, has been
 * found with a debugger. */
enum hold { HOLD_NOT, HOLD_WANTED, HOLD_STOPPED, HOLD_TRACED };

/* A PE that seems to wait for ever, or has ended: since when it has been seen so at each look. */
struct standstill {
    uint64_t since; /* CLOCK_MONOTONIC ns; 0: it may go on */
    bool running;
    uint32_t number, turns; /* of its wait, at the first look */
    const char *but;        /* what speaks against it, or NULL */
};

struct pe {
    const struct app *app;
    pid_t pid;
    bool running;
    int launch_error; /* errno of the step between fork and exec that failed, or 0 */
    bool launch_chdir; /* that step was --wdir's */
    bool debugged;     /* it gets a debugger */
    enum hold hold;
    pid_t debugger;    /* or 0 */
    struct standstill standstill;
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
    bool silent;            /* one that died has done so on purpose, of which nothing is said */
    bool ending;            /* every process has been asked to end */
    bool ended_by_signal;   /* by a signal to oshrun: from then on output that nobody takes is dropped */
    bool gave_up;           /* what is left cannot be ended, or not be written */
    uint64_t kill_at;       /* when asking is over; this and the following are CLOCK_MONOTONIC ns, 0: never */
    uint64_t kill_late;     /* when it is over also for who writes out what it had printed */
    uint64_t killing_since;
    uint64_t timeout_at, watch_at, report_at, join_check_at;
    uint64_t look_at;       /* for deadlocks */
    uint64_t asked_at;      /* a report has been asked for, and is due then */
    bool deadlock_said;     /* without being asked */

    bool holds, begun;      /* there are PEs that are held; and debuggers know of them */
    bool own_groups;        /* what is typed at the terminal reaches no PE: a debugger has it */
    uint64_t holds_look_at;
};

/* options.c */
void parse_options(int argc, char **argv, struct options *opt); /* and sets words */

/* allocation.c */
bool is_launched(void); /* by a launcher, as one of the processes of a job: oshrun starts a job of its own, here */
int allocation_size(void);          /* how many PEs; 0: none, or not known */
const char *allocation_hosts(void); /* as --hosts takes them, where PBS, LSF or Grid Engine gave several; or NULL */

/* foreign.c */
void say_if_foreign(const struct app *app);

/* hosts.c */
void settle_own_hosts(struct options *opt); /* hosts that are this one are none */

/* handover.c */
void hand_over(const struct options *opt); /* becomes the launcher; returns if the job is oshrun's own */

/* preload.c */
bool find_in_lib(char path[], const char *name); /* PATH_MAX characters; false: path is where it ought to be */
bool find_tool(char path[], const char *name);   /* beside oshrun */
/* In all executables' environment; with a separator in front of what is there. */
void set_for_pes(const struct options *opt, const char *name, const char *value, char separator);
void preload(const struct options *opt, const char *name, const char *user); /* user: what needs it */
void use_tapped_libraries(const struct options *opt); /* of coarrays, where they are installed */

/* profile.c */
void profile_begin(const struct options *opt);
void profile_say_later(void); /* where another launcher sees the job through */
void profile_end(void);

/* fabric.c */
void set_fabric(const struct options *opt); /* or as the environment says */

/* races.c */
void set_races(struct options *opt, const char *arg, const char *value);
void begin_races(struct run *r);
void end_races(struct run *r); /* all PEs have ended */

/* bind.c */
void bind_plan(enum bind how, int n_pes);
void bind_self(int pe);                                 /* called by the child that becomes this PE */
const char *bind_text(int pe, char *text, size_t size); /* "CPUs 0-3" */

/* launch.c */
void create_job(struct run *r);
bool launch_pes(struct run *r); /* false: there was no room for all */
void read_launch_errors(struct run *r);

/* inherited.c */
int take_signals(struct inherited *inherited); /* the descriptor by which they come */
void restore_inherited(const struct inherited *inherited); /* in a child, before exec */

/* network.c */
void network_begin(struct run *r); /* when there is the job file, and before the PEs */

/* process_limit.c */
void check_room(int n_pes);            /* or the end, with a sentence */
void say_no_room(int pe, int n_pes);   /* for this one, by errno */

/* output.c */
void output_start(int n_pes, bool tag);
bool output_pipes(int pe, int writer[2]); /* what PE pe's stdout and stderr are to be, -1: as they are; false: no
                                           * more files */
size_t output_max_polls(void);
size_t output_polls(struct pollfd *polls);
void output_move(void);                              /* pass on what is there, without waiting */
void output_close(void);                             /* nobody writes any more: what is in the pipes is the rest */
bool output_idle(void);                              /* nothing left to pass on */
bool output_message(const char *text, size_t bytes); /* to stderr, between two lines; false: it is to be written */

/* ending.c */
void reap(struct run *r);
void check_joining(struct run *r);
void end_job(struct run *r, int code, int signal); /* signal: what to ask the processes to end with */
void kill_left(struct run *r);

/* stale_shm.c */
void remove_left(const struct run *r); /* all PEs have ended: files of those that were killed */

/* process.c */
char process_state(pid_t pid); /* the letter of proc(5), or 0 */
pid_t process_tracer(pid_t pid); /* the debugger that has it, or 0 */
bool is_below(pid_t pid);      /* a descendant of oshrun */
pid_t pe_process(struct run *r, int pe); /* that is the PE, perhaps behind a wrapper */
void signal_all_below(const struct run *r, int signal); /* but not debuggers, and what belongs to them */

/* waits.c */
double seconds_waited(const struct run *r, int pe); /* by a PE that waits in the library; else 0 */
void report_awaited(struct run *r, int pe, FILE *out);
bool can_go_on(const struct run *r, int pe, const bool *stuck); /* if only those that are not stuck do */

/* deadlock.c */
#define DEADLOCK_LOOKS_APART 500000000u /* ns */
void deadlock_look(struct run *r);
bool deadlock_is_unclear(struct run *r); /* there seems to be one, which a later look may prove */
double deadlock_seconds(struct run *r);  /* for so long all its PEs have waited; 0: none is proven */
void report_deadlock(struct run *r, FILE *out);

/* threads.c */
/* Of a process that waits in the library with `waiting` of its threads: why it may go on by itself, or NULL. */
const char *process_may_go_on(pid_t pid, const struct job_pe *pe, int waiting);

/* debug.c */
void debug_plan(struct run *r);         /* before the PEs are launched: which of them are held, if any */
void debug_hold_self(int pe);           /* in the child that becomes that PE */
void debug_stopped(struct run *r, int pe, int status); /* it has been traced, and stopped */
void debug_look(struct run *r);         /* now and then: starts debuggers, and lets go on what they have left */
bool debug_is_at_work(const struct run *r); /* a debugger that is oshrun's child lives: the user ends it */
void debug_end(const struct run *r);        /* those too are to end */
bool debug_is_traced(struct run *r);        /* a PE is held, or somebody's debugger has it: its time does not count */

/* debugger.c */
void debugger_tidy(void); /* they have ended */
bool debugger_is(const struct run *r, pid_t pid);

/* attach.c */
_Noreturn void attach(const struct options *opt);

/* mpir.c */
extern volatile int MPIR_being_debugged;
void mpir_spawned(struct run *r);
void mpir_aborting(void);

/* report.c */
void report(struct run *r);
double longest_wait(struct run *r); /* seconds */

/* say.c */
__attribute__((format(printf, 1, 2))) void say(const char *fmt, ...);
extern bool (*say_between)(const char *text, size_t bytes); /* output_message, when there is output; or NULL */
__attribute__((format(printf, 2, 3), noreturn)) void die(int code, const char *fmt, ...);
__attribute__((noreturn)) void no_memory(void);
void *enlarge(void *list, size_t bytes); /* realloc and calloc that never fail: they end oshrun with a sentence */
void *zeroed(size_t n, size_t bytes);
void list_pes(char *text, size_t room, const bool *listed, int n_pes, int first); /* "0, 2-5" */
int parse_count(const char *arg, const char *value); /* a number of PEs, or the end */

#endif
