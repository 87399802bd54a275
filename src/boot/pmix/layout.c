/* The hosts of the PEs, from the data that the launcher gave this process: no communication is needed, and all PEs get
 * the same result. */
#include "boot/pmix/pmix.h"

#include <stdlib.h>
#include <string.h>

static char *get_text(pmix_rank_t rank, const char *key)
{
    pmix_proc_t proc;
    PMIX_LOAD_PROCID(&proc, pmix_launch.me.nspace, rank);
    bool optional = true;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_OPTIONAL, &optional, PMIX_BOOL); /* no request to the server */
    pmix_value_t *value = NULL;
    char *text = NULL;
    if (PMIx_Get(&proc, key, &info, 1, &value) == PMIX_SUCCESS) {
        if (value->type == PMIX_STRING && value->data.string)
            text = strdup(value->data.string);
        PMIX_VALUE_RELEASE(value);
    }
    return text;
}

/* Sets host_of[pe] from the PE's own entry. False if a PE has none. */
static bool hosts_by_pe(char **host_of)
{
    for (int pe = 0; pe < pmix_launch.n_pes; pe++)
        if (!(host_of[pe] = get_text((pmix_rank_t)pe, PMIX_HOSTNAME)))
            return false;
    return true;
}

static void forget_hosts(char **host_of)
{
    for (int pe = 0; pe < pmix_launch.n_pes; pe++) {
        free(host_of[pe]);
        host_of[pe] = NULL;
    }
}

/* The same from the launcher's list of hosts. Used last, because Open MPI 5 prints a message if it has no list. */
static bool hosts_by_list(char **host_of)
{
    char *list = NULL;
    forget_hosts(host_of);
    if (PMIx_Resolve_nodes(pmix_launch.me.nspace, &list) != PMIX_SUCCESS || !list)
        return false;
    int found = 0;
    char *rest = list;
    for (char *host; (host = strsep(&rest, ","));) {
        pmix_proc_t *procs = NULL;
        size_t n = 0;
        if (PMIx_Resolve_peers(host, pmix_launch.me.nspace, &procs, &n) != PMIX_SUCCESS)
            continue;
        for (size_t i = 0; i < n; i++)
            if (procs[i].rank < (pmix_rank_t)pmix_launch.n_pes && !host_of[procs[i].rank])
                found += (host_of[procs[i].rank] = strdup(host)) != NULL;
        PMIX_PROC_FREE(procs, n);
    }
    free(list);
    return found == pmix_launch.n_pes;
}

static bool begins_run(char *const *host_of, int pe)
{
    return pe == 0 || strcmp(host_of[pe], host_of[pe - 1]) != 0;
}

static void cut_into_runs(char *const *host_of)
{
    int runs = 0;
    for (int pe = 0; pe < pmix_launch.n_pes; pe++)
        runs += begins_run(host_of, pe);
    pmix_launch.run = calloc((size_t)runs, sizeof *pmix_launch.run);
    if (!pmix_launch.run)
        abort();
    pmix_launch.n_nodes = runs;
    struct node_run *run = pmix_launch.run - 1;
    for (int pe = 0; pe < pmix_launch.n_pes; pe++) {
        if (begins_run(host_of, pe)) {
            *++run = (struct node_run){.first = pe, .host = strdup(host_of[pe])};
            if (!run->host)
                abort();
        }
        run->n++;
    }
    pmix_launch.own_node = layout_node_of(pmix_launch.pe);
}

const char *layout_find(void)
{
    char **host_of = calloc((size_t)pmix_launch.n_pes, sizeof *host_of);
    if (!host_of)
        return "no memory for the map of the job";
    const bool known = hosts_by_pe(host_of) || hosts_by_list(host_of);
    if (known)
        cut_into_runs(host_of);
    forget_hosts(host_of);
    free(host_of);
    return known ? NULL
                 : "the launcher does not report the hosts of the job's processes (PMIx_Resolve_peers and "
                   "PMIX_HOSTNAME return nothing); a launcher with PMIx 3 or newer does";
}

void layout_forget(void)
{
    for (int i = 0; i < pmix_launch.n_nodes; i++)
        free(pmix_launch.run[i].host);
    free(pmix_launch.run);
    pmix_launch.run = NULL;
    pmix_launch.n_nodes = 0;
}

int layout_node_of(int pe)
{
    int low = 0, high = pmix_launch.n_nodes - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (pmix_launch.run[middle].first <= pe)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}
