/* Detects PEs that wait for each other for ever.
 *
 * One look is not enough: in a loop of barriers, each look shows some PEs in one barrier and some in the next, and a PE
 * that has been woken may have no processor yet. A deadlock is therefore reported after two looks, at least
 * DEADLOCK_LOOKS_APART apart. In between, each of its PEs stays in the same wait, is not stopped, and checks its
 * condition without success; and no other thread of the PE's process can change that condition. */
#include "oshrun.h"

#include <stdlib.h>

#define YOUNG 0.1 /* seconds: shorter waits are ignored */

enum { TURNS = 2 }; /* a wait counts a turn before it checks: after two turns it has checked at least once */

static bool is_stuck(const struct run *r, int pe, const bool *stuck)
{
    return stuck[pe] && r->pe[pe].running;
}

/* Repeatedly removes PEs that can continue, and returns the number of stuck PEs that are left. PEs that have ended stay
 * in the set. */
static int leave_stuck(const struct run *r, bool *stuck)
{
    const int n_pes = r->opt.n_pes;
    int left = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < n_pes; i++)
            if (is_stuck(r, i, stuck) && can_go_on(r, i, stuck)) {
                stuck[i] = false;
                changed = true;
            }
    }
    for (int i = 0; i < n_pes; i++)
        left += is_stuck(r, i, stuck);
    return left;
}

static const char *objection(struct run *r, int pe)
{
    const struct job_pe *its = &r->job->pe[pe];
    const pid_t pid = pe_process(r, pe);
    const int asleep = (int)its->asleep;
    switch (process_state(pid)) {
    case 'R':
    case 'S':
    case 'D': return process_may_go_on(pid, its, asleep > 1 ? asleep : 1);
    default: return "its process is stopped, or ends";
    }
}

static void look_at(struct run *r, int pe, bool seems_stuck, uint64_t now)
{
    struct standstill *s = &r->pe[pe].standstill;
    const struct job_wait *wait = &r->job->pe[pe].wait;
    const bool running = r->pe[pe].running;
    const uint32_t number = wait->number, turns = wait->turns;
    s->but = seems_stuck && running ? objection(r, pe) : NULL;
    if (!seems_stuck || s->but)
        s->since = 0;
    else if (!s->since || s->running != running || (running && s->number != number))
        *s = (struct standstill){.since = now, .running = running, .number = number, .turns = turns};
}

void deadlock_look(struct run *r)
{
    const uint64_t now = clock_now();
    bool *stuck = zeroed((size_t)r->opt.n_pes, sizeof *stuck);
    for (int i = 0; i < r->opt.n_pes; i++)
        stuck[i] = !r->pe[i].running || seconds_waited(r, i) > YOUNG;
    leave_stuck(r, stuck);
    for (int i = 0; i < r->opt.n_pes; i++)
        look_at(r, i, stuck[i], now);
    free(stuck);
}

/* Marks the PEs that seem stuck; with `proven`, only PEs whose deadlock is proven. Returns the number of marked PEs
 * that have not ended. */
static int find_standing(const struct run *r, bool proven, bool *stuck)
{
    const uint64_t now = clock_now();
    for (int i = 0; i < r->opt.n_pes && !r->ending; i++) {
        const struct standstill *s = &r->pe[i].standstill;
        const struct job_wait *wait = &r->job->pe[i].wait;
        const bool is_same = !s->running || (r->pe[i].running && s->number == wait->number && wait->since_ns);
        const bool has_checked = !s->running || wait->turns - s->turns >= TURNS;
        stuck[i] = s->since && is_same && (!proven || (now - s->since >= DEADLOCK_LOOKS_APART && has_checked));
    }
    return leave_stuck(r, stuck);
}

bool deadlock_is_unclear(struct run *r)
{
    bool *stuck = zeroed((size_t)r->opt.n_pes, sizeof *stuck), *proven = zeroed((size_t)r->opt.n_pes, sizeof *proven);
    const bool unclear = find_standing(r, false, stuck) > 0 && find_standing(r, true, proven) == 0;
    free(stuck);
    free(proven);
    return unclear;
}

double deadlock_seconds(struct run *r)
{
    bool *stuck = zeroed((size_t)r->opt.n_pes, sizeof *stuck);
    double least = 0;
    if (find_standing(r, true, stuck) > 0)
        for (int i = 0; i < r->opt.n_pes; i++)
            if (is_stuck(r, i, stuck) && (least == 0 || seconds_waited(r, i) < least))
                least = seconds_waited(r, i);
    free(stuck);
    return least;
}

void report_deadlock(struct run *r, FILE *out)
{
    bool *stuck = zeroed((size_t)r->opt.n_pes, sizeof *stuck);
    const int n = find_standing(r, true, stuck);
    char list[400];
    for (int i = 0; i < r->opt.n_pes; i++)
        stuck[i] = is_stuck(r, i, stuck);
    list_pes(list, sizeof list, stuck, r->opt.n_pes, words.first);
    if (n)
        fprintf(out, "%s: a deadlock: %s%s %s %s\n", words.tool, words.unit, n > 1 ? "s" : "", list,
                n > 1 ? "wait for each other, or for ended ones, and none of them can continue"
                      : "waits for itself, or for an ended one, and cannot continue");
    free(stuck);
}
