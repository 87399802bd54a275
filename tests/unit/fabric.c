/* sources: src/net/emu/fabric.c src/net/emu/fabric_read.c src/net/emu/server.c */
/* sources: src/net/emu/topology.c src/job/settings.c */
/* Fabric files: the values that are read, and the sentence about each error. */
#include "../check.h"
#include "net/emu/fabric.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/copal-fabric-XXXXXX", path[100];

/* All lines that a fabric with times needs, except the topology. */
#define NODE \
    "node = 2 x 8 x 4\ngroup_latency = 20 ns\nsocket_latency = 90 ns\nnode_latency = 150 ns\nline_gap = 9 ns\n" \
    "access_overhead = 11 ns\nnode_bandwidth = 10 GB/s\nmemory_bandwidth = 40 GB/s\n"
#define TIMES                                                                                                          \
    "send_overhead = 0.3 us\nreceive_overhead = 250 ns\nput_overhead=200ns\n\tget_overhead = 210 ns \n"                \
    "copy_bandwidth = 8 GB/s\ngap = 10ns\nbandwidth = 100 Gbit/s\nlatency = 1.5us # one way\nhop_latency = 0 ns\n"    \
    "node_latency = 100 ns\nnode_bandwidth = 10 GiB/s\n"

static const char *read_text(struct fabric *f, const char *text, int nodes)
{
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0)
        exit(1);
    return fabric_read(f, path, nodes);
}

static void expect_good(struct fabric *f, const char *text, int nodes)
{
    const char *why = read_text(f, text, nodes);
    CHECK(!why, "\"%s\" is refused: %s", text, why);
}

/* line: 0 for none.  The sentence has these words, and names the file. */
static void expect(const char *text, int nodes, int line, const char *words)
{
    struct fabric f;
    char where[120];
    snprintf(where, sizeof where, line ? "fabric %s, line %d: " : "fabric %s: ", path, line);
    const char *why = read_text(&f, text, nodes);
    CHECK(why && strncmp(why, where, strlen(where)) == 0 && strstr(why, words),
          "\"%s\" is said of \"%s\", not \"%s%s\"", why ? why : "nothing", text, where, words);
}

static void values(void)
{
    struct fabric f;
    expect_good(&f, "# all\n\n" TIMES "topology = crossbar\nadapters = 2\natomic = 1 ms\nlink_bandwidth = 50 MB/s\n"
                    "compute = 0.5\nmessage_most = 4 KiB\nqueue = 7\r\n", 5);
    CHECK(f.send_overhead == 300000 && f.receive_overhead == 250000 && f.put_overhead == 200000 &&
          f.get_overhead == 210000 && f.gap == 10000 && f.latency == 1500000 && f.hop_latency == 0 &&
          f.near.node_latency == 100000 && f.atomic == 1000000000, "times are not those of the file");
    CHECK(fabs(f.copy_byte - 125) < 1e-9 && fabs(f.gap_byte - 80) < 1e-9 && fabs(f.link_byte - 20000) < 1e-9 &&
          fabs(f.near.node_gap_byte - 1e12 / (10.0 * (1 << 30))) < 1e-9, "rates are not those of the file");
    CHECK(f.adapters == 2 && f.queue == 7 && f.message_most == 4096 && f.near.compute == 0.5 && f.nodes == 5 &&
          f.topology.ports == 10 && f.topology.kind == TOPOLOGY_CROSSBAR && !f.disorder, "numbers are not the file's");
    expect_good(&f, TIMES, 3);
    CHECK(f.adapters == 1 && f.near.compute == 1 && f.link_byte == f.gap_byte && f.topology.kind == TOPOLOGY_CROSSBAR &&
          f.message_most >= 1024 && f.queue >= 1 && f.atomic == 0, "omitted values do not have their defaults");
    expect_good(&f, TIMES "topology = fat-tree oversubscription=2 radix=36", 3);
    CHECK(f.topology.kind == TOPOLOGY_FAT_TREE && f.topology.down == 24 && f.topology.up == 12, "%d down, %d up",
          f.topology.down, f.topology.up);
    expect_good(&f, TIMES "topology = dragonfly groups=3 routers=4 ports=5 links=2", 60);
    CHECK(f.topology.kind == TOPOLOGY_DRAGONFLY && f.topology.groups == 3 && f.topology.routers == 4 &&
          f.topology.per_router == 5 && f.topology.links == 2, "the dragonfly is not that of the file");
}

