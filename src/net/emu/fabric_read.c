/* Reads fabric files: lines of the form key = value, and comments after #. */
#include "fabric.h"
#include "job/settings.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum kind { TIME, RATE, SIZE, COUNT, FACTOR, SEED, TOPOLOGY, SHAPE };
/* NETWORK: required if there are several nodes.  SHAPED: required if there is a shape, else not allowed. */
enum { OPTIONAL = 1, ANY_MODE = 2, DISORDER_ONLY = 4, NETWORK = 8, SHAPED = 16 };

struct key {
    const char *name;
    enum kind kind;
    unsigned flags;
    double least, most; /* in units of the fabric: picoseconds, bytes a second, bytes */
    size_t offset;
    const char *allowed;
};

static const char a_time[] = "a time from 0 to 1 s, as 1.2 us";
static const char a_rate[] = "a rate above 0, as 12.5 GB/s or 100 Gbit/s";

#define AT(MEMBER) offsetof(struct fabric, MEMBER)
static const struct key keys[] = {
    {"send_overhead", TIME, NETWORK, 0, 1e12, AT(send_overhead), a_time},
    {"receive_overhead", TIME, NETWORK, 0, 1e12, AT(receive_overhead), a_time},
    {"put_overhead", TIME, NETWORK, 0, 1e12, AT(put_overhead), a_time},
    {"get_overhead", TIME, NETWORK, 0, 1e12, AT(get_overhead), a_time},
    {"copy_bandwidth", RATE, NETWORK, 1, 1e15, AT(copy_byte), a_rate},
    {"adapters", COUNT, OPTIONAL, 1, 64, AT(adapters), "a number from 1 to 64"},
    {"gap", TIME, NETWORK, 0, 1e12, AT(gap), a_time},
    {"bandwidth", RATE, NETWORK, 1, 1e15, AT(gap_byte), a_rate},
    {"latency", TIME, NETWORK, 0, 1e12, AT(latency), a_time},
    {"hop_latency", TIME, NETWORK, 0, 1e12, AT(hop_latency), a_time},
    {"atomic", TIME, OPTIONAL, 0, 1e12, AT(atomic), a_time},
    {"topology", TOPOLOGY, OPTIONAL, 0, 0, AT(topology),
     "crossbar, fat-tree radix=N oversubscription=X, or dragonfly groups=N routers=N ports=N links=N"},
    {"link_bandwidth", RATE, OPTIONAL, 1, 1e15, AT(link_byte), a_rate},
    {"node_latency", TIME, 0, 0, 1e12, AT(near.node_latency), a_time},
    {"node_bandwidth", RATE, 0, 1, 1e15, AT(near.node_gap_byte), a_rate},
    {"node", SHAPE, OPTIONAL, 1, 1024, AT(near.sockets), "sockets x L3 groups x cores, as 2 x 8 x 8"},
    {"group_latency", TIME, SHAPED, 0, 1e12, AT(near.group_latency), a_time},
    {"socket_latency", TIME, SHAPED, 0, 1e12, AT(near.socket_latency), a_time},
    {"access_overhead", TIME, SHAPED, 0, 1e12, AT(near.access_overhead), a_time},
    {"line_gap", TIME, SHAPED, 0, 1e12, AT(near.line_gap), a_time},
    {"memory_bandwidth", RATE, SHAPED, 1, 1e15, AT(near.memory_gap_byte), a_rate},
    {"compute", FACTOR, OPTIONAL, 0, 1e6, AT(near.compute), "a number from 0 to 1000000"},
    {"message_most", SIZE, OPTIONAL | ANY_MODE, 1024, 1 << 20, AT(message_most), "a size from 1 KiB to 1 MiB"},
    {"queue", COUNT, OPTIONAL | ANY_MODE, 1, 65536, AT(queue), "a number of messages from 1 to 65536"},
    {"disorder", SEED, DISORDER_ONLY, 0, 0x1p63, AT(seed), "a whole number from 0 to 2^63, the seed"},
    {"break_at", SEED, OPTIONAL | DISORDER_ONLY, 0, 0x1p63, AT(break_at),
     "a whole number from 0 to 2^63: which operation of a PE finds its endpoint broken"},
};
enum { KEYS = sizeof keys / sizeof *keys, TOPOLOGY_KEY = 11, NODE_KEY = 15, DISORDER_KEY = KEYS - 2 };

