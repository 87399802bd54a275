/* A child made by fork is not a PE, and its parent's symmetric memory must not be its own.
 *
 * The peers' memory and the job file are simply not mapped in the child (MADV_DONTFORK).  The statics are the program's
 * variables, so the child gets a copy of them as they were at the fork.  Its parent's heap it gets copy-on-write.
 * posix_spawn, system and popen run no handlers and need none: they execute another program at once.
 *
 * Of the heap that is what the child has written; a page that it has not written shows what is stored in the parent
 * later. */
#include "node/node.h"

#include "job/virtual.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Between the handlers of one fork.  The C library runs those of several threads side by side, so a fork holds the lock
 * from the first of them to the last, in the parent and in the child. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static void *snapshot;
static bool of_pe; /* and not of a PE's child: what that one has is private already */

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
    pthread_mutex_lock(&forking);
    of_pe = self.job && getpid() == self.pid;
    if (!of_pe || !node.data_used)
        return;
    snapshot = mmap(NULL, node.data_used, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (snapshot == MAP_FAILED)
        job_fatal("fork", "no memory to copy the program's global and static variables for the child");
    const off_t file_at = (off_t)node.data_at;
    for (int i = 0; i < node.n_spans; i++) {
        const struct span s = node.spans[i];
        copy_present((char *)snapshot + (s.from - node.data), (const char *)s.from, s.to - s.from,
                     file_at + (off_t)(s.from - node.data));
    }
}

static void after_fork_in_parent(void)
{
    if (of_pe && node.data_used)
        munmap(snapshot, node.data_used);
    pthread_mutex_unlock(&forking);
}

/* What had been the PE's becomes the child's own.  By the kernel's own calls: UCX puts itself into those of the C
 * library, where it loses the address of mremap, and takes locks that another thread may have held at the fork. */
static void leave_job(void)
{
    for (int i = 0; i < node.n_spans; i++) {
        const struct span s = node.spans[i];
        const size_t size = s.to - s.from;
        if (syscall(SYS_mremap, (char *)snapshot + (s.from - node.data), size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
                    s.from) != (long)s.from)
            _exit(1); /* rather than write to the parent's variables */
    }
    if (syscall(SYS_mmap, node.heap, node.own_size + node.heap_size, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, self.fd, node.heap_at) != (long)node.heap)
        _exit(1);
    virtual_forget();
    node.n_pes = node.n_near = 0; /* every call of the library now says that this is no PE */
}

static void after_fork_in_child(void)
{
    if (of_pe)
        leave_job();
    pthread_mutex_unlock(&forking);
}

/* Before the program's own constructors: of the handlers the first registered come last before a fork, so that the copy
 * has what the program's handlers did then, and first in the child, where the others must not find the parent's
 * variables. */
__attribute__((constructor)) static void register_handlers(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
