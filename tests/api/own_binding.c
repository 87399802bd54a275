/* pes: 1 2 5 8 */
/* A program that binds itself to a processor stays there, even if many PEs wait on the same processor. */
#include <sched.h>
#include <shmem.h>

#include "../check.h"

int main(void)
{
    cpu_set_t all, one, now;
    int first = 0;
    shmem_init();
    CHECK(sched_getaffinity(0, sizeof all, &all) == 0, "sched_getaffinity");
    while (!CPU_ISSET(first, &all))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0, "sched_setaffinity");
    for (int i = 0; i < 300; i++)
        shmem_barrier_all();
    CHECK(sched_getaffinity(0, sizeof now, &now) == 0, "sched_getaffinity");
    CHECK(CPU_EQUAL(&one, &now), "PE %d was bound to processor %d, and may run on %d", shmem_my_pe(), first,
          CPU_COUNT(&now));
    shmem_finalize();
    return check_result();
}
