/* The hardware and software of this machine. */
#include "info.h"
#include "common/path.h"
#include "job/cgroup.h"

#include <dirent.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static bool read_line(const char *path, char *text, size_t room)
{
    FILE *f = fopen(path, "re");
    const bool done = f && fgets(text, (int)room, f);
    if (f)
        fclose(f);
    text[done ? strcspn(text, "\n") : 0] = '\0';
    return done;
}

static double meminfo(const char *name)
{
    char line[160];
    double kib = 0;
    FILE *f = fopen("/proc/meminfo", "re");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, name, strlen(name)) == 0)
            sscanf(line + strlen(name), ": %lf", &kib);
    if (f)
        fclose(f);
    return kib * 1024;
}

static void print_processors(void)
{
    char model[200] = "", line[400];
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && !model[0] && fgets(line, sizeof line, f))
        sscanf(line, "model name : %199[^\n]", model);
    if (f)
        fclose(f);
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)online;
    const int timed = cgroup_processors(allowed);
    char used[100] = "";
    if (timed < allowed)
        snprintf(used, sizeof used, ", limited by the control group to the time of %d;", timed);
    else if (allowed != online)
        snprintf(used, sizeof used, ", of which %d may be used here;", allowed);
    struct utsname u;
    uname(&u);
    out_fact("host", "host", "%s, Linux %s, %s", u.nodename, u.release, u.machine);
    out_number("cpus", "processors", timed, "%ld%s %s", online, used, model);
    char nodes[64];
    if (read_line("/sys/devices/system/node/online", nodes, sizeof nodes))
        out_fact("numa", "NUMA nodes", "%s", nodes);
}

static void print_memory(void)
{
    char total[32], free[32], huge[64] = "";
    const double bytes = meminfo("MemTotal");
    out_number("memory", "memory", bytes, "%s, %s of it available", out_bytes(total, sizeof total, bytes),
               out_bytes(free, sizeof free, meminfo("MemAvailable")));
    if (read_line("/sys/kernel/mm/transparent_hugepage/shmem_enabled", huge, sizeof huge))
        out_fact("huge_pages", "huge pages", "for shared memory: %s", huge);
}

/* The names in a folder whose `file` can be opened, in order, with the file's content. */
static void list_folder(const char *path, const char *file, const char *wanted, char *text, size_t room)
{
    struct dirent **entries;
    const int n = scandir(path, &entries, NULL, alphasort);
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        char name[PATH_MAX], state[64] = "";
        snprintf(name, sizeof name, "%s/%s/%s", path, entries[i]->d_name, file);
        if (entries[i]->d_name[0] != '.' && read_line(name, state, sizeof state) &&
            (!wanted || strcmp(state, wanted) == 0) && used < room)
            used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static void print_network(void)
{
    char devices[600];
    list_folder("/sys/class/infiniband", "node_type", NULL, devices, sizeof devices);
    out_fact("rdma", "RDMA devices", "%s", devices[0] ? devices : "none");
    list_folder("/sys/class/net", "operstate", "up", devices, sizeof devices);
    out_fact("interfaces", "network", "%s", devices[0] ? devices : "the loopback only");
}

/* TCP needs one descriptor for each peer; memory registered with RDMA devices must be locked. */
static void print_limits(void)
{
    static const struct {
        int resource;
        const char *key, *label;
        bool bytes;
    } limits[] = {{RLIMIT_NOFILE, "files", "file descriptors", false},
                  {RLIMIT_MEMLOCK, "locked", "locked memory", true}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit r = {0};
        char text[2][32];
        getrlimit(limits[i].resource, &r);
        for (int hard = 0; hard < 2; hard++) {
            const rlim_t most = hard ? r.rlim_max : r.rlim_cur;
            if (most == RLIM_INFINITY)
                snprintf(text[hard], sizeof text[hard], "unlimited");
            else if (limits[i].bytes)
                out_bytes(text[hard], sizeof text[hard], (double)most);
            else
                snprintf(text[hard], sizeof text[hard], "%llu", (unsigned long long)most);
        }
        if (r.rlim_max == r.rlim_cur)
            out_fact(limits[i].key, limits[i].label, "%s", text[0]);
        else
            out_fact(limits[i].key, limits[i].label, "%s, can be raised to %s", text[0], text[1]);
    }
}

static void print_launcher(const char *name)
{
    char file[PATH_MAX], command[100], line[200] = "", rest[200];
    if (!find_on_path(name, X_OK, file)) {
        out_fact(name, name, "not installed");
        return;
    }
    snprintf(command, sizeof command, "timeout 10 %s --version 2>/dev/null </dev/null", name);
    FILE *out = popen(command, "re");
    if (out && !fgets(line, sizeof line, out))
        line[0] = '\0';
    while (out && fgets(rest, sizeof rest, out)) /* prevents SIGPIPE in the command */
        ;
    if (out && pclose(out) != 0)
        line[0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    out_fact(name, name, "%s (%s)", line[0] ? line : "prints no version", file);
}

static void print_allocation(void)
{
    const char *slurm = environment("SLURM_JOB_ID");
    const char *nodes = environment("SLURM_JOB_NUM_NODES"), *list = environment("SLURM_JOB_NODELIST");
    const char *by_pmix = environment("PMIX_RANK"), *by_pmi = environment("PMI_FD") ? environment("PMI_RANK") : NULL;
    if (slurm)
        out_fact("allocation", "allocation", "Slurm job %s: %s node%s, %s", slurm,
                 nodes ? nodes : "an unknown number of", nodes && strcmp(nodes, "1") == 0 ? "" : "s", list ? list : "");
    else if (environment("PBS_JOBID"))
        out_fact("allocation", "allocation", "PBS job %s", environment("PBS_JOBID"));
    else if (environment("LSB_JOBID"))
        out_fact("allocation", "allocation", "LSF job %s", environment("LSB_JOBID"));
    else
        out_fact("allocation", "allocation", "none: not in a job of Slurm, PBS or LSF");
    if (by_pmix || by_pmi)
        out_fact("rank", "started as", "PE %s of a job, through %s", by_pmix ? by_pmix : by_pmi,
                 by_pmix ? "PMIx" : "PMI");
}

void machine_print(void)
{
    out_section("machine", "What this machine has");
    print_processors();
    print_memory();
    print_network();
    print_limits();
    print_launcher("srun");
    print_launcher("prterun");
    print_launcher("mpirun");
    print_allocation();
}
