/* The memory of this node's PEs, and the fast path to it: reach.
 *
 * Each PE has a heap segment and a copy of its executable's statics in the job file, and every PE maps all of them: PE
 * k's heap segment at heap_base + k * heap_stride, the same address in every process, and PE k's statics at data_window
 * + k * data_stride. An add translates a local address to the address of a peer's object.
 *
 * reach_at_once translates (Namashivayam et al. 2014, section 4), and detects every bad PE, address and length, in
 * every build: a few compares, a multiply, an add. Before shmem_init and after shmem_finalize the number of PEs is 0,
 * so the same compare detects calls at the wrong time.
 *
 * A heap segment begins with the library's own symmetric memory (the teams' work areas). User addresses are valid from
 * the end of that memory to the top of the highest allocated block. While the library runs a collective
 * (outer_routine), its own memory is valid too (node_open_own). With SHMEM_THREAD_MULTIPLE it would then be valid for
 * all threads, so reach_slowly checks its addresses instead.
 *
 * Accesses that loads and stores can make never use a network library. Within a node a fence is an acquire-release
 * fence, quiet a full one; signals are release stores, waits acquire loads, atomics sequentially consistent. */
#pragma once

#include "common/alloc.h"
#include "time/virtual.h"
#include "wait/wait.h"

#include <pthread.h>

/* The pages of a writable segment of the executable; the pages between two segments must not move. */
struct span {
    uintptr_t from, to;
    uintptr_t bss; /* pages from here on are not in the executable's file: zero until they are written */
};
enum { SPANS = 16 };

struct node {
    _Alignas(64) int me;       /* the fast path's members come first, on one cache line */
    int first;                 /* the first of this node's PEs, which are numbered consecutively */
    int n_near;                /* their number; 0 if n_pes is 0 */
    uint32_t overlap_from;     /* overlap.c makes nonblocking puts and gets from this size on; or OVERLAP_NEVER */
    uintptr_t quick_from;      /* start of the fast path's range: user; in collectives heap (node_open_own) */
    _Atomic size_t heap_quick; /* bytes of the range; 0 if slow */
    ptrdiff_t heap_stride;
    uintptr_t data;            /* my statics, where the linker put them */
    size_t data_quick;         /* data_used, or 0 if slow, or if not all PEs run the same executable */
    uintptr_t data_window;     /* PE k's statics are at data_window + k * data_stride, if PE k is on this node */

    ptrdiff_t data_stride;
    int n_pes;             /* 0 before the first shmem_init, after the last shmem_finalize and in a forked child: then
                              every check of a PE fails, and the slow path reports why */
    _Atomic int copies;    /* pending copies of overlap.c */
    uintptr_t heap;            /* my heap segment */
    uintptr_t user;            /* the user's heap in the segment */
    _Atomic size_t heap_used;  /* bytes of the user's heap that may be accessed: up to the top of the highest allocated
                                  block; one thread may allocate while others communicate */
    size_t data_used;          /* from the first writable segment to the end of the last */
    size_t data_at, heap_at; /* offsets of this PE's statics and heap segment in the job file */
    struct span spans[SPANS];
    int n_spans;
    size_t heap_size;      /* bytes of the user's heap */
    size_t own_size;       /* bytes of the library's own part */
    bool mixed_programs;   /* not all PEs run the same executable */
    bool debug;            /* SHMEM_DEBUG: also make the slow checks */
    bool polls;            /* an access to this PE's own memory makes progress, because there is no progress thread */
    bool slow;             /* every access takes the slow path: debug, polls, or emulated time */
    struct alloc *blocks;  /* the blocks of the user's heap, as offsets from user */
};
extern struct node node;
extern pthread_mutex_t node_blocks_lock; /* protects blocks: a thread may allocate while others' accesses are checked */

/* Maps the memory of all PEs. heap_size is this PE's request, and node.heap_size the agreed size. Every PE calls it
 * between joining and the end of shmem_init. */
#define NODE_DEFAULT_HEAP SIZE_MAX /* the default of size.c */
void node_map(size_t heap_size, size_t own_size);

/* Between these two calls, threads that fork wait, because the state that a child needs is changing. */
void fork_wait(void);
void fork_go_on(void);

/* Limits the user's heap to the size on another node. Called before any allocation. */
void node_shrink_heap(size_t bytes);

/* The largest alignment with which an aligned offset in the user's heap is an aligned address on all PEs. */
size_t node_alignment_most(void);

