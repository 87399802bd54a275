/* The memory of this node's PEs, and the one fast path: reach.
 *
 * Each PE has a heap segment and a copy of its executable's statics in the job file, and every PE maps all of them:
 * PE k's heap segment at heap_base + k * heap_stride, the same address in every process, and PE k's statics at
 * data_window + k * data_stride.  Turning an address of mine into the address of a peer's object is an add.
 *
 * reach_at_once is shmem_ptr made the rule (Namashivayam et al. 2014, section 4), and the place where every bad PE,
 * address and length is caught, in every build: a few compares, a multiply, an add. Before shmem_init and after
 * shmem_finalize the number of PEs is 0, so the same compare catches use at the wrong time.
 *
 * A heap segment begins with the library's own symmetric memory (the teams' work areas), which users cannot reach:
 * their window begins behind it, and ends at the top of the highest allocated block. While the library itself runs a
 * collective (outer_routine) the window begins lower (node_open_own); with SHMEM_THREAD_MULTIPLE, where another thread
 * could slip through, its own addresses are checked apart.
 *
 * Memory that loads and stores reach never goes through a network library. Within a node a fence is an acquire-release
 * fence, quiet a full one; signals are release stores, waits acquire loads, atomics sequentially consistent. */
#ifndef COPAL_NODE_H
#define COPAL_NODE_H

#include "common/alloc.h"
#include "time/virtual.h"
#include "wait/wait.h"

#include <pthread.h>

/* The executable's writable segments, page by page; what lies between two of them is not ours to move. */
struct span {
    uintptr_t from, to;
    uintptr_t bss; /* from this page on there is nothing in the executable's file: zero until it is written */
};
enum { SPANS = 16 };

/* A heap segment begins with the library's own symmetric memory (the teams' work areas); the user's heap follows. */
struct node {
    _Alignas(64) int me;       /* what the fast path reads comes first, on one cache line */
    int first;                 /* the first of this node's PEs, which are numbered consecutively */
    int n_near;                /* how many there are; 0 when n_pes is */
    uint32_t overlap_from;     /* bytes from which on a nonblocking put or get is left to overlap.c; OVERLAP_NEVER */
    uintptr_t quick_from;      /* what is reached at once: user, or in collectives without threads heap */
    _Atomic size_t heap_quick; /* bytes from there on; 0 if slow */
    ptrdiff_t heap_stride;
    uintptr_t data;            /* my statics, where the linker put them */
    size_t data_quick;         /* data_used, or 0 if slow and where not all PEs run the same executable */
    uintptr_t data_window;     /* where PE 0's statics would be in the map of this node's statics, were it among them */

    ptrdiff_t data_stride;
    int n_pes;             /* 0 before the first shmem_init, after the last shmem_finalize and in a forked child: then
                              every check of a PE fails, and the slow path says why */
    _Atomic int copies;    /* how many overlap.c has that are not done */
    uintptr_t heap;            /* my heap segment */
    uintptr_t user;            /* the user's heap in it */
    _Atomic size_t heap_used;  /* bytes of the user's heap that may be accessed: up to the top of the highest allocated
                                  block; one thread may allocate while others communicate */
    size_t data_used;          /* from the first writable segment to the end of the last */
    size_t data_at, heap_at; /* where this PE's statics and heap segment are in the job file */
    struct span spans[SPANS];
    int n_spans;
    size_t heap_size;      /* bytes of the user's heap */
    size_t own_size;       /* bytes of the library's own part */
    bool mixed_programs;   /* not all PEs run the same executable */
    bool debug;            /* SHMEM_DEBUG: the costly checks as well */
    bool polls;            /* an access to this PE's own memory makes progress, as nothing else may */
    bool slow;             /* every access goes the slow path: debug, polls, or where time is emulated */
    struct alloc *blocks;  /* what is allocated in the user's heap, as offsets from user */
};
extern struct node node;
extern pthread_mutex_t node_blocks_lock; /* of blocks: one thread may allocate while others' accesses are checked */

/* Maps everything; heap_size is what this PE wants, and the agreed size is node.heap_size. Every PE calls it between
 * joining and the end of shmem_init. */
#define NODE_DEFAULT_HEAP SIZE_MAX /* as much as is sensible */
void node_map(size_t heap_size, size_t own_size);

/* Between these two, threads that fork wait: what a child needs is about to change; and it is known afterwards. */
void fork_wait(void);
void fork_go_on(void);

/* The user's heap has no more than this, for another node has not. Nothing is allocated yet. */
void node_shrink_heap(size_t bytes);

/* A block of the user's heap at an offset that is a multiple of a power of two up to this is aligned so on all PEs. */
size_t node_alignment_most(void);

/* Statics correspond only between PEs that run the same executable. */
bool node_other_program(int pe);
static inline bool node_same_program(int pe)
{
    return LIKELY(!node.mixed_programs) || !node_other_program(pe);
}
extern bool (*node_far_same_program)(int pe); /* the same of a PE on another node: the net's to say */

/* Whether PE pe, of the job, has this PE's statics. */
bool node_has_statics(int pe);

/* A symmetric object as all PEs of the job know it, wherever their memory is mapped: an offset in the heap segment, or,
 * with PLACE_DATA, in the statics. */
typedef uint64_t place;
#define PLACE_DATA ((place)1 << 63)
INLINE place place_of(const void *sym)
{
    const uintptr_t in_data = (uintptr_t)sym - node.data;
    return in_data < node.data_used ? PLACE_DATA | in_data : (uintptr_t)sym - node.heap;
}

/* This PE's [place, place + bytes); NULL if it has no such memory. */
void *place_here(place at, size_t bytes);

/* What a sentence about a PE that does not exist adds if the job has one PE because nothing has started more; or "". */
const char *node_alone(void) __attribute__((cold));

/* Ends the job: the library was called before shmem_init, after shmem_finalize, or in a forked child. */
_Noreturn void node_not_initialized(const char *routine) __attribute__((cold));

/* Copies words of the program's statics, without a sanitizer's objections. */
void copy_unwatched(void *to, const void *from, size_t bytes);

/* How much of the user's heap may be accessed from now on. */
void node_use_heap(size_t bytes);

/* Between these two, the library's own memory is reached as quickly as the user's. Not with threads, which could then
 * reach it by mistake. */
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

/* With SHMEM_DEBUG: an access to the heap stays within one live block. RED_ZONE bytes of each are not the user's. */
enum { RED_ZONE = 64 };
void check_block(const char *arg, const void *sym, size_t len, int pe, const char *routine);

/* Whether PE pe, of the job, is on this node. */
INLINE bool node_is_near(int pe)
{
    return (unsigned)pe - (unsigned)node.first < (unsigned)node.n_near;
}

/* Whether *at can be had at once: the address, in this process, of [sym, sym + len) on PE pe. */
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

/* The same, the long way: NULL if the PE is on another node.  An address that is not symmetric, a length that runs past
 * the end of the region, or a PE outside the job ends the job with one sentence. */
void *reach_slowly(const char *arg, const void *sym, size_t len, int pe, const char *routine);

/* The same for one who does not come there yet, which takes no emulated time. */
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

#endif
