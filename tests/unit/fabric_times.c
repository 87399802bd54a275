/* sources: src/net/emu/fabric.c src/net/emu/fabric_read.c src/net/emu/server.c */
/* sources: src/net/emu/topology.c src/job/settings.c */
/* The model's times against closed forms, and against published times of real networks. */
#include "../check.h"
#include "net/emu/fabric.h"

#include <math.h>
#include <string.h>

static struct fabric f;
static void *state;

static void start(const char *name, int nodes)
{
    const char *why = fabric_read(&f, name, nodes);
    if (why) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    free(state);
    const size_t bytes = (fabric_state_bytes(&f) + 63) / 64 * 64;
    state = aligned_alloc(64, bytes);
    if (!state)
        exit(1);
    memset(state, 0, bytes);
}

static double slowest_byte(void)
{
    return fmax(f.gap_byte, f.link_byte);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void expect_near(const char *what, double found, double expected, double percent)
{
    CHECK(fabs(found - expected) <= percent / 100 * expected, "%s: %s is %.6g us, not %.6g us within %g %%", f.name,
          what, found / 1e6, expected / 1e6, percent);
}

/* From the sender's call to the arrival; data larger than a message is put. */
static double one_way(int from, int to, size_t bytes)
{
    const enum fabric_kind kind = bytes <= f.message_most ? FABRIC_MESSAGE : FABRIC_PUT;
    const uint64_t at = fabric_overhead_send(&f, kind, bytes);
    return (double)(fabric_move(&f, state, from, to, bytes, at).arrives + fabric_overhead_receive(&f, kind, bytes));
}

static const char *const all[] = {"aries", "gemini", "ib-ddr", "ib-qdr", "ib-fdr", "ib-hdr", "ib-ndr", "slingshot",
                                  "efa", "ethernet-25g"};
enum { FABRICS = sizeof all / sizeof *all };

/* One pair: latency, bandwidth and message rate are the parameters'. */
static void one_pair(const char *name)
{
    start(name, 64);
    const int to = fabric_port(&f, 63, 0);
    const double latency = (double)fabric_latency(&f, 0, to), copies = 2 * 8 * f.copy_byte;
    expect_near("a message of 8 bytes", one_way(0, to, 8),
                (double)(f.send_overhead + f.receive_overhead) + copies + latency + 8 * slowest_byte(), 3);
    start(name, 64);
    enum { PUTS = 64, LARGE = 1 << 20 };
    uint64_t at = 0, last = 0;
    for (int i = 0; i < PUTS; i++)
        last = fabric_move(&f, state, 0, to, LARGE, at += f.put_overhead).arrives;
    expect_near("64 puts of 1 MiB", (double)last, PUTS * LARGE * slowest_byte(), 3);
    start(name, 64);
    enum { SMALL = 10000 };
    at = 0;
    for (int i = 0; i < SMALL; i++)
        last = fabric_move(&f, state, 0, to, 8, at += f.put_overhead).arrives;
    expect_near("10000 puts of 8 bytes", (double)last, SMALL * fmax((double)f.put_overhead, (double)f.gap), 3);
}

/* Pairs share a NIC on one side or on both, or share nothing if each has its own. */
static void sharing(const char *name, int pairs)
{
    enum { BYTES = 1 << 20 };
    start(name, 64);
    uint64_t last = 0;
    for (int i = 0; i < pairs; i++) { /* the PEs of a node that use one of its NICs, each to another node */
        const int from = fabric_port(&f, 0, i * f.adapters), to = fabric_port(&f, 1 + i, i * f.adapters);
        last = later(last, fabric_move(&f, state, from, to, BYTES, 0).arrives);
    }
    CHECK((double)last >= pairs * BYTES * f.gap_byte, "%s: %d pairs need %g us together", f.name, pairs,
          (double)last / 1e6);
    struct fabric_counts c = fabric_counts(&f, state);
    CHECK(c.messages == (uint64_t)pairs && c.bytes == (uint64_t)pairs * BYTES && c.port == 0 && !c.receiving,
          "%s: %lu messages, busiest is %d", f.name, (unsigned long)c.messages, c.port);
    expect_near("the time the adapter was busy", (double)c.busy, pairs * BYTES * f.gap_byte, 1);
    start(name, 64);
    last = 0;
    for (int i = 0; i < pairs; i++) /* from all to one */
        last = later(last, fabric_move(&f, state, fabric_port(&f, 1 + i, 0), 0, BYTES, 0).arrives);
    c = fabric_counts(&f, state);
    CHECK((double)last >= pairs * BYTES * f.gap_byte && (pairs == 1 || (c.port == 0 && c.receiving)),
          "%s: %d to one need %g us", f.name, pairs, (double)last / 1e6);
    if (f.topology.kind == TOPOLOGY_CROSSBAR) {
        expect_near("many to one", (double)last,
                    (double)fabric_latency(&f, 0, f.adapters) + pairs * BYTES * slowest_byte(), 3);
        start(name, 64);
        const double alone = one_way(0, 1, 8);
        start(name, 64);
        for (int i = 0; i < pairs; i++)
            expect_near("a pair among pairs", one_way(2 * i * f.adapters, (2 * i + 1) * f.adapters, 8), alone, 0);
    }
}

static const char *const flat_text =
    "send_overhead = 100 ns\nreceive_overhead = 100 ns\nput_overhead = 50 ns\nget_overhead = 50 ns\ngap = 20 ns\n"
    "copy_bandwidth = 10 GB/s\nbandwidth = 10 GB/s\nlatency = 1 us\nhop_latency = 100 ns\nnode_latency = 100 ns\n"
    "node_bandwidth = 10 GB/s\ntopology = ";

/* A fabric with simple numbers and that topology. */
static void start_on(const char *topology, int nodes)
{
    char path[] = "/tmp/copal-fabric-XXXXXX";
    const int file = mkstemp(path);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!out)
        exit(1);
    fprintf(out, "%s%s\n", flat_text, topology);
    fclose(out);
    start(path, nodes);
    remove(path);
}

