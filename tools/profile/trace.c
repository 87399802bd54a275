/* Writes trace.json, for Perfetto and chrome://tracing: a track for each PE, a slice for each call, and a flow from the
 * put or signal that ended a wait to the wait.
 *
 * The update that ended a wait is found by its address, which is the same on all PEs. Only updates that began before
 * the end of the wait, and after which its condition holds, are considered: the first of them that began during the
 * wait has ended it, or else the last. If values are unknown, it is the last update of all. */
#include "profile.h"

#include "common/json.h"

#include <stdlib.h>
#include <string.h>

#include <shmem.h>

struct update {
    int32_t pe; /* the target */
    int32_t from;
    uint32_t event;
    uint64_t place;
    int64_t began;
    bool has_value;
    uint64_t value; /* the object's value after the update */
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
                all[(*n)++] = (struct update){.pe = e->pe, .from = pe, .event = i, .place = e->place,
                                              .began = e->began - p->pe[pe].behind, .has_value = e->has_value};
        }
    qsort(all, *n, sizeof *all, in_order);
    for (size_t i = 0; i < *n; i++) {
        const struct piece_event *e = &p->pe[all[i].from].events[all[i].event];
        const bool adds = e->place_bytes == 8 && e->operation == SHMEM_SIGNAL_ADD;
        const bool is_first = i == 0 || all[i - 1].pe != all[i].pe || all[i - 1].place != all[i].place;
        all[i].value = e->value + (adds && !is_first ? all[i - 1].value : 0);
    }
    return all;
}

/* Compares signals as unsigned and other awaited values as signed: results differ if the sign bit is set. */
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

