/* A forked child is not a PE, and must not write to its parent's symmetric memory.
 *
 * The child does not map the peers' memory and the job file (MADV_DONTFORK). It gets a copy of the statics, which are
 * the program's variables, as they were at the fork, and the heap copy-on-write: a page that the child has not written
 * shows later stores of the parent. If the program has closed the job file's descriptor, as daemons do, the used part
 * of the heap is copied at the fork. posix_spawn, system and popen run no handlers and need none: they execute another
 * program immediately. */
#include "node/node.h"

#include "time/virtual.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Several threads may fork at the same time, so a fork holds the lock from its first handler to its last, in the parent
 * and in the child. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static void *snapshot;
static void *heap_copy;  /* copy of the used part of the user's heap; NULL: none is needed */
static size_t heap_copied;
static bool of_pe; /* the forking process is a PE; the memory of a PE's child is already private */
static bool is_mapped; /* false: the statics are still private memory, as in any program */

void fork_wait(void)
{
    pthread_mutex_lock(&forking);
}

void fork_go_on(void)
{
    is_mapped = true;
    pthread_mutex_unlock(&forking);
}

static void *map_copy(size_t size)
{
    void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
        job_fatal("fork", "no memory to copy the program's symmetric memory for the child");
    return copy;
}

/* Copies the pages of [from, from + size) that the file holds; a hole is zero in the copy, too. */
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

static void copy_statics(bool by_file)
{
    snapshot = map_copy(node.data_used);
    for (int i = 0; i < node.n_spans; i++) {
        const struct span s = node.spans[i];
        char *to = (char *)snapshot + (s.from - node.data);
        if (by_file)
            copy_present(to, (const char *)s.from, s.to - s.from, (off_t)(node.data_at + (s.from - node.data)));
        else
            copy_unwatched(to, (const void *)s.from, s.to - s.from);
    }
}

static void before_fork(void)
{
    pthread_mutex_lock(&forking);
    of_pe = is_mapped && getpid() == self.pid;
    if (!of_pe)
        return;
    const bool by_file = job_file_is_open();
    if (node.data_used)
        copy_statics(by_file);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    heap_copied = by_file ? 0 : (node.heap_used + page - 1) / page * page;
    heap_copy = heap_copied ? map_copy(heap_copied) : NULL;
    if (heap_copy)
        copy_unwatched(heap_copy, (const void *)node.user, heap_copied);
}

static void after_fork_in_parent(void)
{
    if (of_pe && node.data_used)
        munmap(snapshot, node.data_used);
    if (of_pe && heap_copy)
        munmap(heap_copy, heap_copied);
    pthread_mutex_unlock(&forking);
}

/* Moves a mapping in the child; replaces what is mapped at `to`. */
static void move(void *from, size_t size, uintptr_t to)
{
    if (syscall(SYS_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) != (long)to)
        _exit(1); /* otherwise the child would write to the parent's variables */
}

/* Replaces the PE's memory by private memory of the child. It makes system calls directly, because UCX intercepts the C
 * library's: UCX loses the address of mremap, and takes locks that another thread may have held at the fork. */
static void leave_job(void)
{
    for (int i = 0; i < node.n_spans; i++) {
        const struct span s = node.spans[i];
        move((char *)snapshot + (s.from - node.data), s.to - s.from, s.from);
    }
    const bool by_file = job_file_is_open();
    const int how = MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED | (by_file ? 0 : MAP_ANONYMOUS);
    if (syscall(SYS_mmap, node.heap, node.own_size + node.heap_size, PROT_READ | PROT_WRITE, how,
                by_file ? self.fd : -1, by_file ? node.heap_at : 0) != (long)node.heap)
        _exit(1);
    if (heap_copy)
        move(heap_copy, heap_copied, node.user);
    virtual_forget();
    node.n_pes = node.n_near = 0; /* every call of the library now reports that this is no PE */
}

static void after_fork_in_child(void)
{
    if (of_pe)
        leave_job();
    pthread_mutex_unlock(&forking);
}

/* Runs before the program's constructors. Handlers that are registered first run last before a fork, so the copy
 * contains what the program's handlers store. They run first in the child, so the program's handlers there do not
 * access the parent's variables. */
__attribute__((constructor)) static void register_handlers(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}
