/* What collectives on teams and on active sets share. */
#ifndef COPAL_GROUPS_H
#define COPAL_GROUPS_H

#include "shmem/api.h"
#include "shmem/debug.h"

/* From here to leave, errors and waits are the routine's, whatever the algorithm calls. */
INLINE void enter(const char *routine)
{
    outer_routine = routine;
}

INLINE void leave(void)
{
    outer_routine = NULL;
}

/* A symmetric buffer of n elements for each of so many members. */
INLINE void check_buffer(const char *arg, const void *buffer, size_t n, size_t size, size_t members, const char *routine)
{
    const size_t bytes = bytes_of(bytes_of(n, size, routine), members, routine);
    if (bytes)
        reach_arg(arg, buffer, bytes, node.me, routine);
}

/* A strided one: the last element of the last block is where it ends. */
INLINE void check_strided(const char *arg, const char *stride_arg, const void *buffer, ptrdiff_t stride, size_t n, size_t size,
                          size_t members, const char *routine)
{
    if (stride < 1)
        job_fatal(routine, "argument %s is %td, allowed are strides of 1 and more", stride_arg, stride);
    const size_t elements = bytes_of(n, members, routine);
    if (elements)
        check_buffer(arg, buffer, bytes_of(elements - 1, (size_t)stride, routine) + 1, size, 1, routine);
}

#endif
