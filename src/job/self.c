#include "job/self.h"

#include "job/settings.h"

#include <stdio.h>

struct self self = {.fd = -1};
_Thread_local const char *outer_routine;
const char *(*_Atomic routine_namer)(const char *routine);

const char *job_routine(const char *routine)
{
    const char *(*const namer)(const char *) = routine_namer;
    if (outer_routine)
        routine = outer_routine;
    return namer ? namer(routine) : routine;
}

int job_pe_to_be(void)
{
    const char *job = setting_text(SETTING_COPAL_JOB), *rank = setting_text(SETTING_PMIX_RANK);
    int pe;
    if (job)
        return sscanf(job, "%*d:%*d:%d", &pe) == 1 ? pe : -1;
    rank = rank ? rank : setting_text(SETTING_PMI_RANK);
    return rank && setting_is_pe() && sscanf(rank, "%d", &pe) == 1 ? pe : -1;
}
