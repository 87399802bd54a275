/* The job's allocation by a batch system: the number of processes, and their hosts (not Slurm's, which srun knows). */
#include "oshrun.h"

#include <stdlib.h>
#include <string.h>

/* PBS, LSF and Grid Engine: a file lists hosts, one in each line. It repeats the line for each process of the host, or
 * adds the number of processes. */
static const struct {
    const char *size, *list;
} systems[] = {{"SLURM_NTASKS", ""},
               {"PBS_NP", "PBS_NODEFILE"},
               {"LSB_DJOB_NUMPROC", "LSB_DJOB_HOSTFILE"},
               {"NSLOTS", "PE_HOSTFILE"}};
enum { SYSTEMS = sizeof systems / sizeof systems[0] };

/* Returns "a:1,a:1,b:1"; counts processes and hosts (successive equal names are one host). */
static char *read_list(const char *path, int *n_pes, int *n_hosts)
{
    char *text = NULL, line[1024], name[256], before[256] = "";
    size_t bytes;
    FILE *in = fopen(path, "re"), *out = open_memstream(&text, &bytes);
    if (!out)
        no_memory();
    *n_pes = *n_hosts = 0;
    while (in && fgets(line, sizeof line, in)) {
        int n = 1;
        if (sscanf(line, "%255s %d", name, &n) < 1 || n < 1 || n > MAX_PES - *n_pes)
            continue;
        fprintf(out, "%s%s:%d", *n_pes ? "," : "", name, n);
        *n_pes += n;
        *n_hosts += strcmp(name, before) != 0;
        strcpy(before, name);
    }
    if (in)
        fclose(in);
    fclose(out);
    return text;
}

bool is_launched(void)
{
    return environment("PMIX_RANK") || environment("PMI_FD");
}

int allocation_size(void)
{
    for (int i = 0; i < SYSTEMS && !is_launched(); i++) {
        const char *size = environment(systems[i].size), *list = environment(systems[i].list);
        int n_pes = 0, n_hosts;
        if (size)
            return parse_count(systems[i].size, size);
        if (list)
            free(read_list(list, &n_pes, &n_hosts));
        if (n_pes)
            return n_pes;
    }
    return 0;
}

const char *allocation_hosts(void)
{
    for (int i = 0; i < SYSTEMS && !is_launched(); i++) {
        const char *list = environment(systems[i].list);
        int n_pes, n_hosts = 0;
        char *text = list ? read_list(list, &n_pes, &n_hosts) : NULL;
        if (n_hosts > 1)
            return text;
        free(text);
    }
    return NULL;
}
