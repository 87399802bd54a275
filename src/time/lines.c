#include "time/lines.h"

#include "job/self.h"

#include <errno.h>
#include <string.h>

enum { LINE = 64, LINES_BITS = 14, LINES = 1 << LINES_BITS, SAME_HASH = 8 };

struct line {
    uint64_t key;     /* PE and address; if SAME_HASH lines share a hash, a new line replaces the earliest changed */
    uint64_t free_at; /* end of the line's last transfer */
    uint64_t home_at; /* when its home sees the last change */
    int32_t owner;    /* the PE that changed it last */
    bool unseen;      /* the home has to load it */
};

static struct {
    struct node_costs costs;
    struct line *line;
    uint64_t *memory; /* when the memory of each PE is free */
    struct line *last; /* the line of this PE's last store or change */
} own;

void lines_map(const struct node_costs *costs)
{
    own.costs = *costs;
    const long cores = (long)costs->sockets * costs->groups * costs->cores;
    if (self.n_near > cores)
        job_fatal("shmem_init", "the emulated node has %ld cores, and the job has %d PEs on a node; allowed is one PE "
                  "for each core: start fewer PEs, or give --nodes", cores, self.n_near);
    own.line = job_share(LINES * sizeof *own.line + (size_t)self.job->n_pes * sizeof *own.memory);
    if (!own.line)
        job_fatal("shmem_init", "no memory for the emulated node's cache lines: %s", strerror(errno));
    own.memory = (uint64_t *)(void *)(own.line + LINES);
}

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t for_bytes(double each, size_t bytes)
{
    return (uint64_t)(each * (double)bytes + 0.5);
}

/* The time of a line's transfer, which is half of the latency of a flag: the writer gets the line, then the reader. */
static uint64_t transfer(int from_pe, int to_pe)
{
    const struct node_costs *c = &own.costs;
    const int from = (from_pe - self.first) / c->cores, to = (to_pe - self.first) / c->cores;
    if (from_pe == to_pe)
        return 0;
    return (from == to ? c->group_latency : from / c->groups == to / c->groups ? c->socket_latency
                                                                               : c->node_latency) / 2;
}

static struct line *find(int pe, uint64_t at)
{
    const uint64_t key = (at / LINE * (uint64_t)self.n_pes + (uint64_t)pe) + 1;
    const uint64_t hash = key * 0x9e3779b97f4a7c15 >> (64 - LINES_BITS);
    struct line *oldest = &own.line[hash];
    for (unsigned i = 0; i < SAME_HASH; i++) {
        struct line *const line = &own.line[hash ^ i];
        if (line->key == key)
            return line;
        oldest = line->home_at < oldest->home_at ? line : oldest;
    }
    *oldest = (struct line){.key = key, .owner = pe};
    return oldest;
}

static int holder(const struct line *line, int home, uint64_t now)
{
    return now >= line->home_at ? home : line->owner;
}

/* This PE changes the line. Returns when it has the line. */
static uint64_t change(struct line *line, int home, uint64_t now)
{
    line->free_at = later(now, line->free_at) + transfer(holder(line, home, now), self.pe);
    line->home_at = line->free_at + transfer(self.pe, home);
    line->owner = self.pe;
    line->unseen = home != self.pe;
    own.last = line;
    return line->free_at;
}

/* A transfer of more than a line. takes: its time if there is no other transfer. Returns its end. */
static uint64_t stream(int pe, size_t bytes, uint64_t takes, uint64_t now)
{
    if (bytes <= LINE)
        return now + takes;
    uint64_t *const free_at = &own.memory[pe - self.first_seat];
    *free_at = later(now, *free_at) + for_bytes(own.costs.memory_gap_byte, bytes);
    return later(now + takes, *free_at);
}

/* A load of this PE's own line takes time only if another PE has changed the line and this PE has not waited for this
 * change. The memory may already have a change that has not arrived yet in emulated time: the load then takes the time
 * until the change arrives, as if the PE had waited (lines_seen). */
static uint64_t load_own(struct line *line, uint64_t now)
{
    if (!line->unseen) /* lines_seen has counted the transfer, but this PE may load before its wake */
        return now < line->home_at ? line->home_at + own.costs.access_overhead : now;
    line->unseen = false;
    return later(now, line->free_at) + transfer(line->owner, self.pe) +
           (now < line->free_at ? own.costs.access_overhead : 0);
}

uint64_t lines_access(enum virtual_access kind, int pe, uint64_t at, size_t bytes, uint64_t now)
{
    const uint64_t takes = for_bytes(own.costs.node_gap_byte, bytes);
    struct line *const line = find(pe, at);
    if (kind == VIRTUAL_CHANGE)
        return change(line, pe, now);
    if (kind == VIRTUAL_WAIT)
        return load_own(line, now);
    if (pe == self.pe)
        return now + takes;
    if (kind == VIRTUAL_STORE) {
        now = stream(pe, bytes, takes, now);
        change(line, pe, now);
        return now;
    }
    now = later(now, line->free_at);
    line->free_at = now + own.costs.line_gap;
    return stream(pe, bytes, takes, now) + transfer(pe, self.pe);
}

uint64_t lines_seen(int pe, uint64_t now)
{
    if (own.last) {
        now = later(now, own.last->free_at);
        own.last->free_at = now + own.costs.line_gap;
        own.last->unseen = false;
    }
    return now + transfer(self.pe, pe) + own.costs.access_overhead;
}
