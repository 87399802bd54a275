/* A child made by fork is not a PE, and its parent's symmetric memory must not be its own.
 *
 * The peers' memory and the job file are simply not mapped in the child (MADV_DONTFORK).  The statics are the program's
 * variables, so the child gets a copy of them as they were at the fork.  Its parent's heap it gets copy-on-write.
 * posix_spawn, system and popen run no handlers and need none: they execute another program at once. */
#include "node/node.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static void *snapshot; /* between the handlers of one fork, which the C library serializes */

/* Copies the pages of [from, from + size) that the file holds; a hole is zero in the copy as well. */
static void copy_present(char *to, const char *from, size_t size, off_t file_at)
{
    for (off_t at = file_at, end = file_at + (off_t)size; at < end;) {
        off_t data = lseek(self.fd, at, SEEK_DATA);
        if (data < 0 || data >= end)
            return;
        off_t hole = lseek(self.fd, data, SEEK_HOLE);
        if (hole < 0 || hole > end)
            hole = end;
        copy_unwatched(to + (data - file_at), from + (data - file_at), (size_t)(hole - data));
        at = hole;
    }
}

static void before_fork(void)
{
    if (!node.data_used)
        return;
    snapshot = mmap(NULL, node.data_used, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (snapshot == MAP_FAILED)
        job_fatal("fork", "no memory to copy the program's global and static variables for the child");
    copy_present(snapshot, (const char *)node.data, node.data_used,
                 (off_t)job_data_offset(self.n_pes) + node.me * node.data_stride);
}

static void after_fork_in_parent(void)
{
    if (node.data_used)
        munmap(snapshot, node.data_used);
}

static void after_fork_in_child(void)
{
    if (node.data_used)
        mremap(snapshot, node.data_used, node.data_used, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)node.data);
    const off_t heaps_at = (off_t)job_data_offset(self.n_pes) + (off_t)(node.heap - node.data_window);
    mmap((void *)node.heap, node.own_size + node.heap_size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, self.fd, heaps_at);
    node.n_pes = 0; /* every call of the library now says that this is no PE */
}

void node_fork_handlers(void)
{
    static bool done;
    if (!done)
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    done = true;
}
