/* The user's requests in the environment. PE 0 reads and distributes them, so that all PEs choose equally.
 *
 * The area of PE 0 contains struct settings, then the requests, then the lines of the user's tuning table. */
#undef _GNU_SOURCE /* for secure_getenv; SHCOLL as a separate library is compiled without it */
#define _GNU_SOURCE
#include "settings.h"
#include "../group/flags.h"

#include "../../common/number.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

struct settings {
    struct shcoll_placement placement;
    struct shcoll_parameters parameters;
    int requests, lines; /* lines: -1 for the default table */
};
enum { RULES_AT = 256, ROOM = (SHCOLL_WORK_BYTES - RULES_AT) / sizeof(struct shcoll_rule) };
_Static_assert(sizeof(struct settings) <= RULES_AT, "rules begin behind the settings");

static struct shcoll_rule *rules; /* requests, then the user's table; NULL if there are neither */
static int n_requests;
static const struct shcoll_rule *table;
static int table_lines;

/* --- reading the environment -------------------------------------------------------------------------------------- */

enum setting {
#define SETTING(NAME, ...) SETTING_##NAME,
#include "settings.def"
#undef SETTING
    SETTINGS
};

static const struct shcoll_setting settings[SETTINGS] = {
#define SETTING(NAME, KIND, ALLOWED, USUAL, HELP, PAGES) {#NAME, NULL, ALLOWED, USUAL, HELP},
#include "settings.def"
#undef SETTING
};

/* The variable's value, or NULL if it is not set or empty. */
static const char *text_of(enum setting s)
{
    const char *value = secure_getenv(settings[s].name); /* NULL in a setuid program */
    return value && *value ? value : NULL;
}

bool shcoll_setting(int i, struct shcoll_setting *setting)
{
    if (i < 0 || i >= SETTINGS)
        return false;
    *setting = settings[i];
    setting->value = text_of((enum setting)i);
    return true;
}

/* The first request of a collective whose range includes the call's bytes is used, so the variables for one scan
 * precede the variable for both. */
static const struct {
    enum setting variable;
    enum shcoll_collective first, last;
} requests[] = {
    {SETTING_SHCOLL_SYNC, SHCOLL_SYNC, SHCOLL_SYNC},
    {SETTING_SHCOLL_BROADCAST, SHCOLL_BROADCAST, SHCOLL_BROADCAST},
    {SETTING_SHCOLL_FCOLLECT, SHCOLL_FCOLLECT, SHCOLL_FCOLLECT},
    {SETTING_SHCOLL_COLLECT, SHCOLL_COLLECT, SHCOLL_COLLECT},
    {SETTING_SHCOLL_ALLTOALL, SHCOLL_ALLTOALL, SHCOLL_ALLTOALL},
    {SETTING_SHCOLL_ALLTOALLS, SHCOLL_ALLTOALLS, SHCOLL_ALLTOALLS},
    {SETTING_SHCOLL_REDUCE, SHCOLL_REDUCE, SHCOLL_REDUCE},
    {SETTING_SHCOLL_INSCAN, SHCOLL_INSCAN, SHCOLL_INSCAN},
    {SETTING_SHCOLL_EXSCAN, SHCOLL_EXSCAN, SHCOLL_EXSCAN},
    {SETTING_SHCOLL_SCAN, SHCOLL_INSCAN, SHCOLL_EXSCAN},
};

/* Parses length characters such as "..496", "497..1M" or "1M..". */
static bool range_of(const char *text, size_t length, struct shcoll_rule *rule)
{
    const char *dots = strstr(text, "..");
    if (!dots || dots + 2 > text + length)
        return false;
    const size_t before = (size_t)(dots - text), after = length - before - 2;
    return (before == 0 || shcoll_size_of(text, before, &rule->least)) &&
           (after == 0 || shcoll_size_of(dots + 2, after, &rule->most)) && rule->least <= rule->most;
}

/* Reads the first request of a list, such as "ring:get@1M..". */
static void read_request(const char *request, enum shcoll_collective collective, struct shcoll_rules *to,
                         const char *where)
{
    struct shcoll_rule rule = {.most = UINT64_MAX, .collective = (uint8_t)collective};
    const size_t length = strcspn(request, ","), name = strcspn(request, "@,");
    if (name < length && !range_of(request + name + 1, length - name - 1, &rule))
        shcoll_fatal("%s: \"%.*s\" is no range of bytes; allowed are ranges like ..496, 497..64k and 1M..", where,
                     (int)(length - name - 1), request + name + 1);
    shcoll_rule_add(to, rule, request, name, where);
}

static void read_requests(struct shcoll_rules *to)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        const char *value = text_of(requests[i].variable);
        if (!value)
            continue;
        char where[256];
        snprintf(where, sizeof where, "%s is \"%.128s%s\"", settings[requests[i].variable].name, value,
                 strlen(value) > 128 ? "..." : "");
        for (enum shcoll_collective c = requests[i].first; c <= requests[i].last; c++)
            for (const char *at = value; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
                read_request(at, c, to, where);
    }
}

/* 0 if the variable is not set. */
static int read_node_size(void)
{
    const char *value = text_of(SETTING_SHCOLL_NODE_SIZE);
    int size = 0;
    if (value && !number_of(value, 1, INT_MAX, &size))
        shcoll_fatal("SHCOLL_NODE_SIZE is \"%s\", allowed is %s", value, settings[SETTING_SHCOLL_NODE_SIZE].allowed);
    return size;
}

static void check_info(void)
{
    const char *info = text_of(SETTING_SHCOLL_INFO);
    if (info && strcmp(info, "0") != 0 && strcmp(info, "1") != 0)
        shcoll_fatal("SHCOLL_INFO is \"%s\", allowed is %s", info, settings[SETTING_SHCOLL_INFO].allowed);
}

