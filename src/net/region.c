#include "net/region.h"

#include "net/port.h"

#include <stdio.h>
#include <sys/resource.h>

static struct provider_memory *opened[REGION_PIECES];

void region_refused(const char *what, size_t bytes, const char *why)
{
    struct rlimit limit = {0};
    char advice[200] = "set SHMEM_SYMMETRIC_SIZE to less, or start fewer PEs on a node";
    if (getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        snprintf(advice, sizeof advice,
                 "it may have to be locked in memory; the limit is %zu KiB (ulimit -l): raise it in "
                 "/etc/security/limits.conf or as LimitMEMLOCK of the batch system's service",
                 (size_t)limit.rlim_cur / 1024);
    job_fatal("the network", "cannot register %s of %zu MiB: %s; %s", what, bytes >> 20, why, advice);
}

static uint64_t heap_end(void)
{
    return node.own_size + node.heap_size;
}

bool region_has(uint64_t piece)
{
    return piece < REGION_PIECES && (piece == 0 || region_end((unsigned)piece - 1) < heap_end());
}

size_t region_key(unsigned piece, void *to, size_t room)
{
    const char *why = "";
    const uint64_t from = piece ? region_end(piece - 1) : 0, whole = region_end(piece),
                   end = whole < heap_end() ? whole : heap_end();
    if (!opened[piece]) {
        opened[piece] = net_provider->memory_open((void *)(node.heap + from), end - from, node.heap_at + from, &why);
        if (!opened[piece])
            region_refused("symmetric memory", end - from, why);
        net_port.stats.pieces++;
    }
    return net_provider->memory_key(opened[piece], to, room);
}

void region_close_all(void)
{
    for (int i = 0; i < REGION_PIECES; i++)
        if (opened[i]) {
            net_provider->memory_close(opened[i]);
            opened[i] = NULL;
        }
}
