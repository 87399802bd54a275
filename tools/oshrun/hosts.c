/* --hosts: the hosts, and the number of PEs on each. */
#include "target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define BLANK " \t\r"

/* All PEs of a repeated host are counted at its first position: a batch system's file has one line for each PE. */
static struct host *find_or_add(struct hosts *h, char *name)
{
    for (int i = h->n; i-- > 0;) /* mostly the last one */
        if (strcmp(h->host[i].name, name) == 0)
            return &h->host[i];
    h->host = enlarge(h->host, sizeof *h->host * (size_t)(h->n + 1));
    h->host[h->n] = (struct host){.name = name};
    return &h->host[h->n++];
}

/* "host", "host:4", "host slots=4" */
static void add(struct hosts *h, const char *shown, char *entry)
{
    entry += strspn(entry, BLANK);
    const size_t length = strcspn(entry, ":" BLANK);
    const char *count = entry + length + strspn(entry + length, ":" BLANK);
    int n_pes = 0;
    if (*count) {
        char rest;
        if (strncmp(count, "slots=", 6) == 0)
            count += 6;
        if (sscanf(count, "%9d %c", &n_pes, &rest) != 1 || n_pes < 1 || n_pes > MAX_PES)
            die(EXIT_USAGE, "--hosts %s: \"%s\": expected HOST or HOST:COUNT", shown, entry);
    }
    if (length == 0 || entry[0] == '-')
        die(EXIT_USAGE, "--hosts %s: \"%s\": expected HOST or HOST:COUNT", shown, entry);
    const bool first = h->n == 0;
    entry[length] = '\0';
    struct host *host = find_or_add(h, entry);
    if (!first && (n_pes > 0) != h->counted)
        die(EXIT_USAGE, "--hosts %s: give a count for every host or for none", shown);
    h->counted = n_pes > 0;
    h->repeated |= host->n_pes > 0 && n_pes == 0;
    host->n_pes += n_pes ? n_pes : 1;
}

static char *read_file(const char *shown, const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *f = fopen(path, "re");
    const ssize_t length = f ? getdelim(&text, &room, '\0', f) : -1;
    if (!f || (length < 0 && !feof(f)))
        die(EXIT_USAGE, "--hosts %s: %s", shown, strerror(errno));
    fclose(f);
    if (length < 0) /* the entry was empty, and nothing was stored */
        text = enlarge(text, 1), *text = '\0';
    return text;
}

void hosts_read(struct hosts *h, const char *text)
{
    const bool file = text[0] == '@';
    *h = (struct hosts){.text = file ? read_file(text, text + 1) : strdup(text)};
    if (!h->text)
        no_memory();
    for (char *rest = h->text, *entry; (entry = strsep(&rest, file ? "\n" : ","));) {
        if (file)
            entry[strcspn(entry, "#")] = '\0';
        if (!file || entry[strspn(entry, BLANK)])
            add(h, text, entry);
    }
    if (h->n == 0)
        die(EXIT_USAGE, "--hosts %s: it names no host", text);
}

/* Places the PEs in blocks: as many on each host as it has slots, or the same number on each, perhaps fewer on the
 * last. */
void hosts_share(struct hosts *h, int n_pes, int n_hosts)
{
    if (n_hosts > h->n)
        die(EXIT_USAGE, "--nodes %d: --hosts names %d", n_hosts, h->n);
    if (n_hosts > 0)
        h->n = n_hosts;
    const int even = (n_pes + h->n - 1) / h->n;
    int left = n_pes, used = 0;
    for (; used < h->n && left > 0; used++) {
        struct host *host = &h->host[used];
        if (!(h->counted || h->repeated))
            host->n_pes = even;
        if (host->n_pes > left) /* MUTANT a host gets the rest */
            host->n_pes = left;
        left -= host->n_pes;
    }
    if (left > 0)
        die(EXIT_USAGE, "--hosts: the hosts take %d %ss, but -n requests %d; raise the counts, or leave them out",
            n_pes - left, words.unit, n_pes);
    h->n = used;
}

/* Compares with the system's own name, with its domain or without it. */
static bool is_this_host(const char *name)
{
    char own[256] = "";
    if (strcmp(name, "localhost") == 0 || strcmp(name, "127.0.0.1") == 0)
        return true;
    if (gethostname(own, sizeof own - 1) != 0 || !*own)
        return false;
    const size_t n = strcspn(own, "."), given = strcspn(name, ".");
    const bool is_short = !own[n] || !name[given]; /* one of the names has no domain */
    return strcasecmp(own, name) == 0 || (is_short && n == given && strncasecmp(own, name, n) == 0);
}

void settle_own_hosts(struct options *opt)
{
    if (!opt->hosts || (opt->launcher != LAUNCHER_ANY && opt->launcher != LAUNCHER_LOCAL))
        return;
    struct hosts h;
    int here = 0;
    hosts_read(&h, opt->hosts);
    for (int i = 0; i < h.n; i++)
        here += is_this_host(h.host[i].name);
    if (here == h.n) {
        hosts_share(&h, opt->n_pes, 0);
        opt->hosts = NULL;
        opt->launcher = LAUNCHER_LOCAL;
    }
    free(h.text);
    free(h.host);
}
