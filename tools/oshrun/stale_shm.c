/* Removes files that a killed PE leaves: libfabric's shared-memory provider has files in /dev/shm, named
 * PROCESS:NUMBER:NUMBER, which only the process itself removes. */
#include "oshrun.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static bool is_of_a_pe(const struct run *r, const char *name)
{
    int pid, domain, endpoint, end = 0;
    if (sscanf(name, "%d:%d:%d%n", &pid, &domain, &endpoint, &end) != 3 || !end || name[end])
        return false;
    for (int i = 0; i < r->opt.n_pes; i++)
        if (r->pe[i].pid == pid)
            return true;
    return false;
}

void remove_left(const struct run *r)
{
    const char *const provider = environment("FI_PROVIDER");
    DIR *const folder = r->code && provider && strstr(provider, "shm") ? opendir("/dev/shm") : NULL;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (is_of_a_pe(r, entry->d_name))
            unlinkat(dirfd(folder), entry->d_name, 0);
    if (folder)
        closedir(folder);
}