/* The index of the first update, in the order of PE, object and time, that is not before this PE, object and time. */
static size_t find(const struct update *all, size_t n, int pe, uint64_t place, int64_t began)
{
    const struct update key = {.pe = pe, .place = place, .began = began};
    size_t low = 0, high = n;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (in_order(&all[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The more probable of two causes: an update long before the wait did not end it if a newer update could have. */
static const struct update *likelier(const struct update *a, const struct update *b, int64_t wait_began)
{
    const bool both_since = a && a->began >= wait_began && b->began >= wait_began;
    return !a || (b->began > a->began) != both_since ? b : a;
}

/* The update that ended a wait, or NULL. An update of an array has the address of its first byte: updates that begin
 * within the awaited bytes count. The newest are checked first, as it is usually one of them. */
static const struct update *cause_of(const struct profile *p, const struct update *all, size_t n, int pe,
                                     const struct piece_event *wait)
{
    const int64_t begin = wait->began - p->pe[pe].behind, end = wait->ended - p->pe[pe].behind;
    const uint64_t behind = wait->place + 2 * wait->place_bytes;
    const struct update *last = NULL, *cause = NULL;
    size_t first = find(all, n, pe, wait->place, INT64_MIN);
    while (first < n && all[first].pe == pe && all[first].place < behind) {
        const uint64_t place = all[first].place;
        size_t i = find(all, n, pe, place, end + 1);
        if (i > first && (!last || all[i - 1].began > last->began))
            last = &all[i - 1];
        while (wait->has_value && i-- > first && !(cause && cause->began >= begin && all[i].began < begin))
            if (all[i].has_value && holds((int64_t)all[i].value, wait->operation, (int64_t)wait->value)) {
                cause = likelier(cause, &all[i], begin);
                if (all[i].began < begin)
                    break;
            }
        first = find(all, n, pe, place + 1, INT64_MIN);
    }
    return cause ? cause : last;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int64_t zero; /* when the first PE began */

static double us(int64_t at)
{
    return (double)(at - zero) / 1e3;
}

/* The last nanosecond of a call, because an event that begins at the call's end does not belong to the call. */
static int64_t last_of(const struct profile *p, int pe, const struct piece_event *e)
{
    return e->ended - (e->ended > e->began) - p->pe[pe].behind;
}

/* The first thread's track has the number of the PE; the tracks of other threads follow those of all PEs. */
static uint64_t track_of(const struct profile *p, int pe, uint32_t thread)
{
    return (uint64_t)(thread > 1 ? thread - 1 : 0) * (uint64_t)p->n_pes + (uint64_t)pe;
}

static void write_thread_names(const struct profile *p, FILE *out, int pe, const char *between)
{
    const struct piece_head *h = p->pe[pe].head;
    for (uint32_t thread = 1; thread == 1 || thread <= h->n_threads; thread++) {
        const unsigned long long track = track_of(p, pe, thread);
        fprintf(out, "%s{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": %d, \"tid\": %llu, "
                "\"args\": {\"name\": \"%s %d", between, h->node, track, p->unit, pe + p->first);
        fprintf(out, thread > 1 ? ", thread %u\"}}" : "\"}}", thread);
        between = ",\n";
    }
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
        write_thread_names(p, out, pe, node == pe ? ",\n" : between);
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
    fprintf(out, ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %llu, \"ts\": %.3f, \"dur\": %.3f, \"name\": ",
            p->pe[pe].head->node, (unsigned long long)track_of(p, pe, e->thread), us(e->began - p->pe[pe].behind),
            (double)(e->ended - e->began) / 1e3);
    json_string(out, p->sites[p->pe[pe].site[e->site]].routine);
    fprintf(out, ", ");
    write_at(p, out, pe, e);
    if (e->pe >= 0)
        fprintf(out, ", \"%s\": %d", p->unit, e->pe + p->first);
    if (e->bytes)
        fprintf(out, ", \"bytes\": %llu", (unsigned long long)e->bytes);
    fprintf(out, "}}");
}

/* Connects the slice of the update with an additional slice at the end of the wait's slice, because viewers draw an
 * arrow to the start of a slice, and assume that the earlier slice is the cause. */
static void write_flow(const struct profile *p, FILE *out, int pe, const struct piece_event *wait,
                       const struct update *cause, uint64_t id)
{
    static const char flow[] = ",\n{\"ph\": \"%s, \"cat\": \"update\", \"name\": \"update\", \"id\": %llu, "
                               "\"pid\": %d, \"tid\": %llu, \"ts\": %.3f}";
    const int node = p->pe[pe].head->node;
    const struct piece_event *update = &p->pe[cause->from].events[cause->event];
    const int64_t end = last_of(p, pe, wait), updated = last_of(p, cause->from, update);
    const int64_t from = updated < end ? updated : end > cause->began ? end : cause->began;
    const unsigned long long to = track_of(p, pe, wait->thread), by = track_of(p, cause->from, update->thread);
    fprintf(out, ",\n{\"ph\": \"X\", \"pid\": %d, \"tid\": %llu, \"ts\": %.3f, \"dur\": %.3f, "
            "\"name\": \"satisfied\", ", node, to, us(end), (double)(wait->ended - p->pe[pe].behind - end) / 1e3);
    write_at(p, out, cause->from, update);
    fprintf(out, ", \"by %s\": %d}}", p->unit, cause->from + p->first);
    fprintf(out, flow, "s\"", (unsigned long long)id, p->pe[cause->from].head->node, by, us(from));
    fprintf(out, flow, "f\", \"bp\": \"e\"", (unsigned long long)id, node, to, us(end));
}

/* Flows follow the slices that they join: for events at the same time viewers keep the order of the file. */
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

uint64_t trace_write(const struct profile *p, FILE *out)
{
    uint64_t cut = 0;
    zero = INT64_MAX;
    for (int pe = 0; pe < p->n_pes; pe++)
        if (p->pe[pe].head && p->pe[pe].head->began - p->pe[pe].behind < zero)
            zero = p->pe[pe].head->began - p->pe[pe].behind;
    fprintf(out, "{\"displayTimeUnit\": \"ns\",\n\"traceEvents\": [\n");
    write_names(p, out);
    for (int pe = 0; pe < p->n_pes; pe++) {
        const struct piece *one = &p->pe[pe];
        for (uint32_t i = 0; one->head && i < one->head->n_events; i++)
            write_call(p, out, pe, &one->events[i]);
        cut += one->head ? one->head->events_cut : 0;
    }
    write_flows(p, out);
    fprintf(out, "\n]}\n");
    return cut;
}
