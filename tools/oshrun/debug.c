/* --debug, and tools that use MPIR: PEs are held at their beginning until a debugger is attached.
 *
 * A held PE requests tracing before it executes its program, so the kernel stops it at the program's first instruction.
 * Only one process may trace the PE, so oshrun detaches immediately and leaves the PE stopped, as by SIGSTOP. The PE
 * stays a child of oshrun, like all others, with its output and exit code; the debugger is a separate process. A PE
 * whose debugger detaches continues. */
#include "debugger.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK 100000000u /* ns between checks of the held PEs */

static enum place place;

bool *debug_parse(const char *list, int n_pes)
{
    bool *chosen = zeroed((size_t)n_pes, sizeof *chosen);
    if (!list)
        chosen[0] = true;
    else if (strcmp(list, "all") == 0)
        memset(chosen, true, (size_t)n_pes);
    else
        for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
            int first = -1, last, length = 0;
            if (sscanf(at, "%6d%n-%6d%n", &first, &length, &last, &length) < 2)
                last = first;
            if (first < words.first || last < first || last >= words.first + n_pes || (at[length] && at[length] != ','))
                die(EXIT_USAGE, "--debug=%s: expected numbers of %ss from %d to %d, as %d or 1,3-4, or all", list,
                    words.unit, words.first, words.first + n_pes - 1, words.first);
            memset(chosen + first - words.first, true, (size_t)(last - first + 1));
        }
    return chosen;
}

void debug_plan(struct run *r)
{
    bool *chosen = NULL;
    if (r->opt.debug) {
        chosen = debug_parse(r->opt.debug_list, r->opt.n_pes);
        int n = 0;
        for (int i = 0; i < r->opt.n_pes; i++)
            n += chosen[i];
        place = debugger_place(n);
        r->own_groups = place == ON_TERMINAL;
    }
    for (int i = 0; i < r->opt.n_pes; i++) {
        r->pe[i].debugged = chosen && chosen[i];
        r->pe[i].hold = r->pe[i].debugged || MPIR_being_debugged ? HOLD_WANTED : HOLD_NOT;
        r->holds |= r->pe[i].hold != HOLD_NOT;
    }
    free(chosen);
}

/* Switches off the leak sanitizer, which traces its process at the end: under gdb this fails, and ends the process with
 * an error. The user's own options follow and take precedence. */
static void look_for_no_leaks(const char *options)
{
    const char *const before = environment(options);
    char *now;
    if (asprintf(&now, "detect_leaks=0%s%s", before ? ":" : "", before ? before : "") < 0)
        return;
    setenv(options, now, 1);
    free(now);
}

void debug_hold_self(int pe)
{
    look_for_no_leaks("ASAN_OPTIONS");
    look_for_no_leaks("LSAN_OPTIONS");
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* otherwise Yama allows only a parent to trace it */
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
        return;
    dprintf(STDERR_FILENO, "%s: %s %d cannot be held for a debugger: ptrace: %s\n", words.tool, words.unit,
            words.first + pe, strerror(errno));
    _exit(EXIT_JOB);
}

void debug_stopped(struct run *r, int pe, int status)
{
    const bool is_begun = WSTOPSIG(status) == SIGTRAP; /* otherwise another signal arrived first: deliver it */
    ptrace(is_begun ? PTRACE_DETACH : PTRACE_CONT, r->pe[pe].pid, NULL,
           (void *)(long)(is_begun ? SIGSTOP : WSTOPSIG(status)));
    if (is_begun)
        r->pe[pe].hold = HOLD_STOPPED;
}

static void start_debuggers(struct run *r)
{
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].debugged && r->pe[i].hold == HOLD_STOPPED)
            r->pe[i].debugger = debugger_start(place, words.first + i, r->pe[i].pid, &r->inherited);
    debugger_say_where(place);
}

/* Starts the debuggers as soon as all PEs to be held are stopped or have ended. */
static void begin(struct run *r)
{
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].hold == HOLD_WANTED && r->pe[i].running)
            return;
    if (!r->ending)
        mpir_spawned(r);
    if (!r->ending)
        start_debuggers(r);
    r->begun = true;
}

/* Continues a PE that has no debugger, or whose debugger has detached. */
static bool is_still_held(struct pe *pe)
{
    if (process_tracer(pe->pid)) {
        pe->hold = HOLD_TRACED;
        return true;
    }
    if (pe->hold == HOLD_STOPPED && pe->debugger && kill(pe->debugger, 0) == 0)
        return true;
    kill(pe->pid, SIGCONT);
    return false;
}

void debug_look(struct run *r)
{
    if (!r->holds)
        return;
    if (!r->begun)
        begin(r);
    if (!r->begun || clock_now() < r->holds_look_at)
        return;
    r->holds = false;
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].hold != HOLD_NOT && r->pe[i].running && is_still_held(&r->pe[i]))
            r->holds = true;
        else
            r->pe[i].hold = HOLD_NOT;
    r->holds_look_at = r->holds ? clock_now() + LOOK : 0;
}

bool debug_is_at_work(const struct run *r)
{
    const bool is_below_us = place != IN_TMUX; /* then SIGCHLD reports the debuggers' end */
    for (int i = 0; r->opt.debug && is_below_us && i < r->opt.n_pes; i++)
        if (r->pe[i].debugger && kill(r->pe[i].debugger, 0) == 0)
            return true;
    return false;
}

void debug_end(const struct run *r)
{
    for (int i = 0; debug_is_at_work(r) && i < r->opt.n_pes; i++)
        if (r->pe[i].debugger)
            kill(r->pe[i].debugger, SIGTERM);
}

bool debug_is_traced(struct run *r)
{
    if (debug_is_at_work(r))
        return true;
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].running && (r->pe[i].hold != HOLD_NOT || process_tracer(pe_process(r, i))))
            return true;
    return false;
}
