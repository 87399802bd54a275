/* Writes profile.json, and index.html, which is page.html with the content of profile.json. */
#include "profile.h"

#include "common/json.h"
#include "shmem/version.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const char page_html[], page_html_end[];
__asm__(".section .rodata\n.global page_html, page_html_end\npage_html: .incbin \"" COPAL_PAGE "\"\n"
        "page_html_end: .byte 0\n.previous");

static double seconds(uint64_t ns)
{
    return (double)ns / 1e9;
}

#define U(n) ((unsigned long long)(n))

static const char *comma(bool *is_first)
{
    const char *between = *is_first ? "\n  " : ",\n  ";
    *is_first = false;
    return between;
}

/* The PE that has waited the longest for this one, or -1. */
static int most_waiting(const struct profile *p, int whom, uint64_t *most)
{
    int who = -1;
    *most = 0;
    for (int i = 0; p->waits_time && i < p->n_pes; i++) {
        const uint64_t time = p->waits_time[(size_t)i * (size_t)p->n_pes + (size_t)whom];
        who = time > *most ? i : who;
        *most = time > *most ? time : *most;
    }
    return who;
}

static void write_pes(const struct profile *p, FILE *out)
{
    bool first = true;
    fprintf(out, ",\n\"per_pe\": [");
    for (int i = 0; i < p->n_pes; i++) {
        const struct piece *one = &p->pe[i];
        if (!one->head)
            continue;
        uint64_t most;
        const int who = most_waiting(p, i, &most);
        char number[16] = "null";
        if (who >= 0)
            snprintf(number, sizeof number, "%d", who + p->first);
        fprintf(out, "%s{\"pe\": %d, \"node\": %d, \"threads\": %u, \"seconds\": %.9f, \"communication\": %.9f, "
                "\"synchronizing\": %.9f, \"waiting\": %.9f, \"computing\": %.9f, \"late\": %llu, "
                "\"late_seconds\": %.9f, \"late_most\": %s, \"late_most_seconds\": %.9f}", comma(&first),
                i + p->first, one->head->node, one->head->n_threads ? one->head->n_threads : 1, seconds(one->total),
                seconds(one->communication), seconds(one->synchronizing), seconds(one->waiting),
                seconds(one->computing), U(one->late), seconds(one->late_cost), number, seconds(most));
    }
    fprintf(out, "]");
}

static void write_routines(const struct profile *p, FILE *out)
{
    static const char *const classes[] = {"transfer", "wait", "collective", "memory", "barrier"};
    bool first = true;
    uint32_t n;
    struct routine *all = routines_of(p, &n);
    fprintf(out, ",\n\"routines\": [");
    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, "%s{\"name\": ", comma(&first));
        json_string(out, all[i].name);
        fprintf(out, ", \"class\": \"%s\", \"calls\": %llu, \"bytes\": %llu, \"seconds\": %.9f, \"waiting\": %.9f, "
                "\"longest\": %.9f, \"largest\": %llu}", classes[all[i].class], U(all[i].calls), U(all[i].bytes),
                seconds(all[i].time), seconds(all[i].waiting), seconds(all[i].longest), U(all[i].largest));
    }
    fprintf(out, "]");
    free(all);
}

static int by_time(const void *a, const void *b)
{
    const struct site *x = *(struct site *const *)a, *y = *(struct site *const *)b;
    return (x->time < y->time) - (x->time > y->time);
}

static void write_sites(const struct profile *p, FILE *out)
{
    bool first = true;
    const struct site **all = zeroed(p->n_sites, sizeof *all);
    for (uint32_t i = 0; i < p->n_sites; i++)
        all[i] = &p->sites[i];
    qsort(all, p->n_sites, sizeof *all, by_time);
    fprintf(out, ",\n\"sites\": [");
    for (uint32_t i = 0; i < p->n_sites; i++) {
        const struct site *s = all[i];
        char place[600];
        fprintf(out, "%s{\"routine\": ", comma(&first));
        json_string(out, s->routine);
        fprintf(out, ", \"place\": ");
        json_string(out, place_of(s, place, sizeof place));
        fprintf(out, ", \"function\": ");
        json_string(out, s->function ? s->function : "");
        fprintf(out, ", \"calls\": %llu, \"bytes\": %llu, \"seconds\": %.9f, \"waiting\": %.9f}", U(s->calls),
                U(s->bytes), seconds(s->time), seconds(s->waiting));
    }
    fprintf(out, "]");
    free(all);
}

