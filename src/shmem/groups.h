/* Collectives on a group, which is a team or an active set: these functions check the arguments and call SHCOLL. */
#pragma once

#include "shmem/api.h"
#include "shmem/debug.h"

#include "wait/wait.h"

/* Between enter and leave, errors and waits are reported under this routine's name, not under the names of routines
 * that the algorithm calls. */
INLINE void enter(const char *routine)
{
    outer_routine = routine;
    if (LIKELY(thread_level != SHMEM_THREAD_MULTIPLE))
        node_open_own();
}

/* Called after enter in a collective in which each PE waits for all: oshrun can then list the missing PEs. */
enum together { JUST_SYNC, WITH_DATA };
INLINE void enter_together(const struct shcoll_group *g, enum together what)
{
    wait_members = (struct job_members){g->start, g->stride, g->size, 2 * g->number + what};
}

INLINE void leave(void)
{
    outer_routine = NULL;
    wait_members.size = 0;
    if (LIKELY(thread_level != SHMEM_THREAD_MULTIPLE))
        node_close_own();
}

enum gather { COLLECT, FCOLLECT, ALLTOALL };
enum reduction { REDUCE_ALL, INSCAN, EXSCAN };

void group_sync(struct shcoll_group *g, const char *routine);
void group_broadcast(struct shcoll_group *g, void *dest, const void *source, size_t nelems, size_t size, int root,
                     const char *routine);
void group_gather(enum gather what, struct shcoll_group *g, void *dest, const void *source, size_t nelems, size_t size,
                  const char *routine);
void group_alltoalls(struct shcoll_group *g, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst,
                     size_t nelems, size_t size, const char *routine);
void group_reduce(struct shcoll_group *g, void *dest, const void *source, size_t n, const struct shcoll_op *op,
                  enum reduction kind, const char *routine);
