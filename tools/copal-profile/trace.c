/* trace.json, for Perfetto and chrome://tracing: a track for each PE, a slice for each call, and a flow from what
 * satisfied a wait, a put or a signal, to the wait.
 *
 * Which one that was is found out from places, which are the same on all PEs: those updates of the place that began
 * before the wait's end are gone through in their order, and the first after which the wait's condition holds is it; or
 * the last, where values are not known. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include <shmem.h>

struct update {
    int32_t pe; /* that is written to */
    int32_t from;
    uint32_t event;
    uint64_t place;
    int64_t began;
};

static int in_order(const void *a, const void *b)
{
    const struct update *x = a, *y = b;
    if (x->pe != y->pe)
        return x->pe < y->pe ? -1 : 1;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->began > y->began) - (x->began < y->began);
}

static struct update *updates_of(const struct profile *p, size_t *n)
{
    size_t room = 0;
    for (int pe = 0; pe < p->n_pes; pe++)
        room += p->pe[pe].head ? p->pe[pe].head->n_events : 0;
    struct update *all = zeroed(room, sizeof *all);
    *n = 0;
    for (int pe = 0; pe < p->n_pes; pe++)
        for (uint32_t i = 0; p->pe[pe].head && i < p->pe[pe].head->n_events; i++) {
            const struct piece_event *e = &p->pe[pe].events[i];
            if (e->kind == PIECE_UPDATES && e->pe >= 0)
                all[(*n)++] = (struct update){e->pe, pe, i, e->place, e->began - p->pe[pe].behind};
        }
    qsort(all, *n, sizeof *all, in_order);
    return all;
}

/* A signal is unsigned, most other things that are waited for are not: where they differ, the sign bit is set. */
static bool holds(int64_t value, int comparison, int64_t with)
{
    switch (comparison) {
    case SHMEM_CMP_EQ: return value == with;
    case SHMEM_CMP_NE: return value != with;
    case SHMEM_CMP_GT: return value > with;
    case SHMEM_CMP_LE: return value <= with;
    case SHMEM_CMP_LT: return value < with;
    default: return value >= with;
    }
}

/* The update that ended a wait, or NULL.  An update of an array begins at its first byte: those that begin within what
 * is waited for count. */
