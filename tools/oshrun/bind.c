/* The CPUs that each PE may use.
 *
 * A place is one core or one NUMA node, restricted to the CPUs that oshrun itself may use. By default the cores are
 * divided evenly: with as many PEs as cores, each PE has its own core; with fewer PEs, each has several, for its
 * threads. The default reads the kernel's own tables, which takes about 50 us on a small machine; hwloc takes
 * milliseconds, so only an explicit --bind uses it. */
#include "oshrun.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef COPAL_HAVE_HWLOC
#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#endif

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

static void find_cores(void)
{
    cpus seen;
    memset(&seen, 0, sizeof seen);
    for (int cpu = 0; cpu < MAX_CPUS; cpu++) {
        if (!CPU_ISSET_S(cpu, sizeof(cpus), allowed.part) || CPU_ISSET_S(cpu, sizeof(cpus), seen.part))
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
}

#ifdef COPAL_HAVE_HWLOC
static void find_by_hwloc(hwloc_obj_type_t type)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    /* No caches, no devices, and no x86 probing, which visits every CPU. */
    hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
    hwloc_topology_set_type_filter(topology, HWLOC_OBJ_CORE, HWLOC_TYPE_FILTER_KEEP_ALL);
#if HWLOC_API_VERSION >= 0x20500
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
#endif
    if (hwloc_topology_load(topology) == 0) {
        cpus place;
        for (int i = 0; i < hwloc_get_nbobjs_by_type(topology, type); i++) {
            hwloc_obj_t object = hwloc_get_obj_by_type(topology, type, (unsigned)i);
            if (hwloc_cpuset_to_glibc_sched_affinity(topology, object->cpuset, place.part, sizeof place) == 0)
                add_place(&place);
        }
    }
    hwloc_topology_destroy(topology);
}
#endif

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
#ifdef COPAL_HAVE_HWLOC
    if (how != BIND_SHARE)
        find_by_hwloc(how == BIND_NUMA ? HWLOC_OBJ_NUMANODE : HWLOC_OBJ_CORE);
#endif
    if (n_places == 0 && how == BIND_NUMA)
        find_numa_nodes();
    else if (n_places == 0)
        find_cores();
    if (n_places == 0) /* a machine without NUMA tables is one node */
        add_place(&allowed);
}

/* Neighbouring PEs get neighbouring CPUs. False: the PE is not bound. */
static bool cpus_of(int pe, cpus *set)
{
    if (n_places == 0 || (how == BIND_SHARE && n_places < n_pes))
        return false;
    int first, last;
    if (how == BIND_CORE) {
        first = pe % n_places;
        last = first + 1;
    } else if (how == BIND_NUMA) {
        first = (int)((long)pe * n_places / n_pes);
        last = first + 1;
    } else {
        first = (int)((long)pe * n_places / n_pes);
        last = (int)((long)(pe + 1) * n_places / n_pes);
    }
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
