#include "common/module.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool module_path(const char *name, char path[PATH_MAX])
{
    Dl_info here;
    char real[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)module_path, &here) || !here.dli_fname)
        return false;
    const char *file = realpath(here.dli_fname, real) ? real : here.dli_fname; /* may be a symbolic link */
    const char *slash = strrchr(file, '/');
    const int folder = slash ? (int)(slash - file) + 1 : 0;
    return snprintf(path, PATH_MAX, "%.*scopal/%s", folder, file, name) < PATH_MAX;
}

void *module_load(const char *name, const char *symbol, const char **why)
{
    static char sentence[PATH_MAX + 300];
    char file[64], path[PATH_MAX];
    snprintf(file, sizeof file, "libcopal-%s.so", name);
    if (!module_path(file, path)) {
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
