/* oshrun launches jobs on one node, and uses another launcher for several nodes.
 *
 * options.c  the command line: executables, number of PEs, options
 * allocation.c  a batch system's processes and hosts
 * hosts.c    --hosts: the hosts, and the number of PEs on each
 * launcher.c the choice of a launcher for a job that spans nodes
 * handover.c the command line of that launcher
 * command.c  command lines
 * preload.c  libraries that the PEs load before others
 * fabric.c   --fabric: the emulated network's name and clock
 * races.c    --races: the shared file of the PEs, and the exit code
 * profile.c  --profile and --trace
 * foreign.c  programs of another runtime
 * bind.c     the CPUs of each PE
 * network.c  the job's own network, if this machine acts as several nodes
 * launch.c   the job file and the processes
 * process_limit.c the limit of processes
 * output.c   the PEs' output, line by line
 * ending.c   the end of processes and of the job
 * process.c  the processes below oshrun, as /proc shows them
 * debug.c    --debug: PEs that wait for their debuggers
 * debugger.c gdb, on the terminal or in windows
 * attach.c   --attach: running jobs
 * mpir.c     the processes, for parallel debuggers
 * waits.c    which PE each PE waits for
 * deadlock.c detects PEs that wait for each other for ever
 * threads.c  what the threads of a PE wait for
 * report.c   what the PEs do
 * say.c      messages
 * inherited.c process settings that oshrun changes for itself and restores in the PEs
 * main.c     the event loop
 *
 * oshrun shares with the library the job file (src/job/job.h, with alert.c and nameless.c), cgroup.c, and the table of
 * settings. Under the name cafrun, its messages say images (counted from 1), and its jobs outlive their images. */
#pragma once

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

/* oshrun's own exit codes. Any other code is a PE's, or 128 + a signal. */
enum {
    EXIT_JOB = 1,     /* the job could not be run, or a PE ended without shmem_finalize */
    EXIT_USAGE = 2,   /* the command line is wrong */
    EXIT_TIMEOUT = 124,
    EXIT_DEADLOCK = 125, /* with --watch */
    EXIT_CANNOT_RUN = 126,
    EXIT_NOT_FOUND = 127,
};

enum { MAX_PES = 100000 };

enum bind { BIND_SHARE, BIND_CORE, BIND_NUMA, BIND_NONE };

/* The launcher of the processes: LOCAL is oshrun itself; ANY is chosen by the environment. */
enum launcher { LAUNCHER_ANY, LAUNCHER_LOCAL, LAUNCHER_SRUN, LAUNCHER_MPIRUN, LAUNCHER_PRTERUN };

/* oshrun's or cafrun's name, and its words for processes: PE 0 is image 1. */
struct words {
    const char *tool, *unit, *job;
    int first;
    const char *waiting, *idle, *finalized, *unfinalized, *no_member; /* states of PEs, as messages name them */
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
    struct app all; /* only env is used: variables of all executables */
    enum bind bind;
    bool tag, verbose, outlive;
    enum launcher launcher;
    const char *hosts, *nodes; /* as given, or NULL */
    int per_node;              /* PEs on each node, or 0 */
    const char *fabric;        /* the emulated network, or NULL */
    const char *profile;       /* the folder of the profile; empty: named after the program; NULL: none */
    bool trace, dry_run;
    bool debug, attach;
    const char *debug_list, *attach_job; /* values of --debug and --attach, or NULL */
    bool races, races_log;  /* detect races; races do not change the exit code */
    const char *suppress;   /* a file of known races, or NULL */
    double watch, timeout; /* seconds; 0: not set */
};

/* The states of a PE: not held for a debugger; to be held; stopped at its first instruction; under its debugger. */
enum hold { HOLD_NOT, HOLD_WANTED, HOLD_STOPPED, HOLD_TRACED };

/* A PE that seems to wait for ever, or has ended. */
struct standstill {
    uint64_t since; /* time of the first look that found this, CLOCK_MONOTONIC ns; 0: it may continue */
    bool running;
    uint32_t number, turns; /* job_wait's, at the first look */
    const char *but;        /* the reason why it is no deadlock, or NULL */
};