/* The smallest number of bytes with this many bits. */
static uint64_t range_from(uint32_t bits)
{
    return bits ? U(1) << (bits - 1) : 0;
}

static uint64_t range_to(uint32_t bits)
{
    return bits ? 2 * range_from(bits) - 1 : 0;
}

static void write_sizes(const struct profile *p, FILE *out)
{
    static const char *const directions[] = {"put", "get", "atomic", "collective"};
    static const char *const paths[] = {"store", "message", "network"};
    fprintf(out, ",\n\"sizes\": {");
    for (int d = 0; d < PIECE_DIRECTIONS; d++) {
        bool first = true;
        fprintf(out, "%s\"%s\": [", d ? ",\n " : "", directions[d]);
        for (int i = 0; i < PIECE_SIZES; i++)
            if (p->sizes[d][i].calls)
                fprintf(out, "%s{\"from\": %llu, \"to\": %llu, \"calls\": %llu, \"bytes\": %llu}", comma(&first),
                        U(range_from((uint32_t)i)), U(range_to((uint32_t)i)), U(p->sizes[d][i].calls),
                        U(p->sizes[d][i].bytes));
        fprintf(out, "]");
    }
    fprintf(out, "},\n\"paths\": {");
    for (int i = 0; i < PIECE_PATHS; i++)
        fprintf(out, "%s\"%s\": {\"calls\": %llu, \"bytes\": %llu}", i ? ", " : "", paths[i], U(p->paths[i].calls),
                U(p->paths[i].bytes));
    fprintf(out, "}");
}

static int by_collective(const void *a, const void *b)
{
    const struct piece_algorithm *x = a, *y = b;
    const int order = strcmp(x->collective, y->collective);
    return order ? order : (x->range > y->range) - (x->range < y->range);
}

static void write_algorithms(const struct profile *p, FILE *out)
{
    bool first = true;
    if (p->n_algorithms)
        qsort(p->algorithms, p->n_algorithms, sizeof *p->algorithms, by_collective);
    fprintf(out, ",\n\"algorithms\": [");
    for (uint32_t i = 0; i < p->n_algorithms; i++) {
        const struct piece_algorithm *a = &p->algorithms[i];
        fprintf(out, "%s{\"collective\": ", comma(&first));
        json_string(out, a->collective);
        fprintf(out, ", \"algorithm\": ");
        json_string(out, a->algorithm);
        fprintf(out, ", \"from\": %llu, \"to\": %llu, \"calls\": %llu, \"bytes\": %llu}", U(range_from(a->range)),
                U(range_to(a->range)), U(a->calls), U(a->bytes));
    }
    fprintf(out, "]");
}

/* The nonzero traffic between PEs, as a matrix whose rows and columns stand for `each` PEs. */
static void write_traffic(const struct profile *p, FILE *out, int each)
{
    const int n = (p->n_pes + each - 1) / each;
    struct piece_traffic *row = zeroed((size_t)n, sizeof *row);
    bool first = true;
    fprintf(out, ",\n\"traffic_each\": %d,\n\"traffic\": [", each);
    for (int pe = 0; pe < p->n_pes; pe++) {
        for (int to = 0; p->pe[pe].head && to < p->n_pes; to++) {
            const struct piece_traffic *t = &p->pe[pe].traffic[to];
            row[to / each].put.calls += t->put.calls;
            row[to / each].put.bytes += t->put.bytes;
            row[to / each].got.calls += t->got.calls;
            row[to / each].got.bytes += t->got.bytes;
        }
        if ((pe + 1) % each && pe + 1 < p->n_pes)
            continue;
        for (int i = 0; i < n; i++)
            if (row[i].put.calls || row[i].got.calls)
                fprintf(out, "%s[%d, %d, %llu, %llu, %llu, %llu]", comma(&first), pe / each * each + p->first,
                        i * each + p->first, U(row[i].put.calls), U(row[i].put.bytes), U(row[i].got.calls),
                        U(row[i].got.bytes));
        memset(row, 0, (size_t)n * sizeof *row);
    }
    fprintf(out, "]");
    free(row);
}

