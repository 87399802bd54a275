/* The time that the program reads: emulated time on an emulated network, otherwise the machine's. */
#include "common/clock.h"
#include "shmem/api.h"

#include "time/virtual.h"

#define LONGEST 1e6 /* seconds: eleven days */

static uint64_t in_ps(double seconds)
{
    return (uint64_t)(seconds * (double)VIRTUAL_SECOND + 0.5);
}

int shmemx_time_is_emulated(void)
{
    return virtual_ticks();
}

double shmemx_message_time(int which)
{
    struct net_times t;
    if (which < SHMEMX_MESSAGE || which > SHMEMX_GROUP_PES)
        job_fatal(ROUTINE, "argument which is %d, allowed are SHMEMX_MESSAGE to SHMEMX_GROUP_PES", which);
    if (!net_times(&t))
        return 0;
    const double times[] = {t.message, t.gap, t.byte, t.copied_byte, t.adapter, t.across, t.near, t.near_byte,
                            t.groups, t.access, t.line, t.memory_byte, t.group};
    return times[which];
}

double shmemx_clock(void)
{
    return virtual_ticks() ? virtual_seconds() : (double)clock_now() * 1e-9;
}

void shmemx_compute(double seconds)
{
    if (!(seconds >= 0 && seconds <= LONGEST))
        job_fatal(ROUTINE, "argument seconds is %g, allowed are 0 to %g", seconds, LONGEST);
    if (virtual_on) {
        virtual_compute(in_ps(seconds));
        return;
    }
    const uint64_t from = clock_now(), ns = (uint64_t)(seconds * 1e9);
    while (clock_now() - from < ns)
        ;
}

void shmemx_access(const void *sym, size_t bytes, int pe, int store)
{
    enum { LINE = 64 };
    if (!virtual_on || bytes == 0)
        return;
    check_pe(pe, ROUTINE);
    if (!node_is_near(pe))
        job_fatal(ROUTINE, "argument pe is %d, which is on another node; allowed are PEs for which shmem_ptr has an "
                  "address", pe);
    virtual_access(store ? VIRTUAL_STORE : VIRTUAL_READ, pe, place_of(sym), bytes < LINE ? LINE : bytes);
    virtual_settle();
}
