/* Hints about possible improvements. Each is computed from counts, and printed only if it concerns a large part of the
 * program's time or calls. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

static void add(struct profile *p, char *hint)
{
    char **more = realloc(p->hints, sizeof *more * (size_t)(p->n_hints + 1));
    if (!more)
        die("out of memory");
    p->hints = more;
    p->hints[p->n_hints++] = hint;
}

enum { OFTEN = 1000, LEAST = 2 }; /* below this many calls, or per cent of the time, no hint */

/* The first hint, because oversubscription affects all other figures. */
static void hint_crowded(struct profile *p)
{
    for (int i = 0; i < p->n_hosts; i++) {
        const struct host *h = &p->hosts[i];
        if (!h->processors || h->n_pes <= h->processors)
            continue;
        add(p, text("the %d %ss on %s share %d processor%s: the times of waits, calls and computation include "
                    "those of the others; start at most %d to measure the program",
                    h->n_pes, p->unit, h->name[0] ? h->name : "a host", h->processors, h->processors == 1 ? "" : "s",
                    h->processors));
        return;
    }
}

/* Whether puts, gets and atomics take enough of the time for a hint. */
static bool moves_long(const struct profile *p)
{
    uint64_t moving = 0;
    for (uint32_t i = 0; i < p->n_sites; i++)
        moving += p->sites[i].class == PIECE_TRANSFER ? p->sites[i].time : 0;
    return percent(moving, p->total) >= LEAST;
}

/* The most frequent size: the average of the class with the most calls. calls: the number of calls in this class. */
static uint64_t usual_size(const struct piece_count sizes[PIECE_SIZES], uint64_t *calls, uint64_t *all)
{
    int fullest = 0;
    *all = 0;
    for (int i = 0; i < PIECE_SIZES; i++) {
        *all += sizes[i].calls;
        if (sizes[i].calls > sizes[fullest].calls)
            fullest = i;
    }
    *calls = sizes[fullest].calls;
    return *calls ? sizes[fullest].bytes / *calls : 0;
}

/* " to one PE" if most PEs make at least 80 % of their puts to a single PE; otherwise "". */
static const char *to_whom(const struct profile *p)
{
    int to_one = 0;
    for (int i = 0; i < p->n_pes; i++) {
        uint64_t most = 0, all = 0;
        for (int to = 0; p->pe[i].head && to < p->n_pes; to++) {
            const uint64_t calls = p->pe[i].traffic[to].put.calls;
            most = calls > most ? calls : most;
            all += calls;
        }
        to_one += all && percent(most, all) >= 80;
    }
    return 2 * to_one > p->n_pes ? " to one PE" : "";
}

static void hint_quiet(struct profile *p)
{
    uint64_t puts = 0, quiet = 0, usual, all;
    for (int i = 0; i < p->n_pes; i++)
        if (p->pe[i].head) {
            puts += p->pe[i].head->blocking_puts;
            quiet += p->pe[i].head->quiet_at_once;
        }
    const uint64_t size = usual_size(p->sizes[PIECE_PUT], &usual, &all);
    if (quiet < OFTEN || percent(quiet, puts) < 50)
        return;
    char *of_size = percent(usual, all) < 50 ? text("%s", "") :
        text("%.0f %% of puts are about %llu bytes%s, and ", percent(usual, all), (unsigned long long)size, to_whom(p));
    add(p, text("%s%.0f %% of blocking puts are followed immediately by a quiet: use the _nbi form, and one quiet for "
                "many of them", of_size, percent(quiet, puts)));
    free(of_size);
}

static void hint_small_gets(struct profile *p)
{
    uint64_t gets = 0, small = 0;
    for (int i = 0; i < p->n_pes; i++)
        if (p->pe[i].head) {
            gets += p->pe[i].head->blocking_gets;
            small += p->pe[i].head->blocking_small_gets;
        }
    if (p->n_nodes > 1 && small >= OFTEN && percent(small, gets) >= 50)
        add(p, text("%.0f %% of blocking gets fetch at most 64 bytes, and each waits for a reply: fetch more at "
                    "once, or use _nbi and one quiet", percent(small, gets)));
}

static void hint_small_messages(struct profile *p)
{
    const struct piece_count *m = &p->paths[PIECE_MESSAGE];
    const uint64_t all = m->calls + p->paths[PIECE_NETWORK].calls + p->paths[PIECE_STORE].calls;
    if (m->calls >= OFTEN && percent(m->calls, all) >= 50 && m->bytes / m->calls <= 64)
        add(p, text("%.0f %% of all accesses go to other nodes with %.0f bytes each: collect the data for each PE and "
                    "put it at once", percent(m->calls, all), (double)m->bytes / (double)m->calls));
}

/* Whether a PE computes longer than the average of the others, beyond chance. */
static bool computes_longer(const struct profile *p, int pe)
{
    double others = 0;
    for (int i = 0; i < p->n_pes; i++)
        others += i == pe ? 0 : (double)p->pe[i].computing;
    return (double)p->pe[pe].computing * (p->n_pes - 1) > 1.1 * others;
}

static void hint_late(struct profile *p)
{
    const int worst = p->latest;
    uint64_t cost = 0;
    for (int i = 0; i < p->n_pes; i++)
        cost += p->pe[i].late_cost;
    if (percent(cost, p->total) < 10)
        return;
    char *waits = text("%.0f %% of all time is waiting in collectives", percent(cost, p->total));
    if (percent(p->pe[worst].late_cost, cost) < 50)
        add(p, text("%s, for a different %s each time, because their computation varies from step to step: use "
                    "fewer barriers, or signals between neighbours", waits, p->unit));
    else if (computes_longer(p, worst))
        add(p, text("%s, most of it for %s %d, which computes %.0f %% of its time: give it less work", waits, p->unit,
                    worst + p->first, percent(p->pe[worst].computing, p->pe[worst].total)));
    else
        add(p, text("%s, most of it for %s %d, which computes no longer than the others: its communication makes it "
                    "late, or other work of its processor", waits, p->unit, worst + p->first));
    free(waits);
}

static void hint_routines(struct profile *p)
{
    uint32_t n;
    struct routine *all = routines_of(p, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct routine *r = &all[i];
        if (r->class == PIECE_MEMORY && r->calls >= OFTEN && percent(r->time, p->total) >= 2)
            add(p, text("%s takes %.0f %% of the time in %llu calls, each of which is a barrier as well: allocate once",
                        r->name, percent(r->time, p->total), (unsigned long long)r->calls));
        if (r->class == PIECE_WAIT && percent(r->time, p->total) >= 30)
            add(p, text("%s takes %.0f %% of the time: the awaited data is sent late, or there is nothing to do "
                        "meanwhile", r->name, percent(r->time, p->total)));
    }
    free(all);
}

void find_hints(struct profile *p)
{
    hint_crowded(p);
    if (moves_long(p)) {
        hint_quiet(p);
        hint_small_gets(p);
        hint_small_messages(p);
    }
    hint_late(p);
    hint_routines(p);
}
