/* oshrun: starts the PEs of a job on this machine, and waits for the end of the job. */
#include "oshrun.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000u

/* The first signal requests the job to end, with a time limit; the second kills it. */
static void end_by_signal(struct run *r, int signal, bool from_terminal)
{
    if (r->ended_by_signal) {
        r->kill_at = clock_now();
        r->kill_late = 0;
        return;
    }
    char more[160] = "";
    if (longest_wait(r) > 0 && !r->opt.watch)
        snprintf(more, sizeof more, "; %s --watch SECONDS, or kill -QUIT of %s, prints what %ss wait for", words.tool,
                 words.tool, words.unit);
    say("the job is ended by signal %d (%s)%s", signal, strsignal(signal), more);
    r->ended_by_signal = true;
    debug_end(r);
    /* The terminal has sent the signal to the PEs as well. */
    end_job(r, 128 + signal, from_terminal ? SIGCONT : signal);
    r->code = 128 + signal;
    if (!r->kill_at) /* only output is left */
        r->kill_at = clock_now();
}

/* Prints a report, or, if there may be a deadlock, schedules it after a second look. */
static void ask_for_report(struct run *r)
{
    if (r->asked_at)
        return;
    deadlock_look(r);
    r->asked_at = clock_now() + (deadlock_is_unclear(r) ? DEADLOCK_LOOKS_APART : 0);
}

static void handle_signal(struct run *r, const struct signalfd_siginfo *info)
{
    int signal = (int)info->ssi_signo;
    bool from_terminal = info->ssi_code == SI_KERNEL && !r->own_groups;
    if (signal == SIGINT && info->ssi_code == SI_KERNEL && debug_is_at_work(r) && r->own_groups)
        return; /* the signal is for the debugger */
    switch (signal) {
    case SIGCHLD: break; /* reap() finds all ended children */
    case SIGQUIT: ask_for_report(r); break;
    case SIGCONT: signal_all_below(r, SIGCONT); break;
    case SIGTSTP:
        if (!from_terminal)
            signal_all_below(r, SIGSTOP);
        kill(r->self, SIGSTOP);
        break;
    case SIGUSR1:
    case SIGUSR2:
        for (int i = 0; i < r->opt.n_pes; i++)
            if (r->pe[i].running)
                kill(pe_process(r, i), signal);
        break;
    default: end_by_signal(r, signal, from_terminal); break;
    }
}

static void sooner(uint64_t *deadline, uint64_t t)
{
    if (t && (!*deadline || t < *deadline))
        *deadline = t;
}

static const struct timespec *time_left(const struct run *r, struct timespec *t)
{
    uint64_t deadline = 0, now = clock_now();
    sooner(&deadline, r->kill_at);
    sooner(&deadline, r->timeout_at);
    sooner(&deadline, r->watch_at);
    sooner(&deadline, r->look_at);
    sooner(&deadline, r->asked_at);
    sooner(&deadline, r->join_check_at);
    sooner(&deadline, r->holds_look_at);
    if (!deadline)
        return NULL;
    uint64_t left = deadline > now ? deadline - now : 0;
    *t = (struct timespec){.tv_sec = (time_t)(left / SECOND), .tv_nsec = (long)(left % SECOND)};
    return t;
}

/* Reports when the longest wait has lasted long enough; until then, schedules the next look. look_for_deadlock reports
 * a possible deadlock once it is proven. */
static void watch(struct run *r, uint64_t now)
{
    double left = r->opt.watch - longest_wait(r);
    if (left <= 0 && now >= r->report_at) {
        deadlock_look(r);
        if (r->deadlock_said || deadlock_seconds(r) <= 0)
            report(r);
        r->report_at = now + (uint64_t)(r->opt.watch * SECOND);
    }
    left = left > 0 ? left : now < r->report_at ? (double)(r->report_at - now) / SECOND : r->opt.watch;
    r->watch_at = now + (uint64_t)(left * SECOND) + 1;
}