/* How often and how long each PE has waited for each other PE, in the same form as the traffic. */
static void write_waits(const struct profile *p, FILE *out, int each)
{
    const int n = (p->n_pes + each - 1) / each;
    uint64_t *waits = zeroed((size_t)n, sizeof *waits), *time = zeroed((size_t)n, sizeof *time);
    bool first = true;
    fprintf(out, ",\n\"collectives_known\": %.9f,\n\"waits\": [", 1.0 / p->every);
    for (int pe = 0; p->waits && pe < p->n_pes; pe++) {
        for (int i = 0; i < p->n_pes; i++) {
            waits[i / each] += p->waits[(size_t)pe * (size_t)p->n_pes + (size_t)i];
            time[i / each] += p->waits_time[(size_t)pe * (size_t)p->n_pes + (size_t)i];
        }
        if ((pe + 1) % each && pe + 1 < p->n_pes)
            continue;
        for (int i = 0; i < n; i++)
            if (waits[i])
                fprintf(out, "%s[%d, %d, %llu, %.9f]", comma(&first), pe / each * each + p->first, i * each + p->first,
                        U(waits[i]), seconds(time[i]));
        memset(waits, 0, (size_t)n * sizeof *waits);
        memset(time, 0, (size_t)n * sizeof *time);
    }
    fprintf(out, "]");
    free(waits);
    free(time);
}

/* The heap's allocation over time, of the PE with the largest allocation. */
static void write_memory(const struct profile *p, FILE *out)
{
    uint64_t peak = 0;
    int most = -1;
    bool first = true;
    for (int pe = 0; pe < p->n_pes; pe++)
        for (uint32_t i = 0; p->pe[pe].head && i < p->pe[pe].head->n_memory; i++)
            if (p->pe[pe].memory[i].bytes > peak) {
                peak = p->pe[pe].memory[i].bytes;
                most = pe;
            }
    fprintf(out, ",\n\"memory\": {\"pe\": %d, \"most\": %llu, \"over_time\": [", most < 0 ? 0 : most + p->first,
            U(peak));
    for (uint32_t i = 0; most >= 0 && i < p->pe[most].head->n_memory; i++)
        fprintf(out, "%s[%.6f, %llu]", comma(&first),
                (double)(p->pe[most].memory[i].at - p->pe[most].head->began) / 1e9, U(p->pe[most].memory[i].bytes));
    fprintf(out, "]}");
}

static void write_origin(const struct profile *p, FILE *out)
{
    char date[40] = "";
    struct tm when;
    bool first = true;
    const time_t seconds_since = (time_t)p->date;
    if (localtime_r(&seconds_since, &when))
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %z", &when);
    fprintf(out, ",\n\"copal\": \"" COPAL_VERSION "\", \"date\": \"%s\", \"command\": ", date);
    json_string(out, p->command);
    fprintf(out, ",\n\"hosts\": [");
    for (int i = 0; i < p->n_hosts; i++) {
        fprintf(out, "%s{\"name\": ", comma(&first));
        json_string(out, p->hosts[i].name);
        fprintf(out, ", \"pes\": %d, \"processors\": %d}", p->hosts[i].n_pes, p->hosts[i].processors);
    }
    fprintf(out, "]");
}

void json_write(const struct profile *p, FILE *out, int most_rows)
{
    const int each = (p->n_pes + most_rows - 1) / most_rows;
    bool first = true;
    fprintf(out, "{\"version\": 1,\n\"program\": ");
    json_string(out, p->program);
    fprintf(out, ",\n\"unit\": \"%s\", \"pes\": %d, \"nodes\": %d, \"missing\": %d, \"seconds\": %.9f", p->unit,
            p->n_pes, p->n_nodes, p->n_missing, seconds(p->time));
    write_origin(p, out);
    write_pes(p, out);
    write_routines(p, out);
    write_sites(p, out);
    write_sizes(p, out);
    write_algorithms(p, out);
    write_traffic(p, out, each);
    write_waits(p, out, each);
    write_memory(p, out);
    fprintf(out, ",\n\"hints\": [");
    for (int i = 0; i < p->n_hints; i++) {
        fputs(comma(&first), out);
        json_string(out, p->hints[i]);
    }
    fprintf(out, "]}\n");
}

void page_write(const struct profile *p, FILE *out)
{
    static const char mark[] = "PROFILE_HERE";
    const char *at = strstr(page_html, mark);
    enum { MOST_ROWS = 256 };
    fwrite(page_html, 1, (size_t)(at - page_html), out);
    json_write(p, out, MOST_ROWS);
    fwrite(at + sizeof mark - 1, 1, (size_t)(page_html_end - at) - sizeof mark + 1, out);
}
