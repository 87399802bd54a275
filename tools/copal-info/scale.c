/* The costs that grow with a job: measured here for 64 peers, and computed for a million PEs. */
#include "info.h"

#include "net/peer.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

enum {
    WARM = 4,
    PEERS = 64,
    OUR_RECORD = sizeof(struct peer),
    OUR_TABLE = sizeof(struct peer *),
    MESSAGE = 8192,                     /* net_tune.message (net/tune.c) */
    CARD_HEAD = 56,                     /* an endpoint address without the provider's address and keys (net/card.c) */
    OF_NODE = sizeof(int[2]) + 8 + 32,  /* a run of PEs and the name of its host (boot/pmix/layout.c) */
    MANY = 1000000,
    ON_A_NODE = 64,
};

struct cost {
    double allocated, resident, files;
};

static struct cost cost_now(void)
{
    const struct mallinfo2 m = mallinfo2();
    struct cost c = {.allocated = (double)(m.uordblks + m.hblkhd)};
    long pages;
    FILE *f = fopen("/proc/self/statm", "re");
    if (f && fscanf(f, "%*d %ld", &pages) == 1)
        c.resident = (double)pages * (double)sysconf(_SC_PAGESIZE);
    if (f)
        fclose(f);
    DIR *open_files = opendir("/proc/self/fd");
    while (open_files && readdir(open_files))
        c.files++;
    if (open_files)
        closedir(open_files);
    return c;
}

/* The cost of one endpoint, without the shared cost of the first ones. False: see p->why. */
static bool measure(struct partner *p, struct cost *each)
{
    if (!partner_start(p, WARM + PEERS))
        return false;
    int i = 0;
    struct cost before = {0};
    for (; i < p->n_ports; i++) {
        if (i == WARM)
            before = cost_now();
        if (!partner_connect(p, i))
            return false;
    }
    const struct cost after = cost_now();
    const int n = i - WARM;
    if (n <= 0) {
        snprintf(p->why, sizeof p->why, "the second process opened %d ports, which are too few to measure", i);
        return false;
    }
    each->allocated = (after.allocated - before.allocated) / n;
    each->resident = (after.resident - before.resident) / n;
    each->files = (after.files - before.files) / n;
    return true;
}

static void print_measured(const struct partner *p, const struct cost *each)
{
    char a[32];
    out_section("measured", "Measured with peers in another process of this machine");
    out_fact("provider", "network", "%s", p->provider->name);
    out_number("peers", "peers", p->n_ports - WARM, "%d", p->n_ports - WARM);
    out_number("endpoint_bytes", "endpoint", each->allocated, "%s allocated, with the keys of its heap and statics",
               out_bytes(a, sizeof a, each->allocated));
    out_number("resident_bytes", "", each->resident, "%s of growth of this process's memory",
               out_bytes(a, sizeof a, each->resident));
    out_number("descriptors", "", each->files,
               "%.1f file descriptors; the kernel's memory for a socket is not counted", each->files);
    out_number("peer_bytes", "Copal's record", OUR_RECORD, "%s", out_bytes(a, sizeof a, OUR_RECORD));
    const double buffer = p->provider->message_most < MESSAGE ? (double)p->provider->message_most : MESSAGE;
    out_number("buffer_bytes", "buffer", buffer, "%s at most, while data waits to be sent to the peer",
               out_bytes(a, sizeof a, buffer));
}

static void print_job(const struct partner *p, double card)
{
    char a[32];
    out_section("job", "For each PE, connected or not");
    out_number("table_bytes", "a PE", OUR_TABLE,
               "%d B of address space for a pointer, which is written when the PE is connected", OUR_TABLE);
    out_number("near_bytes", "a PE of the node", sizeof(struct job_pe),
               "%s of the job file, which the PEs of the node share", out_bytes(a, sizeof a, sizeof(struct job_pe)));
    out_number("node_bytes", "a node", OF_NODE, "%d B: the numbers of its PEs, and its name", OF_NODE);
    out_number("card_bytes", "its address", card,
               "%.0f B that each PE publishes: %zu of the network library, two keys of %zu, and %d of Copal", card,
               p->address_bytes, p->key_bytes, CARD_HEAD);
    out_fact("start", "at the start",
             "one PMIx fence, which distributes all addresses to every host; a PE fetches an address on first use");
}

static void print_with(const char *key, const char *label, double peers, double tables, const struct cost *each)
{
    char a[32];
    const double peer = (each->resident > each->allocated ? each->resident : each->allocated) + OUR_RECORD;
    const double bytes = tables + peers * peer;
    out_number(key, label, bytes, "%8s, %.0f file descriptors", out_bytes(a, sizeof a, bytes), peers * each->files);
}

static void print_million(const struct cost *each, double card)
{
    char a[32];
    const double nodes = (double)MANY / ON_A_NODE, tables = nodes * OF_NODE + (double)MANY * OUR_TABLE;
    out_section("million", "Memory of each PE in a job of 1,000,000 PEs, 64 on each node");
    out_number("tables", "tables", tables, "%8s of address space; only written pages take memory",
               out_bytes(a, sizeof a, tables));
    print_with("peers_20", "with 20 peers", 20, tables, each);
    print_with("peers_1000", "with 1,000 peers", 1000, tables, each);
    print_with("peers_all", "with all", MANY - ON_A_NODE, tables, each);
    out_number("cards", "addresses", card * MANY,
               "%8s in the launcher's process on each host",
               out_bytes(a, sizeof a, card * MANY));
}

void scale_print(void)
{
    struct partner p;
    struct cost each;
    if (measure(&p, &each)) {
        const double card = CARD_HEAD + (double)p.address_bytes + 2 * (double)p.key_bytes;
        print_measured(&p, &each);
        print_job(&p, card);
        print_million(&each, card);
    } else {
        out_section("measured", "What a peer costs");
        out_fact("provider", "network", "none, so jobs have one node only: %s", p.why);
    }
    partner_end(&p);
}