struct pe {
    const struct app *app;
    pid_t pid;
    bool running;
    int launch_error; /* errno of the step between fork and exec that failed, or 0 */
    bool launch_chdir; /* the failed step was the change to --wdir */
    bool debugged;     /* the PE gets a debugger */
    enum hold hold;
    pid_t debugger;    /* its process, or 0 */
    struct standstill standstill;
};

/* Settings that oshrun changes for itself, to be restored before exec. */
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
    int launch_errors, launch_error_writer; /* pipe: a child's error before exec */
    struct cgroup group; /* contains the PEs' memory */
    long oom_kills;      /* of this group before the job began */
    struct pe *pe;
    int n_running;  /* PEs whose process has not ended */
    bool childless; /* no process at all is left below oshrun */

    int code;               /* exit code of the job, 0 until something has failed */
    int death_code;         /* in a job that outlives its PEs: exit code of the first PE that died */
    bool survived;          /* in such a job: a PE has ended normally */
    bool silent;            /* a PE died by shmemx_fail, without a message */
    bool ending;            /* every process has received the request to end */
    bool ended_by_signal;   /* a signal to oshrun ends the job: output without a reader is dropped */
    bool gave_up;           /* remaining processes cannot be killed, or remaining output not be written */
    uint64_t kill_at;       /* when SIGKILL follows; this and the next members: CLOCK_MONOTONIC ns, 0: never */
    uint64_t kill_late;     /* when SIGKILL follows for PEs that write their buffered output */
    uint64_t killing_since;
    uint64_t timeout_at, watch_at, report_at, join_check_at;
    uint64_t look_at;       /* next look for deadlocks */
    uint64_t asked_at;      /* when a requested report is due */
    bool deadlock_said;     /* a deadlock has been reported without a request */

    bool holds, begun;      /* some PEs are held; their debuggers have been started */
    bool own_groups;        /* a debugger uses the terminal, so the terminal's signals reach no PE */
    uint64_t holds_look_at;
};

/* options.c */
void parse_options(int argc, char **argv, struct options *opt); /* and sets words */

/* allocation.c */
bool is_launched(void); /* oshrun is a process of another launcher's job, and starts its own job here */
int allocation_size(void);          /* number of PEs; 0: none, or unknown */
const char *allocation_hosts(void); /* for --hosts, if PBS, LSF or Grid Engine allocated several hosts; or NULL */

/* foreign.c */
bool find_program(const struct app *app, char path[PATH_MAX]); /* its file; false: it is not on PATH */
void say_if_foreign(const struct app *app);

/* hosts.c */
void settle_own_hosts(struct options *opt); /* removes hosts that are this machine */

/* handover.c */
void hand_over(const struct options *opt); /* becomes the launcher; returns if the job is oshrun's own */

/* preload.c */
bool find_tool(char path[], const char *name); /* in the folder of oshrun; path: PATH_MAX characters */
void add_setting(struct app *app, char *setting); /* NAME=VALUE, which it keeps */
/* Sets a variable for all executables; with a separator, puts value and separator before the old value. */
void set_for_pes(const struct options *opt, const char *name, const char *value, char separator);
void preload(const struct options *opt, const char *name, const char *user); /* user: the option, for errors */
void use_tapped_libraries(const struct options *opt); /* of coarrays, if installed */

/* profile.c */
void profile_begin(const struct options *opt);
void profile_say_later(void); /* if another launcher manages the job */
void profile_end(void);

/* fabric.c */
void set_fabric(const struct options *opt); /* or from the environment */

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
bool launch_pes(struct run *r); /* false: not all could be started */
void read_launch_errors(struct run *r);

/* inherited.c */
int take_signals(struct inherited *inherited); /* returns the descriptor of signals */
void restore_inherited(const struct inherited *inherited); /* in a child, before exec */

/* network.c */
void network_begin(struct run *r); /* after the job file exists, before the PEs start */

