/* sources: src/net/emu/server.c src/net/emu/topology.c */
/* Shared resources of an emulated network: servers, also between processes, and the links of topologies. */
#include "../check.h"
#include "net/emu/server.h"
#include "net/emu/topology.h"

#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct server *fresh(void)
{
    static struct server *s;
    if (!s)
        s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        exit(1);
    memset(s, 0, sizeof *s);
    return s;
}

static void expect(struct server *s, uint64_t at, uint64_t takes, uint64_t begin, uint64_t end)
{
    uint64_t begins = 0;
    const uint64_t ends = server_reserve(s, at, takes, 1, &begins);
    CHECK(begins == begin && ends == end, "at %lu for %lu: from %lu to %lu, not from %lu to %lu", (unsigned long)at,
          (unsigned long)takes, (unsigned long)begins, (unsigned long)ends, (unsigned long)begin, (unsigned long)end);
}

/* Messages are served in the order of their arrival, though they are announced in another order. */
static void gaps(void)
{
    struct server *s = fresh();
    expect(s, 100, 10, 100, 110);
    expect(s, 100, 10, 110, 120);
    expect(s, 105, 10, 120, 130);
    expect(s, 200, 10, 200, 210); /* later */
    expect(s, 10, 10, 10, 20);    /* earlier, in a gap */
    expect(s, 195, 10, 195, 215); /* around reserved intervals */
    expect(s, 0, 100, 0, 140);    /* around several: 10 to 20 and 100 to 130 */
    expect(s, 0, 0, 140, 140);
    expect(s, 300, 5, 300, 305);
    expect(s, 290, 10, 290, 300); /* touches it */
    expect(s, 290, 1, 305, 306);
    CHECK(s->busy == 10 * 6 + 100 + 5 + 10 + 1 && s->messages == 11 && s->bytes == 11, "%lu busy, %lu messages",
          (unsigned long)s->busy, (unsigned long)s->messages);
    CHECK(s->n == 3, "%u stretches", s->n);
}

/* The end of the last message does not depend on the order of announcements, and no two messages are served at once. */
static void orders(void)
{
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        struct server *s = fresh();
        enum { N = 12, TIME = 200 };
        uint64_t at[N], takes[N], total = 0, last = 0;
        bool busy[TIME * 4] = {false};
        for (int i = 0; i < N; i++) {
            at[i] = (seed = seed * 1103515245 + 12345) >> 16 & 127;
            takes[i] = ((seed = seed * 1103515245 + 12345) >> 16 & 15) + 1;
            total += takes[i];
        }
        for (int i = 0; i < N; i++) {
            uint64_t begins, ends = server_reserve(s, at[i], takes[i], 0, &begins), left = takes[i];
            for (uint64_t t = begins; t < ends && t < TIME * 4; t++) /* it uses the free time between them */
                if (!busy[t]) {
                    busy[t] = true;
                    left--;
                }
            CHECK(left == 0 && begins >= at[i] && ends >= at[i] + takes[i], "round %d, message %d", round, i);
            last = ends > last ? ends : last;
        }
        uint64_t free_at = 0; /* the end in a single queue */
        for (uint64_t t = 0; t < 128; t++)
            for (int i = 0; i < N; i++)
                if (at[i] == t)
                    free_at = (free_at > t ? free_at : t) + takes[i];
        CHECK(last == free_at && s->busy == total, "round %d: the last ends at %lu, not %lu", round,
              (unsigned long)last, (unsigned long)free_at);
    }
}

/* More intervals than the server can store: a reservation may be later, never earlier, and the capacity is not
 * exceeded. */
static void many_stretches(void)
{
    struct server *s = fresh();
    for (uint64_t i = 0; i < 1000; i++)
        expect(s, 1000 + 100 * i, 10, 1000 + 100 * i, 1010 + 100 * i);
    CHECK(s->n == SERVER_STRETCHES, "%u stretches", s->n);
    uint64_t begins;
    const uint64_t ends = server_reserve(s, 0, 10, 0, &begins);
    CHECK(begins >= 1000 + 100 * (1000 - SERVER_STRETCHES - 1) && ends == begins + 10, "from %lu to %lu",
          (unsigned long)begins, (unsigned long)ends);
    for (int i = 0; i < 200; i++) /* fills the remaining gaps, and becomes one interval */
        server_reserve(s, 0, 20, 0, &begins);
    CHECK(s->n == 1, "%u stretches", s->n);
}

