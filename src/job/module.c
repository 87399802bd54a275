/* Modules: what a job of one node never loads. */
#include "job/boot.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

void *boot_module(const char *name, const char *symbol, const char **why)
{
    static char sentence[PATH_MAX + 300];
    Dl_info here;
    char path[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)boot_module, &here) || !here.dli_fname) {
        *why = "the folder of this library is not known";
        return NULL;
    }
    const char *slash = strrchr(here.dli_fname, '/');
    const int folder = slash ? (int)(slash - here.dli_fname) + 1 : 0;
    snprintf(path, sizeof path, "%.*scopal/libcopal-%s.so", folder, here.dli_fname, name);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *found = module ? dlsym(module, symbol) : NULL;
    if (!found) {
        snprintf(sentence, sizeof sentence, "%s", dlerror());
        *why = sentence;
    }
    return found;
}
