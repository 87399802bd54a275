/* Prints the summary, at most ten lines, on standard error; computes the sums of each routine. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

static int by_time(const void *a, const void *b)
{
    const struct routine *x = a, *y = b;
    return x->time != y->time ? (x->time < y->time) - (x->time > y->time) : strcmp(x->name, y->name);
}

struct routine *routines_of(const struct profile *p, uint32_t *n)
{
    struct routine *all = zeroed(p->n_sites, sizeof *all);
    *n = 0;
    for (uint32_t i = 0; i < p->n_sites; i++) {
        const struct site *s = &p->sites[i];
        uint32_t k = 0;
        while (k < *n && strcmp(all[k].name, s->routine) != 0)
            k++;
        struct routine *r = &all[k];
        if (k == *n)
            *r = (struct routine){.name = s->routine, .class = s->class};
        *n += k == *n;
        r->calls += s->calls;
        r->bytes += s->bytes;
        r->time += s->time;
        r->waiting += s->waiting;
        r->longest = s->longest > r->longest ? s->longest : r->longest;
        r->largest = s->largest > r->largest ? s->largest : r->largest;
    }
    qsort(all, *n, sizeof *all, by_time);
    return all;
}

static const char *in_bytes(double bytes, char text[32])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    snprintf(text, 32, "%.3g %s", bytes, units[unit]);
    return text;
}

static void write_shares(const struct profile *p, FILE *out)
{
    struct piece all = {0};
    int most = -1;
    for (int i = 0; i < p->n_pes; i++) {
        const struct piece *one = &p->pe[i];
        all.communication += one->communication;
        all.synchronizing += one->synchronizing;
        all.waiting += one->waiting;
        all.computing += one->computing;
        if (one->head && (most < 0 || one->waiting > p->pe[most].waiting))
            most = i;
    }
    fprintf(out,
            "  computing %.0f %%, moving data %.0f %%, synchronizing %.0f %%, waiting %.0f %% of the time; %s %d waits "
            "the most, %.0f %%\n", percent(all.computing, p->total), percent(all.communication, p->total),
            percent(all.synchronizing, p->total), percent(all.waiting, p->total), p->unit, most + p->first,
            percent(p->pe[most].waiting, p->pe[most].total));
}

static void write_routines(const struct profile *p, FILE *out)
{
    enum { SHOWN = 3 };
    uint32_t n;
    char bytes[32];
    struct routine *all = routines_of(p, &n);
    for (uint32_t i = 0; i < n && i < SHOWN && all[i].time; i++)
        fprintf(out, "  %s: %llu calls, %s, %.3g s, of which %.3g s are waiting\n", all[i].name,
                (unsigned long long)all[i].calls, in_bytes((double)all[i].bytes, bytes), (double)all[i].time / 1e9,
                (double)all[i].waiting / 1e9);
    free(all);
}

static void write_late(const struct profile *p, FILE *out)
{
    const struct piece *worst = &p->pe[p->latest];
    if (worst->late_cost)
        fprintf(out, "  %s %d was the last to enter %llu collectives; the others waited %.3g s for it\n", p->unit,
                p->latest + p->first, (unsigned long long)worst->late, (double)worst->late_cost / 1e9);
}

void text_write(const struct profile *p, FILE *out)
{
    enum { HINTS = 2 };
    char bytes[32];
    uint64_t sent = 0, calls = 0;
    for (int i = 0; i < PIECE_PATHS; i++) {
        sent += p->paths[i].bytes;
        calls += p->paths[i].calls;
    }
    fprintf(out, "copal: profile of %s: %d %ss on %d node%s, %.3g s\n", p->program, p->n_pes, p->unit, p->n_nodes,
            p->n_nodes == 1 ? "" : "s", (double)p->time / 1e9);
    if (p->n_missing)
        fprintf(out, "  %d of them have written no file: they were killed, or ended by an error\n", p->n_missing);
    write_shares(p, out);
    fprintf(out, "  %llu puts, gets, atomics and signals moved %s\n", (unsigned long long)calls,
            in_bytes((double)sent, bytes));
    write_routines(p, out);
    write_late(p, out);
    for (int i = 0; i < p->n_hints && i < HINTS - (p->n_missing > 0); i++)
        fprintf(out, "  hint: %s\n", p->hints[i]);
    fprintf(out, "copal: more is in %s/index.html\n", p->folder);
}