/* Several processes at once: no reservation is lost, and none overlaps another. */
static void processes(void)
{
    enum { PROCESSES = 4, EACH = 20000, TAKES = 7 };
    struct server *s = fresh();
    for (int p = 0; p < PROCESSES; p++)
        if (fork() == 0) {
            uint64_t at = 0, begins;
            for (int i = 0; i < EACH; i++) {
                const uint64_t ends = server_reserve(s, at, TAKES, 3, &begins);
                if (ends != begins + TAKES || begins < at)
                    _exit(1);
                at = ends;
            }
            _exit(0);
        }
    for (int p = 0; p < PROCESSES; p++) {
        int status;
        wait(&status);
        CHECK(status == 0, "a process has been served at a wrong time");
    }
    uint64_t begins;
    const uint64_t ends = server_reserve(s, 0, 0, 0, &begins), all = (uint64_t)PROCESSES * EACH * TAKES;
    CHECK(s->busy == all && ends == all && s->n == 1 && s->bytes == PROCESSES * EACH * 3ul,
          "busy %lu of %lu, until %lu", (unsigned long)s->busy, (unsigned long)all, (unsigned long)ends);
}

/* A process that is killed during a reservation does not block the others. */
static void killed(void)
{
    struct server *s = fresh();
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    atomic_store(&s->owner, (unsigned)child);
    expect(s, 5, 5, 5, 10);
}

/* Every path has existing links and the right number of switches, and the reverse path has the same length. */
static void ways(const struct topology *t, int most_switches, int fewest_links_used)
{
    const int links = topology_links(t);
    bool *used = calloc((size_t)links + 1, sizeof *used);
    for (int from = 0; from < t->ports; from++)
        for (int to = 0; to < t->ports; to++) {
            const struct topology_way w = topology_way(t, from, to), back = topology_way(t, to, from);
            CHECK(w.switches <= most_switches && w.switches == (from == to ? 0 : w.links + 1), "%d to %d: %d switches",
                  from, to, w.switches);
            CHECK((w.links == 0) == (back.links == 0), "%d to %d: %d links there, %d back", from, to, w.links,
                  back.links);
            for (int i = 0; i < w.links; i++) {
                CHECK(w.link[i] >= 0 && w.link[i] < links, "%d to %d: link %d of %d", from, to, w.link[i], links);
                for (int j = 0; j < i; j++)
                    CHECK(w.link[i] != w.link[j], "%d to %d: a link twice", from, to);
                used[w.link[i]] = true;
            }
        }
    int n = 0;
    for (int i = 0; i < links; i++)
        n += used[i];
    CHECK(n >= fewest_links_used, "%d of %d links are used, fewer than %d", n, links, fewest_links_used);
    free(used);
}

static int links_of(const struct topology *t, int from, int to)
{
    return topology_way(t, from, to).links;
}

static void topologies(void)
{
    const struct topology crossbar = {.kind = TOPOLOGY_CROSSBAR, .ports = 70};
    ways(&crossbar, 1, 0);
    CHECK(topology_links(&crossbar) == 0, "a crossbar has %d links", topology_links(&crossbar));
    const struct topology tree = {.kind = TOPOLOGY_FAT_TREE, .ports = 66, .radix = 12, .oversubscription = 2, .down = 8,
                                  .up = 4};
    ways(&tree, 3, 9 * 4 + 8 * 4 + 2);
    CHECK(links_of(&tree, 0, 7) == 0 && links_of(&tree, 7, 8) == 2 && topology_room(&tree) == 96, "leaves of 8");
    /* All nodes of a leaf send to as many others: twice as many as links, so each link has two. */
    int load[2 * 9 * 4] = {0};
    for (int i = 0; i < 8; i++) {
        const struct topology_way w = topology_way(&tree, i, 8 + i);
        load[w.link[0]]++;
        load[w.link[1]]++;
    }
    for (int i = 0; i < 2 * 9 * 4; i++)
        CHECK(load[i] == 0 || load[i] == 2, "a link has %d of 8 messages", load[i]);
    const struct topology fly = {.kind = TOPOLOGY_DRAGONFLY, .ports = 60, .groups = 9, .routers = 5, .per_router = 4,
                                 .links = 2};
    ways(&fly, 4, 3 * 5 * 4 + 2 * 3 * 2);
    CHECK(links_of(&fly, 0, 3) == 0 && links_of(&fly, 0, 4) == 1 && links_of(&fly, 0, 19) == 1, "within a group");
    CHECK(topology_room(&fly) == 180 && topology_links(&fly) == 3 * (25 + 3 * 2), "room for %ld", topology_room(&fly));
    const struct topology alone = {.kind = TOPOLOGY_DRAGONFLY, .ports = 1, .groups = 1, .routers = 1, .per_router = 1,
                                   .links = 1};
    ways(&alone, 0, 0);
}

int main(void)
{
    gaps();
    orders();
    many_stretches();
    processes();
    killed();
    topologies();
    return check_result();
}
