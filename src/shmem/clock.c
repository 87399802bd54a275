/* The time that the program reads: emulated time on an emulated network, otherwise the machine's. */
#include "common/clock.h"
#include "shmem/api.h"

#include "time/virtual.h"

#include <math.h>

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
    if (which < SHMEMX_MESSAGE || which > SHMEMX_NEAR_BYTE)
        job_fatal(ROUTINE, "argument which is %d, allowed are SHMEMX_MESSAGE to SHMEMX_NEAR_BYTE", which);
    if (!net_times(&t))
        return 0;
    const double times[] = {t.message, t.gap, t.byte, t.copied_byte, t.adapter, t.across, t.near, t.near_byte};
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
