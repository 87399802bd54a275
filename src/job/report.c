/* Messages of a PE, and the end of the job by a PE. */
#include "job/backtrace.h"
#include "job/self.h"
#include "job/speak.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void (*job_abort)(int code, const char *text);

/* Prints "copal: PE 1: ROUTINE: ...", unless another PE prints the error. If the message ends the job and the program
 * runs (not shmem_init or the last shmem_finalize), also prints the source lines of the program's call. On return, text
 * is the message without these lines, of at most SENTENCE bytes. */
enum { SENTENCE = 1024, WITH_PLACES = SENTENCE + BACKTRACE_BYTES };
__attribute__((format(printf, 4, 0))) static void say(char text[WITH_PLACES], bool ends, const char *routine,
                                                      const char *fmt, va_list ap)
{
    const int room = SENTENCE;
    routine = job_routine(routine);
    const int pe = self.job ? self.pe : job_pe_to_be();
    const int prefix = pe >= 0 ? snprintf(text, (size_t)room, "copal: PE %d: ", pe)
                               : snprintf(text, (size_t)room, "copal: ");
    int n = prefix + snprintf(text + prefix, (size_t)(room - prefix), "%s: ", routine);
    n += vsnprintf(text + n, (size_t)(room - n) - 1, fmt, ap);
    if (n > room - 2)
        n = room - 2;
    strcpy(text + n, "\n");
    job_flush_stdout(); /* the program's output precedes the message */
    const bool is_child = self.job && getpid() != self.pid; /* a child does not map the job's memory */
    /* Before shmem_init the program runs, as it does after shmem_finalize. */
    const int state = self.job && !is_child ? job_seat(self.pe)->state : JOB_PE_FINALIZED;
    const bool is_the_programs = state == JOB_PE_RUNNING || state == JOB_PE_FINALIZED;
    const bool has_place = ends && is_the_programs && !is_child;
    if (!speak_begin(text + prefix, has_place ? backtrace_hash() : 0))
        return;
    size_t bytes = (size_t)n + 1;
    if (has_place)
        bytes += backtrace_text(text + bytes, WITH_PLACES - bytes, text);
    speak_end(text, bytes);
    text[n + 1] = '\0';
}

void job_say(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    va_list ap;
    va_start(ap, fmt);
    say(text, false, routine, fmt, ap);
    va_end(ap);
}

static void set_end(enum job_end why, int code)
{
    uint64_t none = 0;
    if (atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(why, code, self.pe)))
        job_let_others_flush();
}

_Noreturn void job_fatal(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    va_list ap;
    va_start(ap, fmt);
    say(text, true, routine, fmt, ap);
    va_end(ap);
    if (self.job && getpid() == self.pid) {
        set_end(JOB_END_ERROR, 1);
        if (job_abort)
            job_abort(1, text);
    }
    _exit(1);
}

_Noreturn void job_fatal_once(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    uint64_t none = 0;
    const bool is_first =
        atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(JOB_END_ERROR, 1, self.pe));
    if (is_first) {
        va_list ap;
        va_start(ap, fmt);
        say(text, true, routine, fmt, ap);
        va_end(ap);
    }
    job_flush_briefly();
    job_let_others_flush(); /* the launcher may end the others as soon as one PE has ended */
    if (is_first && job_abort)
        job_abort(1, text);
    _exit(1);
}

_Noreturn void job_exit(int status)
{
    /* The PE first writes out its output, because the rest may be interrupted. It writes only stdout: another thread
     * may hold another stream for ever while it waits for input. exit does not wait for such a stream. */
    job_flush_stdout();
    set_end(JOB_END_GLOBAL_EXIT, status);
    exit(status); /* as at the end of main: atexit handlers and destructors run (9.1.6) */
}
