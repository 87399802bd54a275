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

/* Whether this is a PE, or is to be one, outside shmem_init and the last shmem_finalize. */
static bool program_runs(void)
{
    const int state = !self.job ? JOB_PE_RUNNING : job_is_child() ? JOB_PE_DEAD : job_seat(self.pe)->state;
    return state == JOB_PE_RUNNING || state == JOB_PE_FINALIZED;
}

/* Prints "copal: PE 1: ROUTINE: ...", unless another PE prints the error. If the message ends the job and the program
 * runs, also prints the source lines of the program's call. On return, text is the message without these lines, of at
 * most SENTENCE bytes. */
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
    const bool has_place = ends && program_runs();
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

/* Whether this PE is the first that ends the job. */
static bool set_end(enum job_end why, int code)
{
    uint64_t none = 0;
    return atomic_compare_exchange_strong(&self.job->end, &none, job_end_word(why, code, self.pe));
}

_Noreturn void job_fatal(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    va_list ap;
    va_start(ap, fmt);
    say(text, true, routine, fmt, ap);
    va_end(ap);
    if (self.job && !job_is_child()) {
        if (set_end(JOB_END_ERROR, 1))
            job_let_others_flush();
        if (job_abort)
            job_abort(1, text);
    }
    _exit(1);
}

_Noreturn void job_fatal_once(const char *routine, const char *fmt, ...)
{
    char text[WITH_PLACES];
    const bool is_first = set_end(JOB_END_ERROR, 1);
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
    if (set_end(JOB_END_GLOBAL_EXIT, status))
        job_let_others_flush();
    exit(status); /* as at the end of main: atexit handlers and destructors run (9.1.6) */
}
