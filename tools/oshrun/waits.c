/* Determines the PEs that each PE waits for, from the records of all PEs.
 *
 * A PE in a collective waits for all members that have not entered it, even if the algorithm waits for another PE at
 * that moment. PE records also have the number of each PE's barriers in shmem_init and shmem_finalize, and the locks
 * that it holds, so PEs that miss such a barrier, and the holder of a lock, are found in the same way. */
#include "oshrun.h"

#include <string.h>

enum { LISTED = 8 };

double seconds_waited(const struct run *r, int pe)
{
    const uint64_t since = atomic_load(&r->job->pe[pe].wait.since_ns), now = clock_now();
    return r->pe[pe].running && since && since < now ? (double)(now - since) / 1e9 : 0;
}

/* Whether another PE waits in the collective in which this PE waits, or in a later one of the same PEs. */
static bool has_come(const struct run *r, int pe, int other)
{
    const struct job_wait *mine = &r->job->pe[pe].wait, *its = &r->job->pe[other].wait;
    const struct job_members *m = &mine->members, *i = &its->members;
    if (seconds_waited(r, other) <= 0 || i->start != m->start || i->stride != m->stride || i->size != m->size ||
        memcmp(&mine->list, &its->list, sizeof mine->list) != 0)
        return false;
    if (i->number != m->number)
        return i->number / 2 > m->number / 2;
    /* A sync has several names; collectives that move data are the same only if their names are equal. */
    return m->number % 2 == 0 || strncmp(mine->routine, its->routine, sizeof mine->routine) == 0;
}

static bool is_member(const struct job_wait *wait, int pe)
{
    const struct job_members *m = &wait->members;
    const int64_t distance = (int64_t)pe - m->start, stride = *(const volatile int32_t *)&m->stride; /* may change */
    if (!stride)
        return pe < JOB_LISTED && wait->list.bits[pe / 64] >> pe % 64 & 1;
    return distance % stride == 0 && distance / stride >= 0 && distance / stride < m->size;
}

static bool holds(const struct job_pe *pe, uint64_t lock)
{
    for (int i = 0; i < JOB_LOCKS_HELD; i++)
        if (lock && pe->held[i] == lock)
            return true;
    return false;
}

static bool is_awaited(const struct run *r, int pe, int other)
{
    const struct job_pe *mine = &r->job->pe[pe], *its = &r->job->pe[other];
    if (mine->wait.members.size)
        return other != pe && is_member(&mine->wait, other) && !has_come(r, pe, other);
    const int32_t for_pe = mine->wait.for_pe;
    switch (for_pe) {
    case JOB_FOR_MEETING: return (int32_t)(its->meetings - mine->meetings) < 0 && its->state != JOB_PE_DEAD;
    case JOB_FOR_HOLDER: return holds(its, mine->wanted);
    default: return other == for_pe;
    }
}

/* The next awaited PE from `from` on, or the number of PEs. */
static int next_awaited(const struct run *r, int pe, int from)
{
    while (from < r->opt.n_pes && !is_awaited(r, pe, from))
        from++;
    return from;
}

static const char *fate(const struct run *r, int pe, int other)
{
    const bool has_ended = !r->pe[other].running;
    if (r->job->pe[pe].wait.for_pe == JOB_FOR_HOLDER && !r->job->pe[pe].wait.members.size)
        return other == pe ? " itself, which has the lock already" : has_ended ? ", which has ended with the lock" : "";
    return has_ended ? ", which has ended" : "";
}

void report_awaited(struct run *r, int pe, FILE *out)
{
    const int first = next_awaited(r, pe, 0), second = next_awaited(r, pe, first + 1);
    if (first >= r->opt.n_pes) { /* waits for any PE, or all have entered the collective */
        const int for_pe = r->job->pe[pe].wait.for_pe;
        if (for_pe < 0 || for_pe >= r->opt.n_pes)
            fprintf(out, "another %s\n", words.unit);
        else
            fprintf(out, "%s %d\n", words.unit, words.first + for_pe);
        return;
    }
    int n = 0;
    fprintf(out, second < r->opt.n_pes ? "%ss " : "%s ", words.unit);
    for (int other = first; other < r->opt.n_pes; other = next_awaited(r, pe, other + 1), n++)
        if (n < LISTED)
            fprintf(out, "%s%d%s", n ? ", " : "", words.first + other, fate(r, pe, other));
    if (n > LISTED)
        fprintf(out, " and %d more", n - LISTED);
    fputc('\n', out);
}

/* A PE that waits for any other PE can continue if any other PE can. A PE can also continue if all have entered its
 * collective, or if its wait does not (or may not) depend on the program of another PE. */
bool can_go_on(const struct run *r, int pe, const bool *stuck)
{
    const struct job_wait *wait = &r->job->pe[pe].wait;
    int other = next_awaited(r, pe, 0);
    if (wait->unsure)
        return true;
    if (other == r->opt.n_pes) {
        if (wait->members.size || wait->for_pe == JOB_FOR_MEETING)
            return true;
        for (other = 0; other < r->opt.n_pes; other++)
            if (!stuck[other])
                return true;
        return false;
    }
    for (; other < r->opt.n_pes; other = next_awaited(r, pe, other + 1))
        if (stuck[other])
            return false;
    return true;
}