struct reader {
    const char *file;
    int line;
    int seen[KEYS]; /* the line of each key */
    struct fabric *f;
    char *why;
};

static bool __attribute__((format(printf, 2, 3), cold)) refuse(const struct reader *r, const char *fmt, ...)
{
    const int length = r->line ? snprintf(r->why, FABRIC_WHY_BYTES, "%s, line %d: ", r->file, r->line)
                               : snprintf(r->why, FABRIC_WHY_BYTES, "%s: ", r->file);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(r->why + length, (size_t)(FABRIC_WHY_BYTES - length), fmt, ap); /* file leaves space: see fabric_read */
    va_end(ap);
    return false;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

struct unit {
    const char *name;
    double times;
};

static const struct unit times[] = {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}, {NULL, 0}};
static const struct unit rates[] = {{"B/s", 1},         {"KB/s", 1e3},       {"MB/s", 1e6},       {"GB/s", 1e9},
                                    {"KiB/s", 0x1p10},  {"MiB/s", 0x1p20},   {"GiB/s", 0x1p30},   {"bit/s", 0.125},
                                    {"kbit/s", 125},    {"Mbit/s", 0.125e6}, {"Gbit/s", 0.125e9}, {NULL, 0}};
static const struct unit sizes[] = {{"B", 1},           {"KB", 1e3},      {"MB", 1e6},      {"KiB", 0x1p10},
                                    {"MiB", 0x1p20},    {"GiB", 0x1p30},  {NULL, 0}};
static const struct unit none[] = {{"", 1}, {NULL, 0}};

static char *trimmed(char *text)
{
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1]))
        text[--length] = 0;
    return text;
}

/* A number and its unit, with optional blanks between them. */
static bool number_with_unit(const char *text, const struct unit *units, double *value)
{
    char *end;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* the program's locale may have a decimal comma */
    const double number = strtod_l(text, &end, plain);
    freelocale(plain);
    if (end == text || text[strspn(text, "+-0123456789.eE")] != *end || !(number > -HUGE_VAL && number < HUGE_VAL))
        return false;
    while (*end == ' ' || *end == '\t')
        end++;
    for (; units->name; units++)
        if (strcmp(end, units->name) == 0) {
            *value = number * units->times;
            return true;
        }
    return false;
}

static bool whole_number(const char *text, double least, double most, double *value)
{
    return text[strspn(text, "0123456789")] == 0 && number_with_unit(text, none, value) && *value >= least &&
           *value <= most;
}

/* A word of a topology, for example radix=36, and the member that it sets. */
struct word {
    const char *name;
    double least, most;
    int *to;
    double *real; /* used instead of `to` if the member is real */
    bool seen;
};

static bool refuse_word(const struct reader *r, const char *topology, const char *word, const struct word *words)
{
    char allowed[200] = "";
    for (size_t at = 0; words->name && at < sizeof allowed; words++)
        at += (size_t)snprintf(allowed + at, sizeof allowed - at, " %s=%s from %g to %g%s", words->name,
                               words->real ? "X" : "N", words->least, words->most, words[1].name ? "," : "");
    return refuse(r, "topology is \"%s\", but %s %s%s; each of these is required once:%s", topology, topology,
                  word ? "cannot have " : "lacks some words", word ? word : "", allowed);
}

static bool read_words(const struct reader *r, const char *topology, char *rest, struct word *words)
{
    char *more;
    for (char *at = strtok_r(rest, " \t", &more); at; at = strtok_r(NULL, " \t", &more)) {
        char *is = strchr(at, '=');
        const size_t length = is ? (size_t)(is - at) : strlen(at);
        struct word *w = words;
        while (w->name && !(strlen(w->name) == length && strncmp(w->name, at, length) == 0))
            w++;
        double value = 0;
        const bool fits = w->name && is && !w->seen &&
                          (w->real ? number_with_unit(is + 1, none, &value) && value >= w->least && value <= w->most
                                   : whole_number(is + 1, w->least, w->most, &value));
        if (!fits)
            return refuse_word(r, topology, at, words);
        w->seen = true;
        if (w->real)
            *w->real = value;
        else
            *w->to = (int)value;
    }
    for (const struct word *w = words; w->name; w++)
        if (!w->seen)
            return refuse_word(r, topology, NULL, words);
    return true;
}

