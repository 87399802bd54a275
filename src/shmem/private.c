/* Access to private memory of other PEs, at the owner's addresses. Within a node, the kernel makes the copy; between
 * nodes, the PE that owns the memory makes it. */
#include "shmem/api.h"

#include <errno.h>

static ssize_t bytes_in(const struct iovec *list, size_t n)
{
    ssize_t bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += (ssize_t)list[i].iov_len;
    return bytes;
}

static ssize_t copy(int pe, bool write, const struct iovec *mine, size_t n_mine, const struct iovec *theirs,
                    size_t n_theirs, const char *routine)
{
    check_initialized(routine);
    check_pe(pe, routine);
    if (node_is_near(pe)) {
        const pid_t process = job_seat(pe)->pid;
        if (job_state_of(pe) == JOB_PE_DEAD) { /* another process may have its number now */
            errno = ESRCH;
            return -1;
        }
        return write ? process_vm_writev(process, mine, n_mine, theirs, n_theirs, 0)
                     : process_vm_readv(process, mine, n_mine, theirs, n_theirs, 0);
    }
    const int error = net_private(pe, write, mine, n_mine, theirs, n_theirs);
    if (error) {
        errno = error == EHOSTDOWN ? ESRCH : error;
        return -1;
    }
    const ssize_t here = bytes_in(mine, n_mine), there = bytes_in(theirs, n_theirs);
    return here < there ? here : there;
}

ssize_t shmemx_readv(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs)
{
    return copy(pe, false, mine, n_mine, theirs, n_theirs, ROUTINE);
}

ssize_t shmemx_writev(int pe, const struct iovec *mine, size_t n_mine, const struct iovec *theirs, size_t n_theirs)
{
    return copy(pe, true, mine, n_mine, theirs, n_theirs, ROUTINE);
}
