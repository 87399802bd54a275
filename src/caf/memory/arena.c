/* The program's own malloc on symmetric memory.
 *
 * The allocator is mimalloc, linked before the C library; it takes memory that it is given ("arenas") before it asks
 * the kernel.  It need not be given at the program's start: the one thing that an earlier malloc leaves behind is a
 * segment of the kernel's memory, of which mimalloc would serve the next 32 MiB of small blocks (from 2.1 on, of a GiB
 * all blocks).  So we use that up: allocate until nothing comes from there any more.  This frees us of the order in
 * which constructors run, and of what shmem_init itself allocates.  An early block that is freed later may be handed
 * out again: whoever wants one that others reach asks for another instead. */
#include "arena.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <shmem.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)
enum { SEGMENT = 32 << 20 }; /* of mimalloc 2, which does not align what it is given */

/* malloc is called to the very end of a process, when libraries close their files.  Copal's symmetric heap stays mapped
 * until then; Open MPI's goes in shmem_finalize, which itself uses malloc afterwards. */
#if defined(COPAL_SHMEM_H)
static const bool heap_stays = true;
#else
static const bool heap_stays = false;
#endif

/* Of mimalloc 2 and 3; absent where the program is linked without it. */
bool mi_manage_os_memory(void *start, size_t size, bool is_committed, bool is_large, bool is_zero, int numa_node)
    __attribute__((weak));
bool mi_is_in_heap_region(const void *p) __attribute__((weak));

int __sanitizer_get_ownership(const volatile void *p) __attribute__((weak)); /* whether a block begins there */

struct caf_arena caf_arena;

/* A sanitizer, or a debugging malloc that was preloaded, may come before mimalloc. */
static bool malloc_is_mimalloc(void)
{
    void *probe = calloc(1, 16);
    const bool yes = probe && mi_is_in_heap_region(probe);
    free(probe);
    return yes;
}

/* Nobody will use it.  mimalloc 3 asks the kernel for huge pages, of which each block of many bytes would keep one, as
 * soon as its first word is written to, or when the kernel makes one of the page where that is. */
static void keep_in_small_pages(char *block, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)block + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)block + bytes) / page * page;
    if (end > from)
        madvise((void *)from, end - from, MADV_NOHUGEPAGE);
}

/* Allocates, for good, what the allocator has left of earlier memory: from the largest size that shares a segment to
 * the smallest, so that large pieces go in few calls.  All sizes are multiples of 8, and the steps between them
 * narrower than mimalloc's size classes. */
static void use_up_earlier_memory(void)
{
    /* mimalloc 3, and 2 from 2.1 on, reserve 1 GiB at a time; more must mean that the arena is not used at all. */
    const size_t enough = 1280 * MIB;
    const int small_pages = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
    size_t used = 0;
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    for (size_t size = 16 * MIB; size > 0; size -= (size / 16 + 8) / 8 * 8) {
        void *block = malloc(size);
        while (block && !caf_arena_holds(block) && (used += size) < enough) {
            if (size >= MIB / 2)
                keep_in_small_pages(block, size);
            block = malloc(size);
        }
        if (!block || caf_arena_holds(block))
            free(block);
    }
    prctl(PR_SET_THP_DISABLE, small_pages > 0, 0, 0, 0);
}

void *caf_arena_instead(void *block, size_t bytes)
{
    const size_t most = MIB, enough = 16 * MIB;
    static _Atomic size_t used; /* more must mean that the arena is full, which does not have to be found out twice */
    struct kept {
        struct kept *next;
    } *kept = NULL;
    while (block && !caf_arena_holds(block) && bytes <= most && used < enough) {
        *(struct kept *)block = (struct kept){kept};
        kept = block;
        used += bytes > sizeof *kept ? bytes : sizeof *kept;
        block = malloc(bytes > sizeof *kept ? bytes : sizeof *kept);
    }
    if (block && caf_arena_holds(block))
        return block;
    while (kept) {
        struct kept *next = kept->next;
        free(kept);
        kept = next;
    }
    return block;
}