static void shapes(void)
{
    struct fabric f;
    expect_good(&f, NODE, 1);
    CHECK(f.near.sockets == 2 && f.near.groups == 8 && f.near.cores == 4 && f.near.group_latency == 20000 &&
          f.near.socket_latency == 90000 && f.near.access_overhead == 11000 && f.near.line_gap == 9000 &&
          f.near.memory_gap_byte == 25,
          "the shape is %d x %d x %d", f.near.sockets, f.near.groups, f.near.cores);
    const struct net_times one = fabric_times(&f, 1, 4), socket = fabric_times(&f, 1, 32);
    const struct net_times all = fabric_times(&f, 1, 33);
    CHECK(one.group == 0 && one.groups == 0 && fabs(one.near - 20e-9) < 1e-12, "4 PEs: %d, %g", one.group, one.near);
    CHECK(socket.group == 4 && fabs(socket.groups - 90e-9) < 1e-12, "32 PEs: %d, %g", socket.group, socket.groups);
    CHECK(all.group == 4 && fabs(all.groups - 150e-9) < 1e-12, "33 PEs: %d, %g", all.group, all.groups);
    expect(NODE, 2, 0, "send_overhead is missing; it is a time");
    expect("node = 2 x 8\n", 1, 1,
           "node is not sockets x L3 groups x cores, as 2 x 8 x 8, with numbers from 1 to 1024");
    expect("node = 2 x 8 x 8 x 1\n", 1, 1, "node is not sockets x L3 groups x cores");
    expect("node = 2 x 0 x 8\n", 1, 1, "node is not sockets x L3 groups x cores");
    expect(TIMES "line_gap = 1 ns\n", 2, 12, "line_gap requires the key node, which is not set");
    expect("node = 1 x 1 x 2\n", 1, 0, "node_latency is missing");
}

static void disorder(void)
{
    struct fabric f;
    expect_good(&f, "disorder = 18446744073709\nbreak_at = 3\nqueue = 4\n", 4);
    CHECK(f.disorder && f.seed == 18446744073709 && f.break_at == 3 && f.queue == 4, "the disorder is not the file's");
    CHECK(!fabric_read(&f, "disorder:77", 4) && f.disorder && f.seed == 77, "disorder:77 has another seed");
    static const char *const wrong[] = {"disorder:", "disorder:x", "disorder:-1", "disorder:1 2"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *why = fabric_read(&f, wrong[i], 4);
        CHECK(why && strstr(why, "is no seed, allowed is disorder:SEED"), "%s: %s", wrong[i], why ? why : "taken");
    }
    expect("disorder = 1\nlatency = 1 us\n", 2, 2, "latency is only for a fabric with times");
    expect(TIMES "break_at = 1\n", 2, 12, "break_at is only for a fabric with disorder, which is not set");
    expect("disorder = -1\n", 2, 1, "disorder is \"-1\", allowed is a whole number");
    expect("disorder = 1.5\n", 2, 1, "disorder is \"1.5\", allowed is a whole number");
}

static void wrong_lines(void)
{
    expect("latncy = 1 us\n", 2, 1, "there is no key \"latncy\"; the nearest is latency, which is a time");
    expect("\n# x\nbandwith = 1 GB/s\n", 2, 3, "there is no key \"bandwith\"; the nearest is bandwidth");
    expect(TIMES "gap = 1 ns\n", 2, 12, "gap is set twice, also in line 6");
    expect("gap\n", 2, 1, "is no line of the form key = value");
    expect("= 3\n", 2, 1, "there is no key \"\"");
    expect("gap =   # soon\n", 2, 1, "gap has no value, allowed is a time from 0 to 1 s");
    expect("", 2, 0, "send_overhead is missing; it is a time");
    expect("send_overhead = 1 us\n", 2, 0, "receive_overhead is missing");
    static const char *const times[] = {"-1 us", "1",      "1 u", "us",      "nan us",
                                        "inf s", "0x1 us", "2 s", "1 us us", "1,5 us"};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char text[100], words[100];
        snprintf(text, sizeof text, "gap = %s\n", times[i]);
        snprintf(words, sizeof words, "gap is \"%s\", allowed is a time from 0 to 1 s, as 1.2 us", times[i]);
        expect(text, 2, 1, words);
    }
    expect("bandwidth = 0 GB/s\n", 2, 1, "bandwidth is \"0 GB/s\", allowed is a rate above 0");
    expect("bandwidth = -4 GB/s\n", 2, 1, "allowed is a rate above 0");
    expect("bandwidth = 4 GB\n", 2, 1, "allowed is a rate above 0");
    expect("adapters = 0\n", 2, 1, "adapters is \"0\", allowed is a number from 1 to 64");
    expect("adapters = 1.5\n", 2, 1, "allowed is a number from 1 to 64");
    expect("message_most = 12\n", 2, 1, "message_most is \"12\", allowed is a size from 1 KiB to 1 MiB");
    expect("compute = -1\n", 2, 1, "compute is \"-1\", allowed is a number from 0");
    char text[700];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    expect(text, 2, 1, "the line is too long");
}

