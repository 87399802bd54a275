/* Saves the PEs' buffered output, however they end. Output to a pipe or a file stays in the process until the buffer is
 * full or the process exits normally; line buffering would cost a system call for each line.
 *
 * - A PE that ends the job waits up to SLEEPER_MS for the other PEs that sleep in the library, or fall asleep there
 *   within OTHER_MS: each writes out its output.
 * - If a signal or a crash ends a PE, a forked copy of the process writes out the output. If a lock is held, an alarm
 *   ends the copy; if the signal has interrupted a WRITE statement or a write of stdout, the PE tries again.
 * - A PE that falls asleep in a wait writes out C's stdout, so that SIGKILL does not lose it. */
#include "common/clock.h"
#include "job/self.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS 1000000
#define SLEEPER_MS 100 /* time limit of a sleeping PE: another thread may hold a stream for ever */
#define OTHER_MS 30    /* time limit of a PE that may be about to fall asleep */
#define COPY_MS 1000   /* time limit of a copy of the process; it may wait long for a processor */
#define AGAIN_MS 2     /* a PE interrupted in a WRITE tries again after this time, */
#define TIMES 3        /* at most this many times, */
#define WRITES 50      /* or this many while stdout is being written */

static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

/* A function of gfortran's library, if the program is linked with it. Called with NULL, it writes out all units. */
extern void _gfortran_flush_i4(const int *unit) __attribute__((weak));

void job_flush_stdout(void)
{
    if (ftrylockfile(stdout) == 0) {
        fflush(stdout);
        funlockfile(stdout);
    }
}

void job_flush_some(void)
{
    if (stdout->_IO_write_ptr > stdout->_IO_write_base)
        job_flush_stdout();
}

void job_flush(void)
{
    int32_t none = 0;
    if (!atomic_compare_exchange_strong(&job_seat(self.pe)->flushed, &none, JOB_FLUSHING))
        return;
    job_flush_stdout();
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
    job_seat(self.pe)->flushed = JOB_FLUSHED;
}

static void *flush_beside(void *unused)
{
    job_flush();
    return unused;
}

void job_flush_briefly(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, flush_beside, NULL) == 0)
        pthread_detach(thread);
    for (int ms = 0; ms < SLEEPER_MS && job_seat(self.pe)->flushed != JOB_FLUSHED; ms++)
        clock_nap(MS);
}

static bool may_flush(const struct job_pe *pe, int ms)
{
    return pe->flushed != JOB_FLUSHED && (pe->asleep || pe->flushed == JOB_FLUSHING || ms < OTHER_MS) &&
           pe->state >= JOB_PE_JOINED && pe->state < JOB_PE_FINALIZED;
}

void job_let_others_flush(void)
{
    struct job *job = self.job;
    int seat = 0;
    job_seat(self.pe)->flushed = JOB_FLUSHED; /* exit writes out this PE's output */
    job_alert(job);
    for (int ms = 0; ms < SLEEPER_MS; ms++) {
        while (seat < job->n_pes && !may_flush(&job->pe[seat], ms))
            seat++;
        if (seat == job->n_pes)
            return;
        clock_nap(MS);
    }
}

static _Noreturn void become_flusher(void)
{
    const struct itimerval limit = {.it_value = {COPY_MS / 1000, COPY_MS % 1000 * 1000}};
    sigset_t none;
    signal(SIGALRM, SIG_DFL);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) /* a crash ends the copy only */
        signal(crashes[i], SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setitimer(ITIMER_REAL, &limit, NULL);
    fflush(stdout);
    if (_gfortran_flush_i4)
        _gfortran_flush_i4(NULL);
    fflush(NULL);
    _exit(0);
}

/* Runs in another copy of the process: sends the signal once more. */
static _Noreturn void become_reminder(int number)
{
    clock_nap((uint64_t)AGAIN_MS * MS);
    kill(self.pid, number);
    _exit(0);
}

/* A fork that does not run the program's fork handlers. The end of the copy sends no signal. 0 in the copy. */
static pid_t copy_process(void)
{
    return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
}

bool job_flush_in_copy(void)
{
    int status = 0;
    const pid_t copy = copy_process();
    if (copy == 0)
        become_flusher();
    while (copy > 0 && waitpid(copy, &status, __WALL) < 0 && errno == EINTR)
        ;
    return copy < 0 || !WIFSIGNALED(status);
}

/* Whether a thread holds the lock of stdout (in glibc an int, then other fields). A copy of a process that writes its
 * buffer would write the same buffer again. */
static bool writes_stdout(void)
{
    return *(const volatile int *)stdout->_lock != 0;
}

/* If the copy fails, a lock was held, perhaps by the code that this signal has interrupted. */
static void on_end(int number)
{
    static _Atomic int times, writes;
    const int error = errno;
    const bool is_pe = getpid() == self.pid;
    if (is_pe)
        job_seat(self.pe)->flushed = JOB_FLUSHING; /* oshrun delays its SIGKILL meanwhile */
    const bool writing = is_pe && writes_stdout() && ++writes <= WRITES;
    if (writing || (is_pe && !job_flush_in_copy() && ++times <= TIMES)) {
        if (copy_process() == 0)
            become_reminder(number);
        errno = error;
        return;
    }
    signal(number, SIG_DFL);
    raise(number);
    errno = error;
}

static struct sigaction before[NSIG];

/* Restores the previous action: the same instruction crashes again, and gfortran's handler, if that was the previous
 * action, prints a backtrace. */
static void before_fortran(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    (void)context;
    if (getpid() == self.pid)
        job_flush_in_copy();
    sigaction(number, &before[number], NULL);
    if (info->si_code <= 0) /* a process has sent the signal, so no crash follows */
        raise(number);
    errno = error;
}

static bool is_of_fortran(const struct sigaction *action)
{
    Dl_info found;
    return action->sa_handler != SIG_IGN && dladdr(*(void *const *)&action->sa_handler, &found) &&
           strstr(found.dli_fname, "libgfortran");
}

/* Installs handlers for crashes that backtrace.c does not report, or that gfortran's library reports. */
static void take_crashes(void)
{
    const struct sigaction first = {.sa_sigaction = before_fortran, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        struct sigaction *const old = &before[crashes[i]];
        if (sigaction(crashes[i], NULL, old) == 0 && (old->sa_handler == SIG_DFL || is_of_fortran(old)))
            sigaction(crashes[i], &first, NULL);
    }
}

void job_flush_begin(void)
{
    static const int ends[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_RESTART}, old;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaddset(&action.sa_mask, ends[i]);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(ends[i], &action, NULL);
    take_crashes();
}
