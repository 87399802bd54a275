/* The program's own malloc on symmetric memory.
 *
 * The allocator is mimalloc, linked before the C library; it uses memory from the program ("arenas") before memory from
 * the kernel. The program may call malloc before the arena exists. For such a call, mimalloc requests a segment from
 * the kernel, and would take the next 32 MiB of small blocks from it, too (from 2.1 on, 1 GiB of all blocks).
 * caf_arena_begin therefore allocates until this segment is used up. Neither the order of constructors nor the
 * allocations of shmem_init then matter. If an early block is freed later, malloc may return it again:
 * caf_arena_instead replaces it. */
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
enum { SEGMENT = 32 << 20 }; /* mimalloc 2's; mimalloc does not align the arena, so caf_arena_begin does */

/* A process calls malloc to its very end, when libraries close their files. Copal's symmetric heap stays mapped until
 * then; Open MPI unmaps its heap in shmem_finalize, which itself uses malloc afterwards. */
#if defined(COPAL_SHMEM_H)
static const bool heap_stays = true;
#else
static const bool heap_stays = false;
#endif

/* A function of mimalloc 2 or 3; NULL if the program is linked without it. */
bool mi_manage_os_memory(void *start, size_t size, bool is_committed, bool is_large, bool is_zero, int numa_node)
    __attribute__((weak));
bool mi_is_in_heap_region(const void *p) __attribute__((weak));

int __sanitizer_get_ownership(const volatile void *p) __attribute__((weak)); /* whether a block begins there */

struct caf_arena caf_arena;

/* A sanitizer or a preloaded malloc may precede mimalloc. */
static bool malloc_is_mimalloc(void)
{
    void *probe = calloc(1, 16);
    const bool yes = probe && mi_is_in_heap_region(probe);
    free(probe);
    return yes;
}

/* Called for an unused block: mimalloc 3 requests huge pages, and each large block would occupy one. */
static void keep_in_small_pages(char *block, size_t bytes)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)block + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)block + bytes) / page * page;
    if (end > from)
        madvise((void *)from, end - from, MADV_NOHUGEPAGE);
}

/* Allocates all memory that mimalloc had before the arena, and never frees it. Begins with the largest blocks that
 * share a segment, and ends with the smallest. All sizes are multiples of 8, in steps narrower than mimalloc's size
 * classes. */
static void use_up_earlier_memory(void)
{
    /* mimalloc 3, and 2 from 2.1 on, reserve steps of 1 GiB; if malloc gives more than that, it uses no arena. */
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
    static _Atomic size_t used; /* beyond `enough` the arena is full: do not try again */
    struct kept {
        struct kept *next;
    } *kept = NULL;
    const size_t size = bytes > sizeof *kept ? bytes : sizeof *kept;
    while (block && !caf_arena_holds(block) && size <= most && used < enough) {
        *(struct kept *)block = (struct kept){kept};
        kept = block;
        used += size;
        block = malloc(size);
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

/* A child's symmetric heap is a private mapping of its parent's: a page that the child has not written shows the
 * parent's later stores, which would corrupt the program's variables and the allocator's lists.  Therefore the child
 * writes to each existing page of the arena, and the parent waits until the child closes a pipe: 0.5 s for 1 GiB.
 * posix_spawn and system do not call these handlers.  During this, stores of the parent's other threads may reach the
 * child or not, page by page; these threads cannot be stopped, because fork takes locks of the C library after these
 * handlers, and a stopped thread may hold one.
 *
 * Threads that fork at the same time take turns: another thread's child would keep the pipe open. */
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

/* madvise takes half the time of single page faults, if the kernel supports it (Linux 5.14). */
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
    /* Committed: mimalloc then keeps the pages' protection and contents. Not large: otherwise it would not use the
     * arena for a thread's first segment. Not zero: the program may have used its symmetric heap before. */
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