/* Reports a deadlock once, without a request; with --watch it ends the job. */
static void look_for_deadlock(struct run *r, uint64_t now)
{
    const double most = 10, patience = r->opt.watch > 0 && r->opt.watch < most ? r->opt.watch : most;
    deadlock_look(r);
    r->look_at = now + DEADLOCK_LOOKS_APART;
    const double seconds = r->deadlock_said ? 0 : deadlock_seconds(r);
    if (seconds <= 0 || seconds < patience)
        return;
    report(r);
    r->deadlock_said = true;
    if (r->opt.watch > 0) {
        say("the job is ended by --watch, because it cannot continue");
        end_job(r, EXIT_DEADLOCK, SIGTERM);
    }
}

static void handle_deadlines(struct run *r)
{
    uint64_t now = clock_now();
    if (now >= r->look_at)
        look_for_deadlock(r, now);
    if (r->asked_at && now >= r->asked_at) {
        report(r);
        r->asked_at = 0;
    }
    if (r->watch_at && now >= r->watch_at)
        watch(r, now);
    if (r->join_check_at && now >= r->join_check_at)
        check_joining(r);
    if (r->timeout_at && now >= r->timeout_at) {
        r->timeout_at = debug_is_traced(r) ? now + SECOND : 0; /* a PE under a debugger has no time limit */
        if (!r->ending && !r->timeout_at) {
            report(r);
            say("the job is ended: it ran longer than --timeout %g seconds", r->opt.timeout);
            end_job(r, EXIT_TIMEOUT, SIGTERM);
        }
    }
    if (r->kill_at && now >= r->kill_at)
        kill_left(r);
}

static void supervise(struct run *r, int signal_fd)
{
    struct pollfd *polls = zeroed(1 + output_max_polls(), sizeof *polls);
    struct signalfd_siginfo info;
    while (!r->gave_up) {
        if (r->n_running == 0 && r->childless) {
            output_close();
            if (output_idle())
                break;
        }
        polls[0] = (struct pollfd){.fd = signal_fd, .events = POLLIN};
        size_t n = 1 + output_polls(polls + 1);
        struct timespec left;
        ppoll(polls, n, time_left(r, &left), NULL);
        if (n > 1)
            output_move();
        while (read(signal_fd, &info, sizeof info) == sizeof info)
            handle_signal(r, &info);
        reap(r);
        handle_deadlines(r);
    }
    free(polls);
}

/* Opens stdin, stdout and stderr if they are closed; otherwise the job file would get one of their numbers. */
static void fill_standard_files(void)
{
    for (int fd = open("/dev/null", O_RDWR); fd >= 0; fd = dup(fd))
        if (fd > STDERR_FILENO) {
            close(fd);
            return;
        }
}

int main(int argc, char **argv)
{
    static struct run run; /* static, so that leak checkers find its memory at exit */
    fill_standard_files();
    parse_options(argc, argv, &run.opt);
    if (run.opt.attach)
        attach(&run.opt);
    settle_own_hosts(&run.opt);
    hand_over(&run.opt);
    if (run.opt.nodes)
        setenv(settings[SETTING_SHMEM_NODES].name, run.opt.nodes, 1);
    set_fabric(&run.opt);
    profile_begin(&run.opt);
    run.self = getpid();
    int signal_fd = take_signals(&run.inherited);
    if (signal_fd < 0)
        die(EXIT_JOB, "a descriptor for signals cannot be created: %s", strerror(errno));
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    create_job(&run);
    network_begin(&run);
    begin_races(&run);
    uint64_t start = clock_now();
    if (run.opt.timeout > 0)
        run.timeout_at = start + (uint64_t)(run.opt.timeout * SECOND);
    run.look_at = start + DEADLOCK_LOOKS_APART;
    if (run.opt.watch > 0)
        run.watch_at = start + 1;
    if (!launch_pes(&run))
        end_job(&run, EXIT_JOB, SIGTERM);
    supervise(&run, signal_fd);
    if (run.code == 0 && output_is_lost())
        run.code = EXIT_JOB;
    debugger_tidy();
    remove_left(&run);
    end_races(&run);
    profile_end();
    return run.code;
}
