/* A program has one coarray library. */
#include "../caf.h"

#include <dlfcn.h>

void caf_refuse_other_library(const char *entry)
{
    static const char here;
    Dl_info own, other;
    void *found = dlsym(RTLD_DEFAULT, entry);
    if (found && dladdr(&here, &own) && dladdr(found, &other) && own.dli_fbase != other.dli_fbase)
        caf_fatal("the program has the coarrays of another library, in %s, and is linked with %s too; link it with one",
                  other.dli_fname, own.dli_fname);
}