/* Copal's function: a time of its network, numbered as in shmemx.h. Other OpenSHMEMs do not have it. */
double shmemx_message_time(int which) __attribute__((weak));
enum { MESSAGE, GAP, BYTE, COPIED_BYTE, ADAPTER, ACROSS, NEAR, NEAR_BYTE, GROUPS, ACCESS, LINE_TIME, MEMORY_BYTE,
       GROUP_PES };

static bool is_emulated(void)
{
    return shmemx_message_time && shmemx_message_time(NEAR_BYTE) > 0;
}

/* Both PEs access the flag. If the time of an access is unknown, a store takes its PE an eighth of the latency. */
static struct shcoll_link link_of(double near, double byte)
{
    const double access = shmemx_message_time(ACCESS), store = access > 0 ? access : near / 8;
    return (struct shcoll_link){.alpha = near + store + access, .gap = store, .beta = byte};
}

static struct shcoll_parameters parameters_here(void)
{
    struct shcoll_parameters p = shcoll_default_parameters;
    if (!is_emulated())
        return p;
    double (*const time)(int) = shmemx_message_time;
    p.line = time(LINE_TIME);
    p.net = (struct shcoll_link){.alpha = time(MESSAGE), .gap = time(GAP), .beta = time(BYTE)};
    p.node = link_of(time(NEAR), time(NEAR_BYTE));
    p.copy = time(COPIED_BYTE);
    p.adapter = time(ADAPTER);
    p.reply = p.net.gap + 2 * (p.net.alpha > 2 * p.net.gap ? p.net.alpha - 2 * p.net.gap : 0); /* of a flush */
    p.across = time(ACROSS);
    p.memory = time(MEMORY_BYTE);
    p.slot = p.line > 0 ? time(NEAR_BYTE) : 16 * time(NEAR_BYTE);
    p.atomic = time(NEAR);
    p.turn = p.line > 0 ? p.atomic / 2 : 0; /* a line's transfer is half of the latency */
    p.gamma = p.line > 0 ? 0 : p.gamma; /* arithmetic of up to 10 us takes no emulated time */
    p.net_atomic = time(GROUPS) / 2;
    if (p.net_atomic > 0)
        p.net = link_of(time(GROUPS), time(NEAR_BYTE));
    return p;
}

void shcoll_settings_write(void *area, int node_size, int processors)
{
    struct shcoll_rules to = {.rule = (struct shcoll_rule *)((char *)area + RULES_AT), .room = ROOM};
    /* The default table was measured on a real machine, so an emulated machine does not use it. */
    struct settings s = {.parameters = parameters_here(), .lines = is_emulated() ? 0 : -1};
    const int forced = read_node_size();
    if (s.parameters.net_atomic > 0)
        node_size = (int)shmemx_message_time(GROUP_PES);
    check_info();
    s.placement = (struct shcoll_placement){.node_size = forced ? forced : node_size, .processors = processors,
                                            .emulated = is_emulated()};
    read_requests(&to);
    s.requests = to.n;
    const char *file = text_of(SETTING_SHCOLL_TABLE);
    if (file) {
        if (strcmp(file, "none") != 0)
            shcoll_table_read(file, &to, &s.parameters);
        s.lines = to.n - s.requests;
    }
    *(struct settings *)area = s;
}

/* --- distributing it ---------------------------------------------------------------------------------------------- */

static void read_rules(const char *area, int n)
{
    free(rules);
    rules = n ? malloc((size_t)n * sizeof *rules) : NULL;
    if (n && !rules)
        shcoll_fatal("no memory for the %d rules of SHCOLL's variables", n);
    if (n)
        shmem_getmem(rules, area + RULES_AT, (size_t)n * sizeof *rules, 0);
}

bool shcoll_info_wanted(void)
{
    const char *info = text_of(SETTING_SHCOLL_INFO);
    return info && strcmp(info, "0") != 0;
}

void shcoll_settings_take(const void *area, int sharing)
{
    /* Defaults, which PE 0's settings replace; if PE 0 has ended the job, nothing arrives and the defaults stay. */
    struct settings s = {.parameters = parameters_here(), .placement = {.node_size = 1, .processors = INT_MAX},
                         .lines = -1};
    shmem_getmem(&s, area, sizeof s, 0);
    shcoll_placement = s.placement;
    shcoll_placement.sharing = sharing;
    shcoll_placement.crowded = sharing > s.placement.processors;
    shcoll_placement.ring_shift = shcoll_placement.crowded || s.placement.node_size < shmem_n_pes() ? RING_SHIFT : 0;
    shcoll_parameters_take(&s.parameters);
    read_rules(area, s.requests + (s.lines > 0 ? s.lines : 0));
    n_requests = s.requests;
    table = s.lines < 0 ? shcoll_default_table : rules + s.requests;
    table_lines = s.lines < 0 ? shcoll_default_lines : s.lines;
}

const struct shcoll_rule *shcoll_table(int *n)
{
    *n = table_lines;
    return table;
}

/* --- the choice --------------------------------------------------------------------------------------------------- */

bool shcoll_requested(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                      struct shcoll_choice *choice, struct shcoll_bounds *same)
{
    for (int i = 0; i < n_requests; i++)
        if (rules[i].collective == collective && shcoll_rule_holds(&rules[i], bytes, same)) {
            *choice = shcoll_rule_choice(&rules[i], shape, bytes);
            return true; /* even if unsuitable, because the user requests it */
        }
    return false;
}

bool shcoll_tuned(enum shcoll_collective collective, const struct shcoll_shape *shape, size_t bytes,
                  struct shcoll_choice *choice, struct shcoll_bounds *same)
{
    return shcoll_table_choice(table, table_lines, collective, shape, bytes, choice, same);
}
