/* Reports what the PEs do. */
#include "oshrun.h"

#include "common/futex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

double longest_wait(struct run *r)
{
    double longest = 0;
    for (int i = 0; i < r->opt.n_pes; i++) {
        double seconds = seconds_waited(r, i);
        longest = seconds > longest ? seconds : longest;
    }
    return longest;
}

/* Requests from the waiting PEs the source lines of their calls, and waits a limited time for the replies. */
static uint32_t ask_places(struct run *r)
{
    enum { PATIENCE_MS = 2000, STEP_MS = 2 };
    const uint32_t asked = atomic_fetch_add(&r->job->asked, 1) + 1;
    for (int ms = 0, left = 1; left && ms < PATIENCE_MS; ms += STEP_MS) {
        left = 0;
        for (int i = 0; i < r->opt.n_pes; i++) {
            struct job_pe *pe = &r->job->pe[i];
            if (seconds_waited(r, i) <= 0 || !pe->wait.tells || pe->wait.told == asked ||
                !strchr("RSD", process_state(pe_process(r, i))))
                continue;
            left++;
            atomic_fetch_add(&pe->doorbell, 1);
            futex_wake(&pe->doorbell);
        }
        atomic_fetch_add(&r->job->meeting, 1);
        futex_wake(&r->job->meeting);
        if (left)
            nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000}, NULL);
    }
    return asked;
}

/* Makes a printable copy of a text that a PE may be writing. */
static void copy_text(char *text, const char *its, size_t bytes)
{
    memcpy(text, its, bytes);
    text[bytes - 1] = '\0';
    for (char *c = text; *c; c++)
        if (!isprint((unsigned char)*c))
            *c = '?';
}

/* The reason why a waiting PE may continue, or why it does not although it could; or NULL. */
static const char *objection(const struct run *r, int pe, char state)
{
    if (state == 'T')
        return "its process is stopped by a signal";
    return state == 't' ? "its process is stopped by a debugger" : r->pe[pe].standstill.but;
}

static void report_wait(struct run *r, int pe, uint32_t asked, double seconds, FILE *out)
{
    const struct job_wait *wait = &r->job->pe[pe].wait;
    char routine[sizeof wait->routine];
    copy_text(routine, wait->routine, sizeof routine);
    time_t since = time(NULL) - (time_t)seconds;
    char clock[16];
    struct tm when;
    strftime(clock, sizeof clock, "%H:%M:%S", localtime_r(&since, &when));
    fprintf(out, "in %s for %.1f s, since %s, waiting for ", routine, seconds, clock);
    report_awaited(r, pe, out);
    const char *but = objection(r, pe, process_state(pe_process(r, pe)));
    if (but)
        fprintf(out, "%s:     but %s\n", words.tool, but);
    char place[sizeof wait->place];
    copy_text(place, wait->place, sizeof place);
    if (*place && wait->told == asked)
        fprintf(out, "%s:     %s\n", words.tool, place);
}

/* The state of the process of a PE that does not wait in the library. */
static const char *activity(char state)
{
    switch (state) {
    case 'R': return "running";
    case 'S': return "asleep";
    case 'D': return "in a system call that cannot be interrupted";
    case 'T': return "stopped by a signal";
    case 't': return "stopped by a debugger";
    default: return "ending";
    }
}

static void report_pe(struct run *r, int pe, uint32_t asked, FILE *out)
{
    fprintf(out, "%s:   %s %d ", words.tool, words.unit, words.first + pe);
    int state = atomic_load(&r->job->pe[pe].state);
    if (!r->pe[pe].running) {
        fprintf(out, "has ended\n");
        return;
    }
    pid_t pid = pe_process(r, pe);
    fprintf(out, "(process %d) ", (int)pid);
    double seconds = seconds_waited(r, pe);
    if (seconds > 0) {
        report_wait(r, pe, asked, seconds, out);
        return;
    }
    const char *text = words.idle;
    if (state == JOB_PE_LAUNCHED)
        text = "has not called shmem_init";
    else if (state == JOB_PE_FINALIZED)
        text = words.finalized;
    else if (state < JOB_PE_LAUNCHED || state > JOB_PE_DEAD)
        text = "is in no known state";
    fprintf(out, "%s, its process is %s\n", text, activity(process_state(pid)));
}

void report(struct run *r)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return;
    const uint32_t asked = ask_places(r);
    deadlock_look(r);
    int waiting = 0;
    for (int i = 0; i < r->opt.n_pes; i++)
        waiting += seconds_waited(r, i) > 0;
    fprintf(out, "%s: %d of %d %ss %s\n", words.tool, waiting, r->opt.n_pes, words.unit, words.waiting);
    for (int i = 0; i < r->opt.n_pes; i++)
        report_pe(r, i, asked, out);
    report_deadlock(r, out);
    fclose(out);
    if (!output_message(text, bytes))
        for (size_t done = 0; done < bytes;) {
            ssize_t n = write(STDERR_FILENO, text + done, bytes - done);
            if (n < 0)
                break;
            done += (size_t)n;
        }
    free(text);
}
