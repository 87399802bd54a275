#include "job/thread_affinity.h"
#include "job/self.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static cpu_set_t world; /* the processors of the job */

/* oshrun binds PEs so that they do not wander, and its own processors are the job's; what another launcher binds
 * stays. */
static void find_world(void)
{
    if (sched_getaffinity(self.job->launcher ? getppid() : 0, sizeof world, &world) != 0)
        CPU_ZERO(&world); /* more of them than there is room for, or a parent of somebody else's: threads stay */
}

bool send_beside(pid_t thread, int processor)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (thread == 0 || processor < 0 || self.crowded)
        return false;
    pthread_once(&once, find_world);
    cpu_set_t set = world;
    CPU_CLR((unsigned)processor, &set);
    return CPU_COUNT(&set) > 0 && sched_setaffinity(thread, sizeof set, &set) == 0;
}
