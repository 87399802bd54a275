/* Prints the round trip of two bare flags between the first two cores that this process may use, in us; with the
 * argument BEFORE, an earlier round trip, also the phase between the two. 0 if there is only one core. */
#include "slices.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

int main(int argc, char **argv)
{
    cpu_set_t allowed, one;
    int cpus[2], n = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return 1;
    for (int cpu = 0; cpu < CPU_SETSIZE && n < 2; cpu++)
        if (CPU_ISSET(cpu, &allowed))
            cpus[n++] = cpu;
    const long name = (long)getpid();
    struct slice_flags *flags = n == 2 ? slice_map(name, 0) : NULL;
    double us = 0;
    if (flags) {
        const pid_t other = fork();
        if (other == 0)
            prctl(PR_SET_PDEATHSIG, SIGKILL); /* otherwise it waits forever for a killed parent's flags */
        if (other < 0 || (other == 0 && !(flags = slice_map(name, 1))))
            return 1;
        CPU_ZERO(&one);
        CPU_SET(cpus[other == 0], &one);
        sched_setaffinity(0, sizeof one, &one);
        us = slice_trip_us(flags, other == 0);
        if (other == 0)
            return 0;
        wait(NULL);
    }
    printf("%.3f %s\n", us, argc > 1 ? slice_names[slice_phase(strtod(argv[1], NULL), us)] : "");
    return 0;
}
