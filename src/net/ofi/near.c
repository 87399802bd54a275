#include "net/ofi/ofi.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

enum fit { FIT_DOWN, FIT_FAR, FIT_NEAR };

static bool is_like(const struct fi_info *a, const struct fi_info *b)
{
    return strcmp(a->fabric_attr->prov_name, b->fabric_attr->prov_name) == 0 &&
        strcmp(a->fabric_attr->name, b->fabric_attr->name) == 0;
}

/* Whether a list in the kernel's format (0-15,64-79) has one of these processors.  True if it cannot be read. */
static bool has_any(FILE *list, const cpu_set_t *own)
{
    int from, to;
    bool read = false;
    while (fscanf(list, "%d", &from) == 1) {
        read = true;
        if (fscanf(list, "-%d", &to) != 1)
            to = from;
        for (int cpu = from; cpu <= to && cpu < CPU_SETSIZE; cpu++)
            if (CPU_ISSET(cpu, own))
                return true;
        if (fgetc(list) != ',')
            break;
    }
    return !read;
}

static enum fit fit_of(const struct fi_info *info, const cpu_set_t *own)
{
    const struct fid_nic *nic = info->nic;
    if (nic && nic->link_attr && nic->link_attr->state == FI_LINK_DOWN)
        return FIT_DOWN;
    if (!nic || !nic->bus_attr || nic->bus_attr->bus_type != FI_BUS_PCI)
        return FIT_NEAR;
    const struct fi_pci_attr *at = &nic->bus_attr->attr.pci;
    char path[100];
    snprintf(path, sizeof path, "/sys/bus/pci/devices/%04x:%02x:%02x.%x/local_cpulist", at->domain_id, at->bus_id,
             at->device_id, at->function_id);
    FILE *list = fopen(path, "re");
    const bool near = !list || has_any(list, own);
    if (list)
        fclose(list);
    return near ? FIT_NEAR : FIT_FAR;
}

const struct fi_info *near_adapter(const struct fi_info *first, int nth)
{
    cpu_set_t own;
    if (sched_getaffinity(0, sizeof own, &own) != 0)
        memset(&own, 0xff, sizeof own);
    enum fit best = FIT_DOWN;
    int n = 0;
    for (const struct fi_info *i = first; i; i = i->next) {
        const enum fit fit = is_like(i, first) ? fit_of(i, &own) : FIT_DOWN;
        n = fit > best ? 1 : n + (fit == best);
        best = fit > best ? fit : best;
    }
    if (best == FIT_DOWN)
        return first;
    nth %= n;
    for (const struct fi_info *i = first;; i = i->next)
        if (is_like(i, first) && fit_of(i, &own) == best && nth-- == 0)
            return i;
}