/* Statics correspond only between PEs that run the same executable. */
bool node_other_program(int pe);
static inline bool node_same_program(int pe)
{
    return LIKELY(!node.mixed_programs) || !node_other_program(pe);
}
extern bool (*node_far_same_program)(int pe); /* the same for a PE on another node; src/net sets it */

/* Whether the statics of PE pe correspond to this PE's. */
bool node_has_statics(int pe);

/* The offset of a symmetric object, the same on all PEs of the job: in the heap segment or, with PLACE_DATA, in the
 * statics. */
typedef uint64_t place;
#define PLACE_DATA ((place)1 << 63)
INLINE place place_of(const void *sym)
{
    const uintptr_t in_data = (uintptr_t)sym - node.data;
    return in_data < node.data_used ? PLACE_DATA | in_data : (uintptr_t)sym - node.heap;
}

/* This PE's memory at that offset; NULL if the PE does not have all of [at, at + bytes). */
void *place_here(place at, size_t bytes);

/* For messages about a PE that does not exist: explains that the job has one PE because it was started alone; or "". */
const char *node_alone(void) __attribute__((cold));

/* Ends the job: the library was called before shmem_init, after shmem_finalize, or in a forked child. */
_Noreturn void node_not_initialized(const char *routine) __attribute__((cold));

/* Copies words of the program's statics; sanitizers do not check it. */
void copy_unwatched(void *to, const void *from, size_t bytes);

/* Sets the size of the user's heap that may be accessed. */
void node_use_heap(size_t bytes);

/* Between these two calls, the fast path reaches the library's own memory, too; not with SHMEM_THREAD_MULTIPLE, because
 * the user's threads could then access that memory by mistake. */
INLINE void node_open_own(void)
{
    node.quick_from = node.heap;
    if (LIKELY(!node.slow))
        atomic_store_explicit(&node.heap_quick, node.own_size + node.heap_used, memory_order_relaxed);
    else
        virtual_called();
}

INLINE void node_close_own(void)
{
    node.quick_from = node.user;
    if (LIKELY(!node.slow))
        atomic_store_explicit(&node.heap_quick, node.heap_used, memory_order_relaxed);
    else
        virtual_resume();
}

/* Explains what is wrong with (sym, len, pe) and ends the job. arg is the argument's name in the specification. */
_Noreturn void reach_failed(const char *arg, const void *sym, size_t len, int pe, const char *routine)
    __attribute__((cold));

/* With SHMEM_DEBUG: checks that an access to the heap stays within one live block, without its RED_ZONE bytes. */
enum { RED_ZONE = 64 };
void check_block(const char *arg, const void *sym, size_t len, int pe, const char *routine);

/* Whether PE pe, of the job, is on this node. */
INLINE bool node_is_near(int pe)
{
    return (unsigned)pe - (unsigned)node.first < (unsigned)node.n_near;
}

/* The fast path: *at is the address, in this process, of [sym, sym + len) on PE pe. False: call reach_slowly. */
INLINE bool reach_at_once(void **at, const void *sym, size_t len, int pe)
{
    if (UNLIKELY((unsigned)pe - (unsigned)node.first >= (unsigned)node.n_near))
        return false;
    const size_t in_heap = (uintptr_t)sym - node.quick_from;
    const size_t used = atomic_load_explicit(&node.heap_quick, memory_order_relaxed);
    if (LIKELY(in_heap < used && len <= used - in_heap)) {
        *at = (char *)sym + (pe - node.me) * node.heap_stride;
        return true;
    }
    const size_t in_data = (uintptr_t)sym - node.data;
    *at = (char *)(node.data_window + in_data) + pe * node.data_stride;
    return LIKELY(in_data < node.data_quick && len <= node.data_quick - in_data);
}

/* The slow path: NULL if the PE is on another node. Ends the job with a message if the address is not symmetric, the
 * length runs past the end of the region, or the PE is outside the job. */
void *reach_slowly(const char *arg, const void *sym, size_t len, int pe, const char *routine);

/* The same if no access follows: takes no emulated time. */
void *reach_address(const char *arg, const void *sym, size_t len, int pe, const char *routine);

INLINE void *reach_arg(const char *arg, const void *sym, size_t len, int pe, const char *routine)
{
    void *at;
    return LIKELY(reach_at_once(&at, sym, len, pe)) ? at : reach_slowly(arg, sym, len, pe, routine);
}

INLINE void *reach(const void *sym, size_t len, int pe, const char *routine)
{
    return reach_arg("dest", sym, len, pe, routine);
}