static bool read_fat_tree(const struct reader *r, struct topology *t, char *rest)
{
    struct word words[] = {{"radix", 2, 1024, &t->radix, NULL, false},
                           {"oversubscription", 1, 1023, NULL, &t->oversubscription, false},
                           {0}};
    t->kind = TOPOLOGY_FAT_TREE;
    if (!read_words(r, "fat-tree", rest, words))
        return false;
    t->down = (int)(t->radix * t->oversubscription / (1 + t->oversubscription) + 1e-9);
    t->up = t->radix - t->down;
    return t->up > 0 || refuse(r, "topology has switches of %d ports, too few for an oversubscription of %g; allowed "
                                  "is at most %d", t->radix, t->oversubscription, t->radix - 1);
}

static bool read_dragonfly(const struct reader *r, struct topology *t, char *rest)
{
    struct word words[] = {{"groups", 1, 1024, &t->groups, NULL, false},
                           {"routers", 1, 256, &t->routers, NULL, false},
                           {"ports", 1, 256, &t->per_router, NULL, false},
                           {"links", 1, 256, &t->links, NULL, false},
                           {0}};
    t->kind = TOPOLOGY_DRAGONFLY;
    return read_words(r, "dragonfly", rest, words);
}

static bool read_topology(const struct reader *r, const struct key *key, char *value)
{
    struct topology *t = &r->f->topology;
    const size_t length = strcspn(value, " \t");
    char *rest = value + length;
    if (*rest)
        *rest++ = 0;
    if (strcmp(value, "fat-tree") == 0)
        return read_fat_tree(r, t, rest);
    if (strcmp(value, "dragonfly") == 0)
        return read_dragonfly(r, t, rest);
    t->kind = TOPOLOGY_CROSSBAR;
    if (strcmp(value, "crossbar") == 0 && !*rest)
        return true;
    return refuse(r, "topology is \"%s%s%s\", allowed is %s", value, *rest ? " " : "", rest, key->allowed);
}

static bool read_shape(const struct reader *r, const struct key *key, char *value)
{
    int *const part[] = {&r->f->near.sockets, &r->f->near.groups, &r->f->near.cores};
    char *more = value;
    for (int i = 0; i < 3; i++) {
        char *const word = strsep(&more, "x");
        double v = 0;
        if (!word || !whole_number(trimmed(word), key->least, key->most, &v) || (i == 2 && more))
            return refuse(r, "node is not %s, with numbers from 1 to %g", key->allowed, key->most);
        *part[i] = (int)v;
    }
    return true;
}