/* --- fork --------------------------------------------------------------------------------------------------------- */

/* A child's symmetric heap is a private map of its parent's: a page that it has not written to shows what the parent
 * stores there later, which the program's own variables, and the allocator's lists, must not.  So the child writes to
 * each page of the arena that there is, and until it has the parent waits, at the end of a pipe: half a second for a
 * GiB.  Programs that are started by posix_spawn or system do without all this.  What other threads of the parent store
 * meanwhile is in the child or not, page by page.  They cannot be stopped: fork takes locks of the C library between
 * these handlers and the moment of the fork, which a stopped thread may hold.
 *
 * Of several threads that fork at once one goes first: another's child would keep the pipe open. */
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER;
static pid_t owner;
static int child_ready[2];

static void before_fork(void)
{
    pthread_mutex_lock(&forking);
    if (getpid() != owner || pipe2(child_ready, O_CLOEXEC) != 0)
        child_ready[0] = child_ready[1] = -1;
}

static void after_fork_in_parent(void)
{
    char nothing;
    close(child_ready[1]);
    while (read(child_ready[0], &nothing, 1) < 0 && errno == EINTR)
        ;
    close(child_ready[0]);
    pthread_mutex_unlock(&forking);
}

/* Half the time of one page fault after another, where the kernel has it (Linux 5.14). */
static void write_to_pages(char *from, char *end, size_t page)
{
#if defined(MADV_POPULATE_WRITE)
    if (from == end || madvise(from, (size_t)(end - from), MADV_POPULATE_WRITE) == 0)
        return;
#endif
    for (volatile char *at = from; at < end; at += page)
        *at = *at;
}

static void after_fork_in_child(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), piece = SEGMENT;
    unsigned char there[SEGMENT / 4096];
    const uintptr_t end = caf_arena.from + caf_arena.bytes;
    for (uintptr_t from = caf_arena.from; child_ready[1] >= 0 && from < end; from += piece) {
        char *run = (char *)from, *at = run;
        if (mincore(at, piece, there) != 0)
            continue;
        for (size_t i = 0; i < piece / page; i++, at += page)
            if (!(there[i] & 1)) {
                write_to_pages(run, at, page);
                run = at + page;
            }
        write_to_pages(run, at, page);
    }
    close(child_ready[0]);
    close(child_ready[1]);
    pthread_mutex_unlock(&forking);
}

/* --- beginning ---------------------------------------------------------------------------------------------------- */

bool caf_arena_begin(void *start, size_t bytes)
{
    const uintptr_t from = ((uintptr_t)start + SEGMENT - 1) / SEGMENT * SEGMENT;
    const uintptr_t end = ((uintptr_t)start + bytes) / SEGMENT * SEGMENT;
    if (!heap_stays || !mi_manage_os_memory || !mi_is_in_heap_region || caf_arena.bytes || end < from + SEGMENT)
        return false;
    /* Committed: mimalloc then leaves the pages' protection and contents alone.  Not large: or it would keep the arena
     * from a thread's first segment.  Not zero: the program may have used its symmetric heap before. */
    if (!malloc_is_mimalloc() || !mi_manage_os_memory((void *)from, end - from, true, false, false, -1))
        return false;
    caf_arena = (struct caf_arena){from, end - from};
    owner = getpid();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    use_up_earlier_memory();
    return true;
}

size_t caf_malloc_bytes(void *p)
{
    if (caf_arena_holds(p))
        return malloc_usable_size(p);
    if (__sanitizer_get_ownership)
        return __sanitizer_get_ownership(p) ? malloc_usable_size(p) : 0;
    if (!mi_is_in_heap_region || !malloc_is_mimalloc())
        return SIZE_MAX;
    return mi_is_in_heap_region(p) ? malloc_usable_size(p) : 0;
}

bool caf_arena_serves(size_t bytes)
{
    void *probe = malloc(bytes);
    const bool does = probe && caf_arena_holds(probe);
    free(probe);
    return does;
}
