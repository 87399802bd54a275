/* What lies beside the library: modules, which a job of one node never loads, and a program. */
#include "boot/boot.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool boot_file_beside(const char *name, char path[PATH_MAX])
{
    Dl_info here;
    if (!dladdr((void *)(uintptr_t)boot_file_beside, &here) || !here.dli_fname)
        return false;
    const char *slash = strrchr(here.dli_fname, '/');
    const int folder = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    return snprintf(path, PATH_MAX, "%.*scopal/%s", folder, here.dli_fname, name) < PATH_MAX;
}

void *boot_module(const char *name, const char *symbol, const char **why)
{
    static char sentence[PATH_MAX + 300];
    char file[64], path[PATH_MAX];
    snprintf(file, sizeof file, "libcopal-%s.so", name);
    if (!boot_file_beside(file, path)) {
        *why = "the folder of this library is not known";
        return NULL;
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, symbol) : NULL;
    if (!found) {
        snprintf(sentence, sizeof sentence, "%s", dlerror());
        *why = sentence;
    }
    return found;
}