static bool read_value(const struct reader *r, const struct key *key, char *value)
{
    void *to = (char *)r->f + key->offset;
    double v = 0;
    bool fits = false;
    switch (key->kind) {
    case TIME:
        /* MUTANT a fabric's times have bounds: v >= key->least && v <= key->most => true */
        fits = number_with_unit(value, times, &v) && v >= key->least && v <= key->most;
        *(uint64_t *)to = fits ? (uint64_t)(v + 0.5) : 0;
        break;
    case RATE:
        fits = number_with_unit(value, rates, &v) && v >= key->least && v <= key->most;
        *(double *)to = fits ? 1e12 / v : 0;
        break;
    case SIZE:
        fits = number_with_unit(value, sizes, &v) && v >= key->least && v <= key->most;
        *(size_t *)to = fits ? (size_t)v : 0;
        break;
    case COUNT:
        fits = whole_number(value, key->least, key->most, &v);
        *(int *)to = fits ? (int)v : 0;
        break;
    case FACTOR:
        fits = number_with_unit(value, none, &v) && v >= key->least && v <= key->most;
        *(double *)to = v;
        break;
    case SEED:
        fits = whole_number(value, key->least, key->most, &v);
        *(uint64_t *)to = fits ? strtoull(value, NULL, 10) : 0;
        break;
    case TOPOLOGY:
        return read_topology(r, key, value);
    case SHAPE:
        return read_shape(r, key, value);
    }
    return fits || refuse(r, "%s is \"%s\", allowed is %s", key->name, value, key->allowed);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool refuse_key(const struct reader *r, const char *name)
{
    const struct key *nearest = keys;
    for (int i = 1; i < KEYS; i++)
        if (setting_distance(name, keys[i].name) < setting_distance(name, nearest->name))
            nearest = &keys[i];
    return refuse(r, "there is no key \"%s\"; the nearest is %s, which is %s", name, nearest->name, nearest->allowed);
}

static bool read_line(struct reader *r, char *text)
{
    text[strcspn(text, "#")] = 0;
    text = trimmed(text);
    if (!*text)
        return true;
    char *is = strchr(text, '=');
    if (!is)
        return refuse(r, "\"%s\" is no line of the form key = value, nor a comment after #", text);
    *is = 0;
    const char *name = trimmed(text);
    char *value = trimmed(is + 1);
    for (int i = 0; i < KEYS; i++)
        if (strcmp(name, keys[i].name) == 0) {
            if (r->seen[i])
                return refuse(r, "%s is set twice, also in line %d", name, r->seen[i]);
            r->seen[i] = r->line;
            return *value ? read_value(r, &keys[i], value)
                          : refuse(r, "%s has no value, allowed is %s", name, keys[i].allowed);
        }
    return refuse_key(r, name);
}

/* Whether the file has all required keys of one mode (disorder or times), and none of the other mode. */
static bool complete(struct reader *r)
{
    const bool disorder = r->seen[DISORDER_KEY];
    for (int i = 0; i < KEYS; i++) {
        const bool fits = keys[i].flags & ANY_MODE || disorder == !!(keys[i].flags & DISORDER_ONLY);
        r->line = r->seen[i];
        if (!fits && r->seen[i])
            return refuse(r, disorder ? "%s is only for a fabric with times, but line %d sets disorder"
                                      : "%s is only for a fabric with disorder, which is not set%.0d",
                          keys[i].name, r->seen[DISORDER_KEY]);
        if (keys[i].flags & SHAPED && r->seen[i] && !r->seen[NODE_KEY])
            return refuse(r, "%s requires the key node, which is not set; it is %s", keys[i].name,
                          keys[NODE_KEY].allowed);
        const unsigned unused = OPTIONAL | (r->f->nodes == 1 ? NETWORK : 0u) | (r->seen[NODE_KEY] ? 0u : SHAPED);
        if (fits && !r->seen[i] && !(keys[i].flags & unused))
            return refuse(r, "%s is missing; it is %s", keys[i].name, keys[i].allowed);
    }
    return true;
}

static bool fit_nodes(const struct reader *r)
{
    struct fabric *f = r->f;
    const long wanted = (long)f->nodes * f->adapters, room = topology_room(&f->topology);
    f->topology.ports = (int)wanted;
    if (wanted <= room)
        return true;
    if (f->topology.kind == TOPOLOGY_FAT_TREE)
        return refuse(r, "topology is a fat tree of two levels, whose %d switches have %d ports each for adapters, "
                         "%ld in all, too few for %d nodes with %d adapter(s) each; allowed is a larger radix or fewer "
                         "nodes", f->topology.radix, f->topology.down, room, f->nodes, f->adapters);
    return refuse(r, "topology is a dragonfly of %d groups of %d routers with %d ports each, %ld in all, too few for "
                     "%d nodes with %d adapter(s) each; allowed is more of them or fewer nodes",
                  f->topology.groups, f->topology.routers, f->topology.per_router, room, f->nodes, f->adapters);
}

static bool read_lines(struct reader *r, FILE *in)
{
    char line[512];
    while (fgets(line, sizeof line, in)) {
        r->line++;
        const size_t length = strcspn(line, "\n");
        if (!line[length] && length == sizeof line - 1)
            return refuse(r, "the line is too long; at most %zu characters are", sizeof line - 2);
        line[length] = 0;
        if (!read_line(r, line))
            return false;
    }
    if (ferror(in)) {
        r->line = 0;
        return refuse(r, "it cannot be read: %s", strerror(errno));
    }
    if (!complete(r))
        return false;
    r->line = r->seen[TOPOLOGY_KEY];
    r->f->disorder = r->seen[DISORDER_KEY];
    if (r->f->link_byte == 0)
        r->f->link_byte = r->f->gap_byte;
    return fit_nodes(r);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static const char suffix[] = ".fabric";

/* The folder of predefined fabrics: share/copal/fabrics in the nearest folder above this library that has it. */
static bool ready_made(char folder[PATH_MAX])
{
    Dl_info here;
    char path[PATH_MAX], above[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)fabric_read, &here) || !here.dli_fname || !realpath(here.dli_fname, above))
        return false;
    for (char *slash; (slash = strrchr(above, '/'));) {
        *slash = 0;
        if ((size_t)snprintf(path, sizeof path, "%s/share/copal/fabrics", above) < sizeof path &&
            access(path, X_OK) == 0) {
            strcpy(folder, path);
            return true;
        }
    }
    return false;
}

