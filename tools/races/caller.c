#include "races/calls.h"

#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

enum module { PROGRAM, BETWEEN, COARRAYS };

/* Remembers the last page, so that most calls need no search. */
static enum module module_of(const void *address)
{
    static const struct {
        const char *name;
        enum module module;
    } known[] = {{"libshmem_fortran.", BETWEEN}, {"libshmem.", BETWEEN}, {"libcopal-", BETWEEN},
                 {"libcaf_", COARRAYS}, {"libprif_", COARRAYS}};
    static _Thread_local uintptr_t page;
    static _Thread_local enum module module;
    Dl_info info;
    if ((uintptr_t)address >> 12 == page)
        return module;
    page = (uintptr_t)address >> 12;
    module = PROGRAM;
    if (dladdr((void *)(uintptr_t)address, &info) && info.dli_fname)
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            module = strstr(info.dli_fname, known[i].name) ? known[i].module : module;
    return module;
}

static _Unwind_Reason_Code look(struct _Unwind_Context *context, void *found)
{
    const void *at = (const void *)_Unwind_GetIP(context);
    if (module_of(at) != PROGRAM)
        return _URC_NO_REASON;
    *(const void **)found = at;
    return _URC_END_OF_STACK;
}

const void *caller_in_program(const void *caller)
{
    const void *found = caller;
    if (module_of(caller) != PROGRAM)
        _Unwind_Backtrace(look, &found);
    return found;
}

bool caller_is_coarrays(const void *caller)
{
    return module_of(caller) == COARRAYS;
}