static const struct update *cause_of(const struct profile *p, const struct update *all, size_t n, int pe,
                                     const struct piece_event *wait)
{
    const struct update key = {.pe = pe, .place = wait->place, .began = INT64_MIN};
    const int64_t end = wait->ended - p->pe[pe].behind;
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (in_order(&all[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct update *last = NULL, *first = NULL;
    uint64_t value = 0;
    for (size_t i = low; i < n && all[i].pe == pe && all[i].place < wait->place + 2 * wait->place_bytes; i++) {
        const struct piece_event *e = &p->pe[all[i].from].events[all[i].event];
        if (all[i].began > end)
            continue;
        const bool adds = e->place_bytes == 8 && e->operation == SHMEM_SIGNAL_ADD;
        value = adds ? value + e->value : e->value;
        const bool is_it = wait->has_value && e->has_value &&
                           holds((int64_t)value, wait->operation, (int64_t)wait->value);
        /* What has long been there when the wait began did not end it, if something newer did. */
        if (is_it && (!first || first->began < wait->began - p->pe[pe].behind))
            first = &all[i];
        if (!last || all[i].began > last->began)
            last = &all[i];
    }
    return first ? first : last;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int64_t zero = INT64_MAX; /* when the first PE began */

static double us(int64_t at)
{
    return (double)(at - zero) / 1e3;
}

/* The last nanosecond of a call: what begins as it ends is none of its. */
static int64_t last_of(const struct profile *p, int pe, const struct piece_event *e)
{
    return e->ended - (e->ended > e->began) - p->pe[pe].behind;
}

static void write_names(const struct profile *p, FILE *out)
{
    const char *between = "";
    for (int pe = 0; pe < p->n_pes; pe++) {
        if (!p->pe[pe].head)
            continue;
        const int node = p->pe[pe].head->node;
        if (node == pe)
            fprintf(out, "%s{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": %d, \"args\": {\"name\": "
                    "\"node of %s %d\"}}", between, node, p->unit, node + p->first);
        fprintf(out, "%s{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %d, \"args\": {\"name\": "
                "\"%s %d\"}}", node == pe ? ",\n" : between, node, pe, p->unit, pe + p->first);
        between = ",\n";
    }
}

static void write_at(const struct profile *p, FILE *out, int pe, const struct piece_event *e)
{
    char place[600];
    fprintf(out, "\"args\": {\"at\": ");
    json_string(out, place_of(&p->sites[p->pe[pe].site[e->site]], place, sizeof place));
}

static void write_call(const struct profile *p, FILE *out, int pe, const struct piece_event *e)
{
    fprintf(out, ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, \"name\": ",
            p->pe[pe].head->node, pe, us(e->began - p->pe[pe].behind), (double)(e->ended - e->began) / 1e3);
    json_string(out, p->sites[p->pe[pe].site[e->site]].routine);
    fprintf(out, ", ");
    write_at(p, out, pe, e);
    if (e->pe >= 0)
        fprintf(out, ", \"%s\": %d", p->unit, e->pe + p->first);
    if (e->bytes)
        fprintf(out, ", \"bytes\": %llu", (unsigned long long)e->bytes);
    fprintf(out, "}}");
}

/* From the slice that sends to a slice of its own at the end of the one that waits: viewers draw an arrow to where a
 * slice begins, and take the one that begins first for the cause. */
static void write_flow(const struct profile *p, FILE *out, int pe, const struct piece_event *wait,
                       const struct update *cause, uint64_t id)
{
    static const char flow[] = ",\n{\"ph\": \"%s, \"cat\": \"update\", \"name\": \"update\", \"id\": %llu, "
                               "\"pid\": %d, \"tid\": %d, \"ts\": %.3f}";
    const int node = p->pe[pe].head->node;
    const struct piece_event *update = &p->pe[cause->from].events[cause->event];
    const int64_t end = last_of(p, pe, wait), updated = last_of(p, cause->from, update);
    const int64_t from = updated < end ? updated : end > cause->began ? end : cause->began;
    fprintf(out, ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %.3f, \"dur\": %.3f, "
            "\"name\": \"satisfied\", ", node, pe, us(end), (double)(wait->ended - p->pe[pe].behind - end) / 1e3);
    write_at(p, out, cause->from, update);
    fprintf(out, ", \"by %s\": %d}}", p->unit, cause->from + p->first);
    fprintf(out, flow, "s\"", (unsigned long long)id, p->pe[cause->from].head->node, cause->from, us(from));
    fprintf(out, flow, "f\", \"bp\": \"e\"", (unsigned long long)id, node, pe, us(end));
}

/* A flow stands behind the slices that it joins: of what happens at one moment viewers take the first for the first. */
static void write_flows(const struct profile *p, FILE *out)
{
    size_t n;
    uint64_t flows = 0;
    struct update *updates = updates_of(p, &n);
    for (int pe = 0; pe < p->n_pes; pe++)
        for (uint32_t i = 0; p->pe[pe].head && i < p->pe[pe].head->n_events; i++) {
            const struct piece_event *e = &p->pe[pe].events[i];
            const struct update *cause = e->kind == PIECE_WAITS ? cause_of(p, updates, n, pe, e) : NULL;
            if (cause)
                write_flow(p, out, pe, e, cause, flows++);
        }
    free(updates);
}

bool trace_write(const struct profile *p, FILE *out, uint64_t *cut)
{
    uint64_t events = 0;
    for (int pe = 0; pe < p->n_pes; pe++)
        if (p->pe[pe].head && p->pe[pe].head->began - p->pe[pe].behind < zero)
            zero = p->pe[pe].head->began - p->pe[pe].behind;
    fprintf(out, "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n");
    write_names(p, out);
    for (int pe = 0; pe < p->n_pes; pe++) {
        const struct piece *one = &p->pe[pe];
        for (uint32_t i = 0; one->head && i < one->head->n_events; i++)
            write_call(p, out, pe, &one->events[i]);
        events += one->head ? one->head->n_events : 0;
        *cut += one->head ? one->head->events_cut : 0;
    }
    write_flows(p, out);
    fprintf(out, "\n]}\n");
    return events > 0;
}