static int is_fabric(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return length > sizeof suffix - 1 && strcmp(entry->d_name + length - (sizeof suffix - 1), suffix) == 0;
}

static bool refuse_name(const struct reader *r, const char *folder)
{
    char names[FABRIC_WHY_BYTES / 2] = "";
    struct dirent **found = NULL;
    const int n = folder ? scandir(folder, &found, is_fabric, alphasort) : 0;
    for (int i = 0, at = 0; i < n; i++) {
        if (at < (int)sizeof names)
            at += snprintf(names + at, sizeof names - (size_t)at, "%s%.*s", i ? ", " : "",
                           (int)(strlen(found[i]->d_name) - (sizeof suffix - 1)), found[i]->d_name);
        free(found[i]);
    }
    free(found);
    return refuse(r, "there is no such file, and no ready-made fabric of that name; these are: %s",
                  n > 0 ? names : "none, share/copal/fabrics is not above this library");
}

/* Opens the file.  NULL: r->why has the error. */
static FILE *open_fabric(const struct reader *r, const char *name)
{
    char folder[PATH_MAX], path[2 * PATH_MAX];
    FILE *in = fopen(name, "re");
    if (in || errno != ENOENT || strchr(name, '/')) {
        if (!in)
            refuse(r, "it cannot be read: %s; allowed is a fabric file or a ready-made fabric's name", strerror(errno));
        return in;
    }
    const bool found = ready_made(folder);
    if (found) {
        snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
        in = fopen(path, "re");
    }
    if (!in)
        refuse_name(r, found ? folder : NULL);
    return in;
}

static bool read_seed(const struct reader *r, const char *seed)
{
    double value;
    r->f->disorder = true;
    r->f->seed = strtoull(seed, NULL, 10);
    return (*seed && whole_number(seed, 0, 0x1p63, &value)) ||
           refuse(r, "\"%s\" is no seed, allowed is disorder:SEED with %s", seed, keys[DISORDER_KEY].allowed);
}

const char *fabric_read(struct fabric *f, const char *name, int n_nodes)
{
    static char why[FABRIC_WHY_BYTES];
    char file[FABRIC_NAME_BYTES + 10];
    *f = (struct fabric){.nodes = n_nodes, .adapters = 1, .near.compute = 1, .message_most = 8192, .queue = 256};
    snprintf(f->name, sizeof f->name, "%s", name);
    snprintf(file, sizeof file, "fabric %s", f->name);
    struct reader r = {.file = file, .f = f, .why = why};
    if (strncmp(name, "disorder:", strlen("disorder:")) == 0)
        return read_seed(&r, name + strlen("disorder:")) ? NULL : why;
    FILE *in = open_fabric(&r, name);
    if (!in)
        return why;
    const bool good = read_lines(&r, in);
    fclose(in);
    return good ? NULL : why;
}
