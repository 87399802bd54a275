/* The hosts of the PEs, their times, and their processors. */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

/* Finds or adds a host. The search starts at the host added last, because consecutive PEs usually have the same host,
 * even if they are on different emulated nodes. */
static struct host *host_of(struct profile *p, const char *name)
{
    for (int i = p->n_hosts; i-- > 0;)
        if (strcmp(p->hosts[i].name, name) == 0)
            return &p->hosts[i];
    p->hosts = realloc(p->hosts, sizeof *p->hosts * (size_t)(p->n_hosts + 1));
    if (!p->hosts)
        die("out of memory: %d hosts", p->n_hosts);
    p->hosts[p->n_hosts] = (struct host){.name = name};
    return &p->hosts[p->n_hosts++];
}

void find_hosts(struct profile *p)
{
    for (int pe = 0; pe < p->n_pes; pe++) {
        const struct piece_head *h = p->pe[pe].head;
        if (!h)
            continue;
        struct host *host = host_of(p, h->host);
        host->n_pes++;
        for (int i = 0; i < PIECE_PROCESSORS / 64; i++)
            host->mask[i] |= h->processors[i];
        if (!p->date || h->date < p->date)
            p->date = h->date;
        p->command = p->command ? p->command : h->command;
    }
    for (int i = 0; i < p->n_hosts; i++)
        for (int k = 0; k < PIECE_PROCESSORS / 64; k++)
            p->hosts[i].processors += __builtin_popcountll(p->hosts[i].mask[k]);
}
