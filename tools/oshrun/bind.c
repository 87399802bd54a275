/* The CPUs that each PE may use.
 *
 * A place is one core or one NUMA node, restricted to the CPUs that oshrun itself may use. By default the cores are
 * divided evenly: with as many PEs as cores, each PE has its own core; with fewer PEs, each has several, for its
 * threads. Cores are listed NUMA node by NUMA node, because CPU numbers may alternate between sockets. */
#include "oshrun.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* glibc's cpu_set_t ends at 1024 CPUs; its CPU_*_S macros take an array of them. */
typedef struct {
    cpu_set_t part[8];
} cpus;
#define MAX_CPUS ((int)sizeof(cpus) * 8)

static enum bind how;
static int n_pes;
static cpus allowed;
static cpus *places;
static int n_places;

/* Ignores a place without a CPU that oshrun may use. */
static void add_place(cpus *place)
{
    CPU_AND_S(sizeof(cpus), place->part, place->part, allowed.part);
    if (CPU_COUNT_S(sizeof(cpus), place->part) == 0)
        return;
    places = enlarge(places, sizeof *places * (size_t)(n_places + 1));
    places[n_places++] = *place;
}

/* Reads a list of the kernel, such as "0-3,8". */
static bool read_cpu_list(const char *path, cpus *list)
{
    memset(list, 0, sizeof *list);
    FILE *f = fopen(path, "re");
    if (!f)
        return false;
    int first, last;
    while (fscanf(f, "%d", &first) == 1) {
        if (fscanf(f, "-%d", &last) != 1)
            last = first;
        for (int cpu = first; cpu <= last && cpu < MAX_CPUS; cpu++)
            CPU_SET_S(cpu, sizeof(cpus), list->part);
        if (fgetc(f) != ',')
            break;
    }
    fclose(f);
    return true;
}

static void find_numa_nodes(void)
{
    cpus nodes, node; /* the kernel lists the numbers of nodes in the same form */
    read_cpu_list("/sys/devices/system/node/online", &nodes);
    for (int n = 0; n < MAX_CPUS; n++) {
        if (!CPU_ISSET_S(n, sizeof(cpus), nodes.part))
            continue;
        char path[64];
        snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", n);
        if (read_cpu_list(path, &node))
            add_place(&node);
    }
    if (n_places == 0) /* a machine without these tables is one node */
        add_place(&allowed);
}

static void add_cores(const cpus *node)
{
    cpus seen;
    memset(&seen, 0, sizeof seen);
    for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
        if (!CPU_ISSET_S(cpu, sizeof(cpus), node->part) || CPU_ISSET_S(cpu, sizeof(cpus), seen.part))
            continue;
        char path[96];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
        cpus core;
        read_cpu_list(path, &core);
        CPU_SET_S(cpu, sizeof(cpus), core.part); /* even if the kernel has no table */
        CPU_OR_S(sizeof(cpus), seen.part, seen.part, core.part);
        add_place(&core);
    }
}

/* Replaces the places, which are NUMA nodes, by their cores. */
static void divide_into_cores(void)
{
    cpus *const nodes = places;
    const int n_nodes = n_places;
    places = NULL;
    n_places = 0;
    for (int i = 0; i < n_nodes; i++)
        add_cores(&nodes[i]);
    free(nodes);
}

void bind_plan(enum bind wanted, int n)
{
    how = wanted;
    n_pes = n;
    if (how == BIND_NONE || (how == BIND_SHARE && n == 1))
        return;
    memset(&allowed, 0, sizeof allowed);
    if (sched_getaffinity(0, sizeof allowed, allowed.part) != 0) {
        if (how != BIND_SHARE)
            die(EXIT_JOB, "--bind: the CPUs of this machine cannot be listed: %s", strerror(errno));
        return;
    }
    if (how == BIND_SHARE && CPU_COUNT_S(sizeof allowed, allowed.part) < n)
        return;
    find_numa_nodes();
    if (how != BIND_NUMA)
        divide_into_cores();
}

/* Neighbouring PEs get neighbouring CPUs. False: the PE is not bound. */
static bool cpus_of(int pe, cpus *set)
{
    if (n_places == 0 || (how == BIND_SHARE && n_places < n_pes))
        return false;
    const int first = how == BIND_CORE ? pe % n_places : (int)((long)pe * n_places / n_pes);
    const int last = how == BIND_SHARE ? (int)((long)(pe + 1) * n_places / n_pes) : first + 1;
    memset(set, 0, sizeof *set);
    for (int i = first; i < last; i++)
        CPU_OR_S(sizeof(cpus), set->part, set->part, places[i].part);
    return true;
}

/* If the system refuses a binding, as in a container whose CPUs have just changed, the PE runs unbound. */
void bind_self(int pe)
{
    cpus set;
    if (cpus_of(pe, &set))
        sched_setaffinity(0, sizeof set, set.part);
}

const char *bind_text(int pe, char *text, size_t size)
{
    cpus set;
    if (!cpus_of(pe, &set))
        return "any CPU";
    int n = snprintf(text, size, "CPU");
    char separator = ' ';
    for (int cpu = 0; cpu < MAX_CPUS && n < (int)size; cpu++) {
        if (!CPU_ISSET_S(cpu, sizeof(cpus), set.part))
            continue;
        int last = cpu;
        while (last + 1 < MAX_CPUS && CPU_ISSET_S(last + 1, sizeof(cpus), set.part))
            last++;
        n += snprintf(text + n, size - (size_t)n, last > cpu ? "%c%d-%d" : "%c%d", separator, cpu, last);
        separator = ',';
        cpu = last;
    }
    return text;
}