/* process_limit.c */
void check_room(int n_pes);            /* ends oshrun with a message if the limits are too low */
void say_no_room(int pe, int n_pes);   /* reports that this PE could not be started; errno has the reason */

/* output.c */
void output_start(int n_pes, bool tag);
bool output_pipes(int pe, int writer[2]); /* descriptors for PE pe's stdout and stderr, -1: unchanged; false: the
                                           * limit of open files is reached */
size_t output_max_polls(void);
size_t output_polls(struct pollfd *polls);
void output_move(void);                              /* forwards available output, without waiting */
void output_close(void);                             /* called when no PE writes any more: reads the rest */
bool output_idle(void);                              /* no output is left */
bool output_is_lost(void);                           /* it could not be written, but its reader lives */
bool output_message(const char *text, size_t bytes); /* to stderr, between two lines; false: the caller writes it */

/* ending.c */
void reap(struct run *r);
void check_joining(struct run *r);
void end_job(struct run *r, int code, int signal); /* signal: the request to the processes to end */
void kill_left(struct run *r);

/* stale_shm.c */
void remove_left(const struct run *r); /* after all PEs have ended: removes files of killed PEs */

/* process.c */
void read_text(int folder, const char *name, char *text, size_t room); /* the beginning of a file; empty: none */
char process_state(pid_t pid); /* the letter of proc(5), or 0 */
pid_t process_tracer(pid_t pid); /* the debugger that traces it, or 0 */
pid_t pe_process(struct run *r, int pe); /* the PE's process, which a wrapper may have started */
void signal_all_below(const struct run *r, int signal); /* except debuggers and their processes */

/* waits.c */
double seconds_waited(const struct run *r, int pe); /* of a PE that waits in the library; else 0 */
void report_awaited(struct run *r, int pe, FILE *out);
bool can_go_on(const struct run *r, int pe, const bool *stuck); /* if all PEs in stuck stay stuck */

/* deadlock.c */
#define DEADLOCK_LOOKS_APART 500000000u /* ns */
void deadlock_look(struct run *r);
bool deadlock_is_unclear(struct run *r); /* a possible deadlock, which a later look may prove */
double deadlock_seconds(struct run *r);  /* the time that all its PEs have waited; 0: no deadlock is proven */
void report_deadlock(struct run *r, FILE *out);

/* threads.c */
/* For a process with `waiting` threads waiting in the library: the reason why it may go on by itself, or NULL. */
const char *process_may_go_on(pid_t pid, const struct job_pe *pe, int waiting);

/* debug.c */
void debug_plan(struct run *r);         /* before the PEs are launched: chooses the held PEs */
void debug_hold_self(int pe);           /* in the child that becomes that PE */
void debug_stopped(struct run *r, int pe, int status); /* the traced PE has stopped */
void debug_look(struct run *r);         /* regularly: starts debuggers, and continues PEs whose debugger has detached */
bool debug_is_at_work(const struct run *r); /* a debugger that is oshrun's child runs, and the user has to end it */
void debug_end(const struct run *r);        /* ends these debuggers */
bool debug_is_traced(struct run *r);        /* a PE is held, or a debugger traces it: time limits do not apply */

/* debugger.c */
void debugger_tidy(void); /* after all debuggers have ended */
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
extern bool (*say_between)(const char *text, size_t bytes); /* output_message after output_start, or NULL */
__attribute__((format(printf, 2, 3), noreturn)) void die(int code, const char *fmt, ...);
__attribute__((noreturn)) void no_memory(void);
/* asprintf, realloc and calloc that end oshrun with a message if they fail. */
__attribute__((format(printf, 1, 2))) char *text_of(const char *fmt, ...);
void *enlarge(void *list, size_t bytes);
void *zeroed(size_t n, size_t bytes);
void list_pes(char *text, size_t room, const bool *listed, int n_pes, int first); /* "0, 2-5" */
int parse_count(const char *arg, const char *value); /* a number of PEs; ends oshrun if it is none */