static void wrong_topologies(void)
{
    expect("topology = ring\n", 2, 1, "topology is \"ring\", allowed is crossbar, fat-tree radix=N");
    expect("topology = crossbar radix=3\n", 2, 1, "topology is \"crossbar radix=3\", allowed is");
    expect("topology = fat-tree radix=36\n", 2, 1,
           "fat-tree lacks some words; each of these is required once: radix=N");
    expect("topology = fat-tree radix=1 oversubscription=1\n", 2, 1, "fat-tree cannot have radix=1");
    expect("topology = fat-tree radix=4 radix=4 oversubscription=1\n", 2, 1, "cannot have radix=4");
    expect("topology = fat-tree radix=4 oversubscription=0.5\n", 2, 1, "cannot have oversubscription=0.5");
    expect("topology = fat-tree radix=4 oversubscription=4\n" TIMES, 100, 1, "too few for 100 nodes with 1 adapter(s)");
    expect("topology = fat-tree radix=4 ports=4\n", 2, 1, "cannot have ports=4");
    expect("topology = dragonfly groups=2\n", 2, 1, "dragonfly lacks some words");
    expect("topology = dragonfly groups=2 routers\n", 2, 1, "dragonfly cannot have routers");
    struct fabric f;
    expect_good(&f, "topology = fat-tree radix=4 oversubscription=1\n" TIMES, 8);
    expect("topology = fat-tree radix=4 oversubscription=1\n" TIMES, 9, 1,
           "whose 4 switches have 2 ports each for adapters, 8 in all, too few for 9 nodes with 1 adapter(s) each");
    expect("topology = fat-tree radix=4 oversubscription=1\nadapters = 2\n" TIMES, 5, 1, "5 nodes with 2 adapter(s)");
    expect(TIMES "topology = dragonfly groups=3 routers=4 ports=5 links=2\n", 61, 12,
           "a dragonfly of 3 groups of 4 routers with 5 ports each, 60 in all, too few for 61 nodes");
}

/* Each fabric that comes with Copal can be read, by its name, for 512 nodes, or as a node. */
static void ready_made(const char *name)
{
    struct fabric f;
    const bool is_node = strncmp(name, "node-", 5) == 0;
    const char *why = fabric_read(&f, name, is_node ? 1 : 512);
    CHECK(!why && !f.disorder && (is_node ? f.near.cores > 0 : f.gap_byte > 0 && f.latency > 0), "%s: %s", name,
          why ? why : "it has no times");
}

static void names(void)
{
    struct fabric f;
    const char *why = fabric_read(&f, "/nowhere/x.fabric", 2);
    CHECK(why && strstr(why, "cannot be read: No such file"), "%s", why ? why : "taken");
    why = fabric_read(&f, folder, 2);
    CHECK(why && strstr(why, "cannot be read: Is a directory"), "%s", why ? why : "taken");
    why = fabric_read(&f, "slingshoot", 2);
    CHECK(why && strstr(why, "fabric slingshoot: there is no such file, and no ready-made fabric of that name; these "
                             "are: aries, ") && strstr(why, ", slingshot"), "%s", why ? why : "taken");
    int n = 0;
    char *more, text[FABRIC_WHY_BYTES];
    snprintf(text, sizeof text, "%s", why ? strstr(why, "these are: ") + strlen("these are: ") : "");
    for (char *name = strtok_r(text, ", ", &more); name; name = strtok_r(NULL, ", ", &more), n++)
        ready_made(name);
    CHECK(n >= 8, "%d fabrics come with Copal", n);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/x.fabric", folder);
    values();
    shapes();
    disorder();
    wrong_lines();
    wrong_topologies();
    names();
    unlink(path);
    rmdir(folder);
    return check_result();
}
