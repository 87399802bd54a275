#include "net/tune.h"
#include "job/settings.h"

#include <stdio.h>
#include <string.h>

struct net_tune net_tune = {
    .message = 65536,
    .put = 4096,
    .nbi = 16384,
    .get = 16384,
    .stream = 32768,
    .later = 262144,
    .block = 16384,
    .sends = 256,
    .asked = 4096,
    .pieces = 64,
    .reach = (size_t)256 << 20,
};

static const struct {
    const char *name;
    size_t *value;
    bool is_gathered; /* moved in messages: the default is at most half a message */
} known[] = {{"message", &net_tune.message, false}, {"put", &net_tune.put, false},
             {"nbi", &net_tune.nbi, true},          {"get", &net_tune.get, true},
             {"stream", &net_tune.stream, false},   {"later", &net_tune.later, false},
             {"block", &net_tune.block, true},      {"sends", &net_tune.sends, false},
             {"asked", &net_tune.asked, false},     {"pieces", &net_tune.pieces, false},
             {"reach", &net_tune.reach, false}};
enum { N_KNOWN = sizeof known / sizeof *known };
static bool is_set[N_KNOWN]; /* by the user */

void tune_read(void)
{
    const char *text = setting_text(SETTING_SHMEM_NET_TUNE);
    for (const char *at = text; at && *at;) {
        char name[16];
        size_t value;
        int used = 0;
        bool found = false;
        if (sscanf(at, "%15[a-z]=%zu%n", name, &value, &used) != 2 || (at[used] && at[used] != ','))
            used = 0;
        for (size_t i = 0; used && i < N_KNOWN; i++)
            if (strcmp(name, known[i].name) == 0) {
                *known[i].value = value;
                found = is_set[i] = true;
            }
        if (!found)
            setting_refuse(SETTING_SHMEM_NET_TUNE, NULL);
        at += at[used] ? used + 1 : used;
    }
}

/* For SHMEM_INFO: all current values.  A name has up to 7 letters, a number up to 20 digits. */
static void note(void)
{
    char list[N_KNOWN * 32] = "";
    int n = 0;
    for (size_t i = 0; i < N_KNOWN; i++)
        n += snprintf(list + n, sizeof list - (size_t)n, "%s%s=%zu", i ? "," : "", known[i].name, *known[i].value);
    setting_note(SETTING_SHMEM_NET_TUNE, setting_text(SETTING_SHMEM_NET_TUNE) ? "environment" : "default", "%s", list);
}

void tune_fit(const struct provider *provider)
{
    const size_t most = provider->message_most & ~(size_t)(RECORD_ALIGN - 1);
    net_tune.message &= ~(size_t)(RECORD_ALIGN - 1);
    if (net_tune.message > most)
        net_tune.message = most;
    if (net_tune.message < 256)
        job_fatal("shmem_init", "the network %s takes messages of %zu bytes, and at least 256 are needed",
                  provider->name, most);
    for (size_t i = 0; i < N_KNOWN; i++)
        if (known[i].is_gathered && !is_set[i] && *known[i].value > net_tune.message / 2)
            *known[i].value = net_tune.message / 2;
    const size_t room = record_room(sizeof(struct args_strided));
    size_t *const limited[] = {&net_tune.get, &net_tune.block};
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        if (*limited[i] > room)
            *limited[i] = room;
    net_tune.sends += !net_tune.sends;
    net_tune.asked += !net_tune.asked;
    net_tune.pieces += !net_tune.pieces;
    size_t reach = (size_t)1 << 20; /* a power of two, suited to huge pages */
    while (reach <= net_tune.reach / 2)
        reach *= 2;
    net_tune.reach = reach;
    note();
}

void tune_add_stats(struct net_stats *to, const struct net_stats *s)
{
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *more = (const uint64_t *)s;
    for (size_t i = 0; i < sizeof *s / sizeof *sum; i++)
        sum[i] += more[i];
}

void tune_print_stats(const struct net_stats *s)
{
    if (!setting_on(SETTING_SHMEM_NET_STATS))
        return;
    char line[640]; /* fprintf may write it in pieces, between which other PEs write */
    snprintf(line, sizeof line,
             "copal: PE %d: network: %lu messages, %lu bytes, %lu records, %lu replies; %lu records served; %lu puts, "
             "%lu gets; %lu connections, %lu bytes for peers; %lu heap segments; %lu polls of the progress thread; "
             "%lu messages without the port's secret dropped\n",
             self.pe, s->messages, s->message_bytes, s->records, s->replies, s->served, s->puts, s->gets,
             s->connections, s->peer_bytes, s->pieces, s->thread_turns, s->strangers);
    fputs(line, stderr);
}