/* Every node sends to every other: the order in which processes announce this has no effect. */
static void all_to_all(void)
{
    enum { NODES = 32, BYTES = 100000 };
    start_on("crossbar", NODES);
    uint64_t last = 0;
    for (int from = 0; from < NODES; from++)
        for (int i = 1; i < NODES; i++)
            last = later(last, fabric_move(&f, state, from, (from + i) % NODES, BYTES, 0).arrives);
    expect_near("all to all", (double)last, 1.1e6 + (NODES - 1) * BYTES * 100.0, 1);
    /* All nodes begin with the same destination: it is always busy, and the other messages end no later. */
    start_on("crossbar", NODES);
    last = 0;
    for (int from = 0; from < NODES; from++)
        for (int to = 0; to < NODES; to++)
            if (to != from)
                last = later(last, fabric_move(&f, state, from, to, BYTES, 0).arrives);
    CHECK((double)last <= 1.1e6 + 2 * NODES * BYTES * 100.0, "all to all in one order takes %g us", (double)last / 1e6);
}

/* The links of a topology are shared: all nodes of a leaf send to those of another. */
static void links(void)
{
    enum { BYTES = 1 << 20 };
    static const struct {
        const char *topology;
        int sharing; /* messages on the busiest link */
    } trees[] = {{"fat-tree radix=16 oversubscription=1", 1},
                 {"fat-tree radix=24 oversubscription=2", 2},
                 {"fat-tree radix=16 oversubscription=15", 15},
                 {"dragonfly groups=4 routers=2 ports=4 links=2", 4},
                 {"dragonfly groups=4 routers=2 ports=4 links=1", 8},
                 {"dragonfly groups=8 routers=1 ports=4 links=4", 1}};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        start_on(trees[i].topology, 32);
        const struct topology *t = &f.topology;
        const int leaf = t->kind == TOPOLOGY_FAT_TREE ? t->down : t->routers * t->per_router;
        uint64_t last = 0;
        for (int from = 0; from < leaf; from++)
            last = later(last, fabric_move(&f, state, from, leaf + from, BYTES, 0).arrives);
        const double shared = trees[i].sharing * BYTES * 100.0;
        expect_near(trees[i].topology, (double)last, shared, 3);
        expect_near("the busiest link", (double)fabric_counts(&f, state).busiest_link, shared, 1);
    }
    start_on("fat-tree radix=16 oversubscription=1", 32);
    expect_near("one leaf", (double)fabric_latency(&f, 0, 7), 1.1e6, 0);
    expect_near("two leaves", (double)fabric_latency(&f, 0, 8), 1.3e6, 0);
    expect_near("itself", (double)fabric_latency(&f, 3, 3), 1e6, 0);
    const struct fabric_times t = fabric_move(&f, state, 0, 8, 1000, 5000000);
    CHECK(t.left == 5000000 + 100000 && t.arrives == t.left + 1300000, "left at %lu, arrives at %lu",
          (unsigned long)t.left, (unsigned long)t.arrives);
}

/* Published halves of a pingpong's round trip, in microseconds: sources are in the fabrics' files. */
static void published(void)
{
    static const struct {
        const char *fabric;
        size_t bytes;
        double us;
    } curve[] = {{"aries", 8, 1.47},         {"aries", 4096, 2.66},  {"aries", 8192, 3.94},
                 {"aries", 1 << 20, 114.18}, {"efa", 8, 10.37},      {"efa", 8192, 12.85},
                 {"efa", 1 << 20, 196.56},   {"efa", 4 << 20, 725.62}, {"ib-fdr", 8, 1.60},
                 {"ib-fdr", 8192, 5.30},     {"ib-fdr", 262144, 48.82}};
    for (size_t i = 0; i < sizeof curve / sizeof *curve; i++) {
        start(curve[i].fabric, 2);
        char what[40];
        snprintf(what, sizeof what, "a pingpong of %zu bytes", curve[i].bytes);
        expect_near(what, one_way(0, f.adapters, curve[i].bytes), curve[i].us * 1e6, 15);
    }
}

int main(void)
{
    for (int i = 0; i < FABRICS; i++) {
        one_pair(all[i]);
        for (int pairs = 1; pairs <= 16; pairs *= 4)
            sharing(all[i], pairs);
    }
    all_to_all();
    links();
    published();
    free(state);
    return check_result();
}
