#include "job/thread_affinity.h"
#include "job/self.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static cpu_set_t world; /* the processors of the job */

/* oshrun binds each PE, so the job may use all processors of oshrun. A binding by another launcher is kept. */
static void find_world(void)
{
    if (sched_getaffinity(self.job->launcher ? getppid() : 0, sizeof world, &world) != 0)
        CPU_ZERO(&world); /* more processors than the set holds, or a parent of another user: threads are not moved */
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
